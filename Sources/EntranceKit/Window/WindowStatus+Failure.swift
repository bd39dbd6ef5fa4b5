import AuthCore
import Localization
import MicrosoftGraph
import Sentences

// What failed: in the log, in the status line, and in a notice with the ways on.
extension WindowStatus {
  /// Logs why there is no token, and shows a notice with the ways on: all of them end in a call of
  /// the API.
  ///
  /// - Parameters:
  ///   - signIn: how to sign in again; nil when that would not help.
  ///   - way: the way to sign in that failed; nil for none.
  func logMissingToken(
    _ text: String, _ error: AuthenticationError, signIn: String? = nil, by way: SignInWay? = nil
  ) {
    show(error, way)
    log(text, error, signIn: signIn)
  }

  /// Logs an error with details, and shows it in the status line.
  ///
  /// - Parameter signIn: how to sign in again; nil when that would not help.
  func log(_ text: String, _ error: AuthenticationError, signIn: String? = nil) {
    let advice = [error.advice(signIn: signIn)].compactMap(\.self)
    log(text, advice + error.details.map { tr($0) }, .failure)
    for text in advice { show(outcome: text) }
  }

  private func show(_ error: AuthenticationError, _ way: SignInWay?) {
    if let pause = error.retryAfter {
      // A request before the end of the pause would not be sent.
      return wait(pause, for: tr("The sign-in service"), canSendNow: false, tryAgain: nil)
    }
    show(error.failureKind, tr(error.noticeReason), error.details.map { tr($0) }, way, nil)
  }

  /// Shows why a request to the API of `service` failed, when waiting or a connection helps.
  ///
  /// - Parameter tryAgain: repeats the request.
  func show(_ error: GraphError, of service: String, tryAgain: @escaping @MainActor () -> Void) {
    if let pause = error.retryAfter {
      return wait(pause, for: service, canSendNow: true, tryAgain: tryAgain)
    }
    guard let kind = error.failureKind else { return }
    show(kind, tr(error.sentence), error.details.map { tr($0) }, nil, tryAgain)
  }

  private func show(
    _ kind: FailureKind, _ reason: String, _ details: [String], _ way: SignInWay?,
    _ tryAgain: (@MainActor () -> Void)?
  ) {
    let connection = workspace.connection
    let notice = Notice.failure(
      kind, reason, details: details, at: connection,
      otherWays: connection.signInWays.filter { $0 != way })
    if let notice { put(failure: notice, tryAgain: tryAgain) }
  }

  private func wait(
    _ pause: Duration, for service: String, canSendNow: Bool, tryAgain: (@MainActor () -> Void)?
  ) {
    countDown(pause.components.seconds, tryAgain: tryAgain) {
      .busy(service, seconds: $0, canSendNow: canSendNow)
    }
  }
}

extension AuthenticationError {
  /// What happened, and what to do unless the notice has its own advice.
  var noticeReason: Sentence {
    switch failureKind {
    case .approval, .redirectURI, .scope: guidance?.meaning ?? sentence
    default: sentence
    }
  }
}
