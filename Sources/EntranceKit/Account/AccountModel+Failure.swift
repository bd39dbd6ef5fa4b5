import AuthCore
import Connections
import Localization
import MicrosoftGraph

extension AuthenticationError {
  /// What the user can do next, for the log and the status line; nil when the message already says
  /// it, or nothing has to be done.
  ///
  /// - Parameter signIn: how to sign in again; nil when that would not help, or the pages open
  ///   automatically.
  func advice(signIn: String? = nil) -> String? {
    guard guidance == nil else { return nil }
    return switch failureKind {
    case .signIn, .refused, .broker: signIn
    case .openSignIn: tr("Finish or cancel the other sign-in first.")
    case .noConnection: tr("Check your connection, then try again.")
    case .notSecure:
      tr(
        "Check the network and the clock, then try again. To find the cause, run: entrancectl"
          + " doctor")
    case .storage: tr("Unlock the keyring or the encrypted files, then try again.")
    case .connection, .scope, .redirectURI, .registration, .developers:
      tr("Correct the connection in connections.json, then start again.")
    // There is nothing to do, the message says it, or a notice has the buttons.
    case .settled, .consent, .otherAccount, .later, .noPages, .approval, .device, .administrator:
      nil
    }
  }
}

// The notice of the last failure, with the ways on.
extension AccountModel {
  /// Removes the notice of the last failure, and stops its countdown.
  public func dismissFailure() {
    countdown?.cancel()
    countdown = nil
    state.notices.removeAll { $0.id == AccountState.Notice.failureID }
  }

  /// Removes a notice that the user has read.
  public func dismiss(_ id: AccountState.Notice.ID) {
    if id == AccountState.Notice.failureID { return dismissFailure() }
    state.notices.removeAll { $0.id == id && $0.canBeDismissed }
  }

  /// Shows why a sign-in or a token request failed.
  func show(_ error: AuthenticationError) {
    if let pause = error.retryAfter {
      // A request before the end of the pause would not be sent.
      return wait(pause, for: tr("The sign-in service"), canSendNow: false)
    }
    let kind = error.failureKind
    // The notice has its own advice for these.
    let meaning = kind == .approval || kind == .redirectURI ? error.guidance?.meaning : nil
    show(kind, tr(meaning ?? error.sentence), error.details.map { tr($0) })
  }

  /// Shows why a request to the API failed, when waiting or a connection helps.
  func show(_ error: GraphError) {
    if let pause = error.retryAfter { return wait(pause, for: graph.service, canSendNow: true) }
    let kind: FailureKind
    switch error.code {
    case .networkUnavailable: kind = .noConnection
    case .tlsFailure: kind = .notSecure
    case .invalidConfiguration: kind = .connection
    case .throttled, .serverUnavailable: kind = .later
    case .invalidResponse: kind = .refused
    // The log has the answer, and there is no general way on.
    default: return
    }
    show(kind, tr(error.sentence), error.details.map { tr($0) })
  }

  /// Shows a change of the network.
  func showNetwork() {
    state.notices.removeAll { $0.id == AccountState.Notice.networkID }
    // A service on this computer needs no network.
    let host = connection.application.authority.environment.prefix { $0 != ":" }
    guard host != "localhost", host != "127.0.0.1" else { return }
    if let notice = network.notice { state.notices.append(notice) }
  }

  private func show(_ kind: FailureKind, _ reason: String, _ details: [String]) {
    let otherWays = ways.filter { $0 != signIn?.way }
    let notice = AccountState.Notice.failure(
      kind, reason, details: details, at: connection, otherWays: otherWays)
    if let notice { show(notice) }
  }

  private func show(_ notice: AccountState.Notice) {
    var notices = state.notices.filter { $0.id != notice.id }
    notices.append(notice)
    state.notices = notices
  }

  /// Counts down, then repeats the call.
  private func wait(_ pause: Duration, for service: String, canSendNow: Bool) {
    countdown?.cancel()
    countdown = Task { [weak self] in
      for seconds in stride(from: max(pause.components.seconds, 1), to: 0, by: -1) {
        self?.show(.busy(service, seconds: Int(seconds), canSendNow: canSendNow))
        try? await Task.sleep(for: .seconds(1))
        guard !Task.isCancelled else { return }
      }
      self?.callGraph()
    }
  }
}
