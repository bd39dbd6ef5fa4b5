/// One of ``Observers``: whoever holds it is told, until they let go of it.
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
