/// Decides when the desktop notifies of the work of one window: of what has ended while the window
/// was not in front, until it is there.
///
/// A value without I/O: events in, actions out.
public struct WorkNotificationTiming: Sendable, Equatable {
  /// What happens.
  public enum Event: Sendable, Equatable {
    /// Work has ended.
    case ended(EndedWork)
    /// The window, or one that is shown over it, is in front.
    case front
    /// Another window is.
    case back
    /// The window is closed, or the program ends.
    case closed
  }

  /// What to do.
  public enum Action: Sendable, Equatable {
    /// Tell this, in place of what was told before.
    case send(EndedWork)
    /// Take away what was told.
    case withdraw
  }

  private enum State: Sendable, Equatable {
    case front
    case back
    case told(EndedWork)
    case closed
  }

  private var state = State.front

  /// Creates that of a window that is opened, which is in front.
  public init() {}

  /// What is told now; nil for nothing.
  public var told: EndedWork? { if case .told(let work) = state { work } else { nil } }

  /// Handles an event.
  ///
  /// - Returns: what to do; nil for nothing.
  public mutating func handle(_ event: Event) -> Action? {
    switch (state, event) {
    case (.front, .back): state = .back
    case (.back, .front): state = .front
    case (.back, .ended(let work)), (.told, .ended(let work)):
      guard work.isLong else { return nil }
      state = .told(work)
      return .send(work)
    case (.told, .front):
      state = .front
      return .withdraw
    case (.told, .closed):
      state = .closed
      return .withdraw
    case (.front, .closed), (.back, .closed): state = .closed
    case (.front, .front), (.front, .ended), (.back, .back), (.told, .back), (.closed, _): break
    }
    return nil
  }
}
