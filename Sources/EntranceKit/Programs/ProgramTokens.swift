public import AuthCore
public import Connections
public import FoundationEssentials
public import Sentences

/// Gives programs access tokens, after the person allowed it; never a refresh token, and without a
/// sign-in.
@MainActor
public final class ProgramTokens {
  /// Why a program gets nothing.
  public struct Failure: Error {
    /// The kinds of reasons: the names of errors on the bus.
    public enum Code: String, Sendable, CaseIterable {
      /// The person, or a preference, denies it.
      case denied = "Denied"
      /// Nobody answered the question.
      case noAnswer = "NoAnswer"
      /// There is no such app.
      case appNotFound = "AppNotFound"
      /// No such account is signed in.
      case accountNotFound = "AccountNotFound"
      /// The person has to sign in first.
      case signInRequired = "SignInRequired"
      /// The arguments cannot be used.
      case invalidArguments = "InvalidArguments"
      /// Anything else.
      case failed = "Failed"
    }

    /// The kind of reason.
    public var code: Code
    /// The reason in words.
    public var sentence: Sentence
  }

  private let list: ProgramList
  private let consent: ProgramConsent
  private let connections: @MainActor () -> [Connection]
  private let application: @MainActor (Connection) -> PublicClientApplication
  private let now: () -> Date

  /// The longest name, and the most scopes, that are looked at: the person is to read them all.
  private static let limit = (name: 1024, scopes: 20, scopeBytes: 2048)

  /// Creates what gives tokens of `connections`.
  public init(
    list: ProgramList, consent: ProgramConsent,
    connections: @escaping @MainActor () -> [Connection],
    application: @escaping @MainActor (Connection) -> PublicClientApplication,
    now: @escaping () -> Date = { Date() }
  ) {
    self.list = list
    self.consent = consent
    self.connections = connections
    self.application = application
    self.now = now
  }

  /// Sees whether `program` may have a token, and asks the person if need be.
  ///
  /// - Parameters:
  ///   - app: the name of an app; empty for the first one.
  ///   - account: the user name or the ID of an account; empty for the one that signed in last.
  ///   - scopes: the scopes; empty for those of the app.
  public func requestAccess(
    _ program: CallingProgram, app: String, account: String, scopes: [String]
  ) async throws(Failure) {
    _ = try await admit(program, app: app, account: account, scopes: scopes)
  }

  /// An access token for `program`; the parameters are those of
  /// ``requestAccess(_:app:account:scopes:)``.
  public func token(
    for program: CallingProgram, app: String, account: String, scopes: [String]
  ) async throws(Failure) -> (token: Secret<String>, expiresOn: Date) {
    let admission = try await admit(program, app: app, account: account, scopes: scopes)
    do throws(AuthenticationError) {
      let result = try await admission.application.acquireTokenSilent(
        SilentTokenParameters(scopes: admission.request.scopes, account: admission.account))
      await list.note(admission.request, at: now())
      return (result.accessToken, result.expiresOn)
    } catch {
      throw Failure(error)
    }
  }

  private struct Admission {
    var application: PublicClientApplication
    var account: Account
    var request: ProgramRequest
  }

  private func admit(
    _ program: CallingProgram, app: String, account: String, scopes: [String]
  ) async throws(Failure) -> Admission {
    guard [app, account].allSatisfy({ $0.utf8.count <= Self.limit.name }),
      scopes.count <= Self.limit.scopes,
      scopes.reduce(0, { $0 + $1.utf8.count }) <= Self.limit.scopeBytes
    else { throw Failure(.invalidArguments, Sentence("The arguments are too long.")) }
    do throws(AuthenticationError) {
      if !scopes.isEmpty { try Scopes.check(scopes) }
    } catch {
      throw Failure(.invalidArguments, error.sentence)
    }
    if let refusal = await consent.refusal(of: program) { throw Failure(refusal, program) }
    let admission: Admission
    do throws(Failure) {
      admission = try await find(program, app: app, account: account, scopes: scopes)
    } catch {
      // Who is not known yet learns neither which apps there are nor who is signed in.
      if await consent.isStranger(program) { throw Failure(.ask, program) }
      throw error
    }
    let answer = await consent.answer(to: admission.request)
    guard answer == .give else { throw Failure(answer, program) }
    return admission
  }

  private func find(
    _ program: CallingProgram, app: String, account: String, scopes: [String]
  ) async throws(Failure) -> Admission {
    guard let connection = connections().first(where: { app.isEmpty || $0.name == app }) else {
      throw Failure(
        .appNotFound,
        app.isEmpty
          ? Sentence("There is no app to sign in with.")
          : Sentence("There is no app called “{name}”.", ["name": app]))
    }
    let application = application(connection)
    let found = try await find(account, application)
    let request = ProgramRequest(
      program: program, app: connection.name, account: found.id, username: found.username,
      scopes: scopes.isEmpty ? connection.scopes : Self.unique(scopes))
    return Admission(application: application, account: found, request: request)
  }

  /// Each scope once: services compare them without case.
  private static func unique(_ scopes: [String]) -> [String] {
    var seen: Set<String> = []
    return scopes.filter { seen.insert($0.lowercased()).inserted }
  }

  private func find(
    _ name: String, _ application: PublicClientApplication
  ) async throws(Failure) -> Account {
    let accounts = await application.accounts()
    let here = accounts.filter(application.isAccount)
    let named = (here.isEmpty ? accounts : here).first { account in
      name.isEmpty || account.id == name || account.username.lowercased() == name.lowercased()
    }
    if let named { return named }
    if let failure = await application.storageFailure { throw Failure(failure) }
    throw Failure(
      .accountNotFound,
      name.isEmpty
        ? Sentence("No account is signed in.")
        : Sentence("The account “{name}” is not signed in.", ["name": name]))
  }
}

extension ProgramTokens.Failure {
  init(_ code: Code, _ sentence: Sentence) {
    self.init(code: code, sentence: sentence)
  }

  /// Why `program` gets no token.
  fileprivate init(_ answer: ProgramAnswer, _ program: CallingProgram) {
    switch answer {
    case .denied:
      self.init(
        .denied,
        Sentence("You denied “{program}” access to your accounts.", ["program": program.name]))
    case .allDenied:
      self.init(.denied, Sentence("Programs get no tokens of your accounts."))
    case .ask, .give:
      self.init(
        .noAnswer,
        Sentence("You have not allowed “{program}” access.", ["program": program.name]))
    }
  }

  init(_ error: AuthenticationError) {
    switch error.failureKind {
    case .signIn, .consent, .otherAccount: self.init(.signInRequired, error.sentence)
    default: self.init(.failed, error.sentence)
    }
  }
}
