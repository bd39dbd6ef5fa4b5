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
