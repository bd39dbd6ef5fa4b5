import AuthCore
import Localization
import MicrosoftGraph
import Sentences

// Failures: in the log, and in a notice with buttons for what to do next, or in the status line.
extension WindowStatus {
  /// Logs why there is no token, and shows a notice with buttons for what to do next.
  ///
  /// - Parameters:
  ///   - signIn: how to sign in again; nil when that would not help.
  ///   - way: the way to sign in that failed; nil for none.
  /// - Returns: why there is no token; nil when there is a notice of it.
  func logMissingToken(
    _ text: String, _ error: AuthenticationError, signIn: String? = nil, by way: SignInWay? = nil
  ) -> String? {
    let isInNotice = show(error, way)
    log(text, error, signIn: signIn, isInNotice: isInNotice)
    return isInNotice ? nil : text.plain
  }

  /// Logs that the person has canceled a sign-in, which is no failure, and shows it in the status line.
  ///
  /// - Returns: what is said.
  func logCanceledSignIn(_ error: AuthenticationError) -> String {
    let text = tr("Sign-in canceled")
    log(text, error.details.map { tr($0) }, .signIn)
    return text
  }

  /// Logs an error with details, and shows it in the status line, unless a notice says it already.
  ///
  /// - Parameter signIn: how to sign in again; nil when that would not help.
  func log(
    _ text: String, _ error: AuthenticationError, signIn: String? = nil, isInNotice: Bool = false
  ) {
    let advice = [error.advice(at: workspace.connection, signIn: signIn)].compactMap(\.self)
    log(text, advice + error.details.map { tr($0) }, .failure, isInNotice: isInNotice)
    if !isInNotice { for text in advice { show(outcome: text) } }
  }

  /// Shows a notice of the error, if one would help; returns whether there is one.
  private func show(_ error: AuthenticationError, _ way: SignInWay?) -> Bool {
    // That of the storage has the button that helps.
    if error.failureKind == .storage { return notices[Notice.storageID] != nil }
    // They can be accepted after all, or somebody else be asked to.
    let kind = error.declinesPermissions ? .consent : error.failureKind
    let failure = makeNotice(
      kind, tr(error.noticeReason), error.details.map { tr($0) }, way, error.field)
    if let pause = ServicePause(after: error) {
      if let failure, way != nil {
        waitForPerson(pause, then: failure)
      } else {
        // A request before the end of the pause would not be sent.
        wait(pause, canSendNow: false, tryAgain: nil)
      }
      return true
    }
    guard let failure else { return false }
    put(failure: failure, tryAgain: nil)
    return true
  }

  /// Shows why a request to the API of `service` failed, if a pause or a network connection helps.
  ///
  /// - Parameter tryAgain: repeats the request.
  /// - Returns: whether there is a notice of it.
  func show(
    _ error: GraphError, of service: String, tryAgain: @escaping @MainActor () -> Void
  ) -> Bool {
    if let pause = ServicePause(after: error, of: service) {
      wait(pause, canSendNow: true, tryAgain: tryAgain)
      return true
    }
    guard let kind = error.failureKind else { return false }
    return show(
      kind, tr(error.sentence), error.details.map { tr($0) }, error.field, tryAgain: tryAgain)
  }

  /// Shows what a service has answered at the address that the app has for its API; that is corrected
  /// where nothing is there.
  ///
  /// - Parameter reason: why the request failed.
  /// - Returns: whether it has answered.
  func show(
    _ error: GraphError, because reason: String, tryAgain: @escaping @MainActor () -> Void
  ) -> Bool {
    guard error.status != nil else { return false }
    let kind: FailureKind = error.code == .notFound ? .connection : .refused
    return show(
      kind, reason, error.details.map { tr($0) }, error.field, tryAgain: tryAgain)
  }

  /// Logs what could not be deleted, which a notice or the preferences say.
  func log(notCleared failure: AuthenticationError) {
    log(
      tr("Some data was not cleared: {error}", ["error": failure.sentence]), failure,
      isInNotice: true)
  }

  /// Says that nothing can be called, because the app has no API.
  func logMissingAPI(tryAgain: @escaping @MainActor () -> Void) {
    let error = GraphError.noAPI
    let isInNotice = show(error, of: "", tryAgain: tryAgain)
    log(
      tr("Couldn't get graph result: {error}", ["error": error.sentence]), [], .failure,
      isInNotice: isInNotice)
  }

  private func show(
    _ kind: FailureKind, _ reason: String, _ details: [String], _ field: String?,
    tryAgain: @escaping @MainActor () -> Void
  ) -> Bool {
    guard let notice = makeNotice(kind, reason, details, nil, field) else { return false }
    put(failure: notice, tryAgain: tryAgain)
    return true
  }

  /// - Parameter way: the way to sign in that failed; nil for none.
  private func makeNotice(
    _ kind: FailureKind, _ reason: String, _ details: [String], _ way: SignInWay?,
    _ field: String?
  ) -> Notice? {
    let connection = workspace.connection
    return Notice.failure(
      kind, reason, details: details, about: field, at: connection,
      otherWays: connection.signInWays.filter { $0 != way })
  }

  /// Counts the pause after a sign-in down: only the person opens its window again.
  ///
  /// - Parameter notice: the notice at its end.
  private func waitForPerson(_ pause: ServicePause, then notice: Notice) {
    countDown(pause.length.components.seconds, tryAgain: nil, last: notice) {
      .pauseOfSignIn(pause, seconds: $0, in: notice)
    }
  }

  /// Counts the pause down, then repeats the request.
  ///
  /// - Parameters:
  ///   - canSendNow: whether a request before its end is sent.
  ///   - tryAgain: repeats it; nil for the work in progress.
  func wait(_ pause: ServicePause, canSendNow: Bool, tryAgain: (@MainActor () -> Void)?) {
    countDown(pause.length.components.seconds, tryAgain: tryAgain) {
      .pause(pause, seconds: $0, canSendNow: canSendNow)
    }
  }
}

extension GraphError {
  /// The sentence about a request to the address that the app has for its API: it names the address
  /// when nothing is there.
  func reason(at url: String) -> Sentence {
    guard code == .notFound else { return sentence }
    return Sentence(
      "There is nothing at {url} (HTTP {status}). Check the API address of the app.",
      ["url": url, "status": status ?? 404])
  }
}

extension AuthenticationError {
  /// Whether the person has left the sign-in; not when something was declined on its page, or the site
  /// closed that, which have the same code.
  var isOwnCancellation: Bool {
    code == .userCanceled && message == "The sign-in was canceled." && !isDeclined
  }

  /// Whether the person has declined the app's permissions on a page of the service.
  fileprivate var declinesPermissions: Bool {
    isDeclined && (oauthError == "consent_required" || serverErrorCodes.contains(65004))
  }

  /// The reason, with what to do next unless the notice has advice of its own.
  var noticeReason: Sentence {
    switch failureKind {
    case .approval, .redirectURI, .scope: guidance?.meaning ?? sentence
    default: sentence
    }
  }
}
