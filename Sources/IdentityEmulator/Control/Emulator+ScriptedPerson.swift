public import FoundationEssentials

/// Signs in as a person would, without a browser.
extension Emulator {
  /// Why ``signIn(_:at:)`` ended without a redirect, or ``enterDeviceCode(_:as:)`` without a sign-in.
  public struct SignInRefused: LocalizedError, CustomStringConvertible, Sendable {
    /// The message of the error page: the `AADSTS` number and its sentence.
    public let message: String

    /// The message.
    public var description: String { message }
    /// The message, which is also `localizedDescription`.
    public var errorDescription: String? { message }
  }

  /// Signs `username` in with the pages of `authorizationURL`, like a browser without cookies.
  ///
  /// - Returns: the redirect URL that ends the sign-in, with a code or an error.
  /// - Throws: ``SignInRefused`` when the emulator shows an error page instead, or does not run.
  public func signIn(
    _ username: String, at authorizationURL: String
  ) throws(SignInRefused) -> String {
    guard server != nil else { throw Self.notRunning }
    let parts = authorizationURL.split(separator: "?", maxSplits: 1)
    let path = parts.first?.dropFirst(origin.count).split(separator: "/") ?? []
    guard authorizationURL.hasPrefix(origin + "/"), parts.count == 2, path.last == "authorize"
    else { throw SignInRefused(message: "Not the authorization endpoint: \(parts.first ?? "")") }
    let request: AuthorizationRequest
    do throws(AuthorizationRefusal) {
      request = try AuthorizationRequest(
        Form(encoded: parts[1]), path: path.joined(separator: "/"), directory: currentDirectory,
        origin: origin, trace: RequestTrace(correlationID: nil))
    } catch {
      switch error {
      case .page(let error): throw Self.refused(error)
      case .redirect(let error, let target):
        let trace = RequestTrace(correlationID: nil)
        return target.location(Self.errorResponse(error, target: target, trace: trace))
      }
    }
    return try redirect(try answerPages(begin(request, sessionID: nil), as: username))
  }

  /// Signs `username` in with a code of another device, like a browser at the address that comes
  /// with the code.
  ///
  /// - Throws: ``SignInRefused`` when the code is not known, or the emulator shows an error page or
  ///   does not run.
  public func enterDeviceCode(_ code: String, as username: String) throws(SignInRefused) {
    guard server != nil else { throw Self.notRunning }
    let trace = RequestTrace(correlationID: nil)
    guard let outcome = beginDevice(userCode: code, sessionID: nil, trace: trace) else {
      throw SignInRefused(message: "There is no such code, or it is not valid any longer.")
    }
    switch try answerPages(outcome, as: username) {
    case .deviceAnswered(isApproved: true, _): return
    case .refused(let error, _): throw Self.refused(error)
    default: throw SignInRefused(message: "The code was not approved.")
    }
  }

  /// Answers one page after the other.
  private func answerPages(
    _ outcome: SignInOutcome, as username: String
  ) throws(SignInRefused) -> SignInOutcome {
    var outcome = outcome
    while case .page(let signIn, let step, let session) = outcome {
      guard let answer = Self.answer(to: step, as: username) else { break }
      outcome = proceed(signInID: signIn.id, sessionID: session.id, answer: answer)
      // A page with a message is shown again because the answer was rejected.
      if case .page(let next, _, _) = outcome, let message = next.message {
        throw SignInRefused(message: message)
      }
    }
    return outcome
  }

  private func redirect(_ outcome: SignInOutcome) throws(SignInRefused) -> String {
    switch outcome {
    case .response(let form, let target, _): return target.location(form)
    case .refused(let error, _): throw Self.refused(error)
    case .deviceAnswered: throw SignInRefused(message: "It was for another device.")
    case .page: throw SignInRefused(message: "There is no answer to this page.")
    }
  }

  private static let notRunning = SignInRefused(message: "The emulator does not run.")

  private static func refused(_ error: EntraError) -> SignInRefused {
    SignInRefused(message: error.sentence)
  }

  private static func answer(to step: SignIn.Step, as username: String) -> Form? {
    switch step {
    case .pickAccount: Form([("action", "another")])
    case .enterUsername: Form([("action", "next"), ("username", username)])
    case .createAccount:
      Form([("action", "create"), ("username", username), ("display-name", username)])
    case .enterPassword(let user): Form([("action", "sign-in"), ("password", user.password)])
    case .consent: Form([("action", "accept")])
    case .staySignedIn: Form([("action", "stay-no")])
    case .finish, .refused, .denied: nil
    }
  }
}
