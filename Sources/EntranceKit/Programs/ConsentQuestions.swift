import AuthCore

/// A question about a program, which is open until it is answered.
public struct ConsentQuestion: Sendable, Equatable, Identifiable {
  /// Tells it from all others: random, because any program of the session can send an answer to the
  /// app, and nobody but where it is asked is told.
  public let id = Base64URL.encode((0..<16).map { _ in UInt8.random(in: .min ... .max) })
  /// What the program asks for.
  public let request: ProgramRequest

  /// A question about `request`.
  public init(_ request: ProgramRequest) {
    self.request = request
  }
}

/// Shows questions: in a window, or as a notification.
@MainActor
public protocol ConsentPresenter: AnyObject {
  /// Whether a question would be seen there.
  var isAvailable: Bool { get async }

  /// Asks a question, or asks it anew.
  ///
  /// - Returns: whether that is possible.
  func show(_ question: ConsentQuestion) -> Bool

  /// Takes a question away that was asked there.
  func withdraw(_ question: ConsentQuestion)
}

/// Asks one question at a time: in the window, by a notification while that is not in front, or both.
///
/// The first answer counts.
@MainActor
public final class ConsentQuestions {
  private struct Open {
    let question: ConsentQuestion
    let continuation: CheckedContinuation<ProgramConsent.Reply?, Never>
    var isInWindow = false
    var isNotification = false
    var timer: Task<Void, Never>?
  }

  private let window: any ConsentPresenter
  private let notification: any ConsentPresenter
  private let isInFront: @MainActor () -> Bool
  private let limit: Duration
  private var open: Open?

  /// Creates what asks with these two presenters.
  ///
  /// - Parameters:
  ///   - isInFront: whether the person has a window of the app before them.
  ///   - limit: how long a question waits for its answer.
  public init(
    window: any ConsentPresenter, notification: any ConsentPresenter,
    isInFront: @escaping @MainActor () -> Bool, limit: Duration = .seconds(180)
  ) {
    self.window = window
    self.notification = notification
    self.isInFront = isInFront
    self.limit = limit
  }

  /// Asks about `request`; nil when it cannot be shown, or another question is open.
  public func ask(_ request: ProgramRequest) async -> ProgramConsent.Reply? {
    var notifies = !isInFront()
    if notifies { notifies = await notification.isAvailable }
    guard open == nil else { return nil }
    let question = ConsentQuestion(request)
    return await withCheckedContinuation { continuation in
      open = Open(question: question, continuation: continuation)
      if notifies { show(question, with: notification, \.isNotification) }
      if open?.isNotification == false { show(question, with: window, \.isInWindow) }
      guard open?.isNotification == true || open?.isInWindow == true else {
        return close(question.id, nil)
      }
      open?.timer = Task { [weak self, limit] in
        try? await Task.sleep(for: limit)
        if !Task.isCancelled { self?.answer(question.id, .closed) }
      }
    }
  }

  /// Whether the question with this ID is open.
  public func isOpen(_ id: String) -> Bool { open?.question.id == id }

  /// Answers the question with this ID, and takes it away everywhere; one that is not open is left
  /// alone.
  public func answer(_ id: String, _ reply: ProgramConsent.Reply) { close(id, reply) }

  /// Asks in the window, too, because the person has it before them now.
  public func windowCameToFront() {
    guard let open, !open.isInWindow else { return }
    show(open.question, with: window, \.isInWindow)
  }

  /// Asks the open notification anew, after what it may show has changed.
  public func renewNotification() {
    guard let open, open.isNotification else { return }
    _ = notification.show(open.question)
  }

  /// Closes the open question without an answer, because the program ends.
  public func close() {
    if let open { close(open.question.id, .closed) }
  }

  private func show(
    _ question: ConsentQuestion, with presenter: any ConsentPresenter,
    _ mark: WritableKeyPath<Open, Bool>
  ) {
    // It may be answered before this returns.
    open?[keyPath: mark] = true
    if !presenter.show(question), isOpen(question.id) { open?[keyPath: mark] = false }
  }

  private func close(_ id: String, _ reply: ProgramConsent.Reply?) {
    guard let closed = open, closed.question.id == id else { return }
    open = nil
    closed.timer?.cancel()
    if closed.isInWindow { window.withdraw(closed.question) }
    if closed.isNotification { notification.withdraw(closed.question) }
    closed.continuation.resume(returning: reply)
  }
}
