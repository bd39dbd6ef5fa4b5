extension EmulatorState {
  /// Answers the pages of a sign-in, for ``Emulator/signIn(_:at:)``.
  func signIn(_ username: String, at url: String) throws -> String {
    let parts = url.split(separator: "?", maxSplits: 1)
    let path = parts.first?.dropFirst(origin.count).split(separator: "/") ?? []
    guard url.hasPrefix(origin + "/"), parts.count == 2, path.last == "authorize" else {
      throw Emulator.SignInRefused(message: "Not the authorization endpoint: \(parts.first ?? "")")
    }
    let request: AuthorizationRequest
    do {
      request = try AuthorizationRequest(
        Form(encoded: parts[1]), path: path.joined(separator: "/"), directory: directory,
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

  /// Answers the pages for the code of another device.
  func enterDeviceCode(_ code: String, as username: String) throws {
    let trace = RequestTrace(correlationID: nil)
    guard let outcome = beginDevice(userCode: code, sessionID: nil, trace: trace) else {
      throw Emulator.SignInRefused(message: "There is no such code, or it is not valid any longer.")
    }
    switch try answerPages(outcome, as: username) {
    case .deviceAnswered(isApproved: true, _): return
    case .refused(let error, _): throw Self.refused(error)
    default: throw Emulator.SignInRefused(message: "The code was not approved.")
    }
  }

  /// Answers one page after the other.
  private func answerPages(
    _ outcome: SignInOutcome, as username: String
  ) throws -> SignInOutcome {
    var outcome = outcome
    while case .page(let signIn, let step, let session) = outcome {
      guard let answer = Self.answer(to: step, as: username) else { break }
      outcome = proceed(signInID: signIn.id, sessionID: session.id, answer: answer)
      // A page with a message is shown again because the answer was rejected.
      if case .page(let next, _, _) = outcome, let message = next.message {
        throw Emulator.SignInRefused(message: message)
      }
    }
    return outcome
  }

  private func redirect(_ outcome: SignInOutcome) throws -> String {
    switch outcome {
    case .response(let form, let target, _): return target.location(form)
    case .refused(let error, _): throw Self.refused(error)
    case .deviceAnswered: throw Emulator.SignInRefused(message: "It was for another device.")
    case .page: throw Emulator.SignInRefused(message: "There is no answer to this page.")
    }
  }

  private static func refused(_ error: EntraError) -> Emulator.SignInRefused {
    Emulator.SignInRefused(message: error.sentence)
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
