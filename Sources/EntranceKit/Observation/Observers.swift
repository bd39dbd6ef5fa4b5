/// The observers of a value, such as the state of a model.
@MainActor
public final class Observers<Value> {
  private var handlers: [(number: Int, handler: @MainActor (Value) -> Void)] = []
  private var lastNumber = 0

  /// Calls `handler` with each value, as long as the result is retained.
  public func add(_ handler: @escaping @MainActor (Value) -> Void) -> Observer {
    lastNumber += 1
    let number = lastNumber
    handlers.append((number, handler))
    return Observer { [weak self] in self?.handlers.removeAll { $0.number == number } }
  }

  /// Notifies all observers, in the order in which they were added.
  func notify(_ value: Value) {
    for (number, handler) in handlers where handlers.contains(where: { $0.number == number }) {
      handler(value)
    }
  }

  /// Removes all observers.
  func removeAll() { handlers = [] }
}

/// A subscription to ``Observers``, which lasts as long as this object is retained.
@MainActor
public final class Observer {
  private let end: @MainActor () -> Void

  init(end: @escaping @MainActor () -> Void) {
    self.end = end
  }

  isolated deinit {
    end()
  }
}
