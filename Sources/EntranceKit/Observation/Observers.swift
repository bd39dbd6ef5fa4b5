/// Those who are told of something, such as each new state of a model.
@MainActor
public final class Observers<Value> {
  private var handlers: [(number: Int, handler: @MainActor (Value) -> Void)] = []
  private var lastNumber = 0

  /// Runs `handler` with whatever there is to tell, for as long as the result lives.
  public func add(_ handler: @escaping @MainActor (Value) -> Void) -> Observer {
    lastNumber += 1
    let number = lastNumber
    handlers.append((number, handler))
    return Observer { [weak self] in self?.handlers.removeAll { $0.number == number } }
  }

  /// Tells all of them, in the order in which they were added.
  func tell(_ value: Value) {
    for (number, handler) in handlers where handlers.contains(where: { $0.number == number }) {
      handler(value)
    }
  }

  /// Tells nobody any more.
  func removeAll() { handlers = [] }
}
