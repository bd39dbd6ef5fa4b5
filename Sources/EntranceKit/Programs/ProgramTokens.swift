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

  private let book: ProgramBook
  private let consent: ProgramConsent
  private let connections: @MainActor () -> [Connection]
  private let application: @MainActor (Connection) -> PublicClientApplication
  private let now: () -> Date

  /// The longest name, and the most scopes, that are looked at.
  private static let limit = (bytes: 1024, scopes: 100)

  /// Creates what gives tokens of `connections`.
  public init(
    book: ProgramBook, consent: ProgramConsent,
    connections: @escaping @MainActor () -> [Connection],
    application: @escaping @MainActor (Connection) -> PublicClientApplication,
    now: @escaping () -> Date = { Date() }
  ) {
    self.book = book
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
      await book.note(admission.request, at: now())
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
    guard ([app, account] + scopes).allSatisfy({ $0.utf8.count <= Self.limit.bytes }),
      scopes.count <= Self.limit.scopes
    else { throw Failure(.invalidArguments, Sentence("The arguments are too long.")) }
    do throws(AuthenticationError) {
      if !scopes.isEmpty { try Scopes.check(scopes) }
    } catch {
      throw Failure(.invalidArguments, error.sentence)
    }
    guard let connection = connections().first(where: { app.isEmpty || $0.name == app }) else {
      throw Failure(
        .appNotFound,
        app.isEmpty
          ? Sentence("There is no app to sign in with.")
          : Sentence("There is no app called '{name}'.", ["name": app]))
    }
    let application = application(connection)
    let found = try await find(account, application)
    let request = ProgramRequest(
      program: program, app: connection.name, account: found.id, username: found.username,
      scopes: scopes.isEmpty ? connection.scopes : scopes)
    switch await consent.answer(to: request) {
    case .give: return Admission(application: application, account: found, request: request)
    case .denied:
      throw Failure(
        .denied,
        Sentence("You denied '{program}' access to your accounts.", ["program": program.name]))
    case .allDenied:
      throw Failure(.denied, Sentence("Programs get no tokens of your accounts."))
    case .ask:
      throw Failure(
        .noAnswer,
        Sentence("You have not allowed '{program}' access.", ["program": program.name]))
    }
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
        : Sentence("The account '{name}' is not signed in.", ["name": name]))
  }
}

extension ProgramTokens.Failure {
  init(_ code: Code, _ sentence: Sentence) {
    self.init(code: code, sentence: sentence)
  }

  init(_ error: AuthenticationError) {
    switch error.failureKind {
    case .signIn, .consent, .otherAccount: self.init(.signInRequired, error.sentence)
    default: self.init(.failed, error.sentence)
    }
  }
}
