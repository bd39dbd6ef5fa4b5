import AuthCore
import Connections
import Glibc
import MicrosoftGraph
import Sentences

/// Why a command failed, as a person and a program are told.
struct CommandError: Error {
  /// A word for programs.
  var code: String
  /// What happened.
  var message: Sentence
  /// What to do about it.
  var nextStep: Sentence?
  /// More for developers and support: names for programs, and values.
  var details: [JSON.Member] = []
  /// The response that says so, with the start of its body: for programs, and for who asks for it.
  var response: GraphResponse?
  /// How the program ends.
  var exitStatus: ExitStatus
  /// Whether what the command printed says all this already.
  var isReported: Bool

  init(
    _ code: String, _ message: Sentence, nextStep: Sentence? = nil,
    exitStatus: ExitStatus = .failure, isReported: Bool = false
  ) {
    self.code = code
    self.message = message
    self.nextStep = nextStep
    self.exitStatus = exitStatus
    self.isReported = isReported
  }

  /// An error in the command line, or in what it names: the same one fails again.
  init(usage message: Sentence, nextStep: Sentence? = nil) {
    self.init("usage", message, nextStep: nextStep, exitStatus: .usage)
  }

  /// An error in the command line: the value of `option` cannot be used, or of an argument if it is nil.
  init(option: String?, _ reason: Sentence, nextStep: Sentence? = nil) {
    self.init(usage: option.map { Sentence.value(of: $0, reason) } ?? reason, nextStep: nextStep)
  }

  /// A token with the permissions that were asked for must not be sent to `host`.
  static func notSent(to host: String) -> CommandError {
    CommandError(
      usage: Sentence(
        "The permissions are for a Microsoft service, whose tokens are not sent to “{host}”.",
        ["host": host]))
  }

  /// A file was not written, for example because it is there and `--force` is missing.
  static func fileNotWritten(
    _ path: String, _ failure: StorageFailure, force: Bool
  ) -> CommandError {
    guard force || access(path, F_OK) != 0 else { return fileExists(path) }
    return fileNotWritten(
      path, failure.reason, nextStep: Sentence("Choose a file elsewhere, or free up space for it."))
  }

  /// A file was not written, because it is there.
  static func fileExists(_ path: String) -> CommandError {
    fileNotWritten(
      path, Sentence("it already exists"),
      nextStep: Sentence("Choose another file, or overwrite it with '--force'."))
  }

  /// A file was not written, because a device, a pipe or a folder is there.
  static func notRegular(_ path: String) -> CommandError {
    fileNotWritten(
      path, Sentence("it is not a regular file"), nextStep: Sentence("Choose another file."))
  }

  private static func fileNotWritten(
    _ path: String, _ reason: Sentence, nextStep: Sentence
  ) -> CommandError {
    CommandError(
      "fileNotWritten",
      Sentence(
        "The file “{path}” was not written: {reason}.", ["path": path, "reason": reason]),
      nextStep: nextStep)
  }

  /// A person would have to be asked, which `--no-input` forbids.
  static func inputRequired(_ message: Sentence, nextStep: Sentence) -> CommandError {
    CommandError("inputRequired", message, nextStep: nextStep, exitStatus: .inputRequired)
  }

  /// The error of a request for scopes: one that an option names may be what the server does not
  /// know.
  init(_ error: AuthenticationError, requesting choice: ScopeChoice, signIn: SuggestedSignIn) {
    self.init(error, signIn: signIn)
    guard let option = choice.option else {
      // Others can have been accepted, by a sign-in that named them.
      if error.failureKind == .consent, let advice = nextStep, choice.scopes.isEmpty {
        nextStep = Sentence([
          advice, Sentence("To use the permissions of another sign-in, name them with --scope."),
        ])
      }
      return
    }
    guard error.failureKind == .scope else { return }
    code = "usage"
    message = .value(of: option, error.guidance?.meaning ?? error.sentence)
    exitStatus = .usage
    nextStep = nil
  }

  /// - Parameter signIn: the command that signs someone in.
  init(_ error: AuthenticationError, signIn: SuggestedSignIn = SuggestedSignIn()) {
    let exitStatus = ExitStatus(error)
    self.init(
      Self.code(of: error, endingWith: exitStatus).rawValue, error.sentence,
      nextStep: Self.nextStep(error, signIn), exitStatus: exitStatus)
    // That they are remembered meanwhile is of no use to a command, which ends now.
    if let reason = error.reasonForMemory {
      message = Sentence("Accounts cannot be read or kept, because {reason}.", ["reason": reason])
    }
    add("step", error.step?.rawValue)
    add("error", error.oauthError)
    add("suberror", error.suberror)
    if !error.serverErrorCodes.isEmpty {
      let codes = error.serverErrorCodes.map { "AADSTS\($0)" }
      details.append(JSON.Member("codes", JSON(codes)))
    }
    add("httpStatus", error.httpStatus)
    add("retryAfter", error.retryAfter)
    if error.isThrottled { details.append(JSON.Member("isThrottled", .bool(true))) }
    add("correlationID", error.correlationID)
    add("server", error.serverDescription)
  }

  /// - Parameter signIn: the command that signs someone in.
  init(_ error: GraphError, signIn: SuggestedSignIn = SuggestedSignIn()) {
    let nextStep: Sentence? =
      switch error.failureKind {
      case .signIn: Sentence("Sign in again: '{command}'.", ["command": signIn.text])
      case .administrator:
        Sentence(
          "If a permission is missing, sign in with it: '{command} --scope …'.",
          ["command": SuggestedSignIn(app: signIn.app).text])
      case .noConnection, .notReachable, .noResponse, .notSecure, .connection, .authority:
        Self.findingCause(signIn)
      case .later, .tooManyRequests: error.retryAfter.map(Self.waiting)
      default: nil
      }
    self.init(
      error.code.rawValue, error.sentence, nextStep: nextStep, exitStatus: ExitStatus(error))
    add("httpStatus", error.status)
    add("retryAfter", error.retryAfter)
    add("error", error.serverCode)
    add("requestID", error.requestID)
    add("clientRequestID", error.clientRequestID)
    add("server", error.serverMessage)
    // During a pause, there is no new one.
    if let status = error.status, !error.isPaused {
      response = GraphResponse(status: status, headerFields: error.headerFields, body: error.body)
    }
  }

  init(_ error: ConnectionFileError, path: String) {
    guard !error.isNotWritten else {
      self = .fileNotWritten(
        path, error.reason,
        nextStep: Sentence(
          "Make sure that you may change it and that there is space for it, then try again."))
      return
    }
    if let reason = error.readFailure {
      self.init(
        "invalidApps",
        Sentence("The file “{path}” cannot be read: {reason}.", ["path": path, "reason": reason]),
        nextStep: Sentence("Make sure that you may read it, then try again."))
      return
    }
    self.init(
      "invalidApps",
      Sentence("There is an error in {path}: {error}.", ["path": path, "error": error.sentence]),
      nextStep: Sentence("Correct the file and try again."))
    add("line", error.line)
    add("field", error.field)
  }

  /// Adds a detail, if there is one.
  mutating func add(_ name: String, _ text: String?) {
    if let text { details.append(JSON.Member(name, JSON(text))) }
  }

  /// Adds a detail, if there is one.
  mutating func add(_ name: String, _ number: Int?) {
    if let number { details.append(JSON.Member(name, JSON(number))) }
  }

  private mutating func add(_ name: String, _ pause: Duration?) {
    add(name, pause.map { Self.seconds(of: $0) })
  }

  /// What to do during a pause that a service asked for.
  private static func waiting(for pause: Duration) -> Sentence {
    Sentence.plural(
      "Wait {count} second, then try again.", "Wait {count} seconds, then try again.",
      count: seconds(of: pause))
  }

  /// The whole seconds after which a pause is over; pauses are at most an hour.
  fileprivate static func seconds(of pause: Duration) -> Int {
    min(Int(clamping: pause.components.seconds), 3600) + (pause.components.attoseconds > 0 ? 1 : 0)
  }

  /// How to find out why an app cannot be used.
  static func findingCause(_ signIn: SuggestedSignIn) -> Sentence {
    Sentence("To find the cause, run '{command}'.", ["command": signIn.other("doctor")])
  }

  /// The word for programs, which never says anything else than the exit status does.
  ///
  /// The code of the library is that of the server's `error`; its number can say that a sign-in does not
  /// help, or that only one does.
  private static func code(
    of error: AuthenticationError, endingWith status: ExitStatus
  ) -> AuthenticationError.Code {
    switch (error.code, status) {
    case (.serverError, .signInRequired): .interactionRequired
    case (.interactionRequired, .tryLater): .serverUnavailable
    case (.interactionRequired, .failure): .serverError
    default: error.code
    }
  }

  private static func nextStep(
    _ error: AuthenticationError, _ signIn: SuggestedSignIn
  ) -> Sentence? {
    // There is no service to sign in with, also where the meaning of the server's code says so.
    if error.step == .discovery, error.failureKind == .authority, error.code != .untrustedAuthority
    {
      return Sentence(
        "Correct 'authority' of the app in {path}, or the options of the command.",
        ["path": EntranceIdentity.connectionsPath])
    }
    guard error.guidance == nil else { return signInNamed(error, signIn) }
    if error.code == .wrongPassphrase { return EntranceIdentity.forgottenPassphrase }
    return switch error.failureKind {
    case .signIn, .refused, .response: Sentence("Sign in: '{command}'.", ["command": signIn.text])
    case .noDeviceCode:
      Sentence("Sign in: '{command}'.", ["command": signIn.using(deviceCode: false).text])
    case .broker:
      Sentence(
        "Sign in without it, '{command}', or find the cause with '{doctor}'.",
        ["command": signIn.text, "doctor": signIn.other("doctor")])
    case .noPages:
      Sentence(
        "Sign in on another device: '{command} --device-code'.", ["command": signIn.text])
    case .openSignIn: Sentence("Finish or cancel the other sign-in first.")
    case .later, .tooManyRequests:
      error.retryAfter.map(waiting) ?? Sentence("Wait a while and try again.")
    case .noConnection, .notReachable, .noResponse, .notSecure, .storage: findingCause(signIn)
    case .connection, .authority, .scope, .redirectURI, .registration, .developers:
      Sentence(
        "Correct the app in {path}, or the options of the command.",
        ["path": EntranceIdentity.connectionsPath])
    // There is nothing to do, or the message says whom to ask.
    case .settled, .consent, .otherAccount, .approval, .device, .administrator: nil
    }
  }

  /// Which sign-in it is that the meaning of a server's code asks for: the same one for the app's own
  /// permissions would not help.
  private static func signInNamed(
    _ error: AuthenticationError, _ signIn: SuggestedSignIn
  ) -> Sentence? {
    // The meaning of all others comes with the whole next step, and who is signing in has the command.
    guard [.signIn, .consent].contains(error.failureKind), error.step != .authorization else {
      return nil
    }
    return Sentence("Run '{command}'.", ["command": signIn.text])
  }
}

extension Sentence {
  /// Why there is a pause before a request is sent, and how long it is.
  static func waiting(for pause: Duration, after error: GraphError) -> Sentence {
    let count = CommandError.seconds(of: pause)
    guard error.retryAfter == nil else {
      return .plural(
        "The service asked for a pause. The request is sent in {count} second.",
        "The service asked for a pause. The request is sent in {count} seconds.", count: count)
    }
    // The sentence of a status tells to try again later, which is what is done.
    let reason =
      error.status.map { Sentence("The request failed (HTTP {status}).", ["status": $0]) }
      ?? error.sentence
    return Sentence([
      reason,
      .plural(
        "The request is sent again in {count} second.",
        "The request is sent again in {count} seconds.",
        count: count),
    ])
  }

  /// Why the value of an option cannot be used.
  static func value(of option: String, _ reason: Sentence) -> Sentence {
    Sentence([Sentence("The value of {option} cannot be used.", ["option": option]), reason])
  }
}
