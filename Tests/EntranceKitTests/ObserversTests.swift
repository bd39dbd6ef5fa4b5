import Testing

@testable import EntranceKit

@Suite("Observers")
@MainActor
struct ObserversTests {
  @Test("Observers are called in order, each as long as it is retained")
  func several() {
    let observers = Observers<Int>()
    var told: [String] = []
    var first: Observer? = observers.add { told.append("first \($0)") }
    let second = observers.add { told.append("second \($0)") }
    observers.notify(1)
    #expect(told == ["first 1", "second 1"])
    first = nil
    observers.notify(2)
    #expect(told.dropFirst(2) == ["second 2"])
    observers.removeAll()
    observers.notify(3)
    #expect(told.count == 3)
    withExtendedLifetime((first, second)) {}
  }

  @Test("An observer that another one removes is not called, not even for the same value")
  func letGo() {
    let observers = Observers<Int>()
    var told = 0
    var second: Observer?
    let first = observers.add { _ in second = nil }
    second = observers.add { _ in told += 1 }
    observers.notify(1)
    #expect(told == 0)
    withExtendedLifetime((first, second)) {}
  }

  @Test("An observer's captures are released with it")
  func lifetimes() {
    final class Probe {}
    weak var probe: Probe?
    var observers: Observers<Int>? = Observers<Int>()
    var observer: Observer?
    do {
      let held = Probe()
      probe = held
      observer = observers?.add { _ in withExtendedLifetime(held) {} }
    }
    #expect(probe != nil)
    observer = nil
    #expect(probe == nil)
    observer = observers?.add { _ in }
    observers = nil
    observer = nil
    withExtendedLifetime((observers, observer)) {}
  }
}
