import AuthCore
import Connections
import CurlHTTP
import FoundationEssentials
import Sentences

extension CommandContext {
  /// A token for `account`, without a person.
  func token(
    for account: Account, _ choice: ScopeChoice, claims: ClaimsRequest? = nil,
    in authority: Authority? = nil, forceRefresh: Bool = false
  ) async throws(CommandError) -> AuthenticationResult {
    var parameters = SilentTokenParameters(
      scopes: choice.scopes.isEmpty ? connection.scopes : choice.scopes, account: account)
    parameters.claims = claims
    parameters.authority = authority
    parameters.forceRefresh = forceRefresh
    do throws(AuthenticationError) {
      return try await application.acquireTokenSilent(parameters)
    } catch {
      // A response that is refused can have had a new refresh token.
      await reportUnsaved()
      throw CommandError(error, requesting: choice, signIn: signIn(with: choice))
    }
  }

  /// A token for `account` that is good for at least `lifetime`, as far as the service gives such.
  func token(
    for account: Account, _ choice: ScopeChoice, claims: ClaimsRequest? = nil,
    in authority: Authority? = nil, forceRefresh: Bool = false, goodFor lifetime: Duration
  ) async throws(CommandError) -> AuthenticationResult {
    let result = try await token(
      for: account, choice, claims: claims, in: authority, forceRefresh: forceRefresh)
    let rest = result.expiresOn.timeIntervalSinceNow
    guard result.source == .cache, rest < Double(lifetime.components.seconds) else { return result }
    return try await token(for: account, choice, in: authority, forceRefresh: true)
  }

  /// Gives the program that runs this command a token of an account, without a person.
  ///
  /// - Parameters:
  ///   - name: the account; nil for the one used for the latest sign-in.
  ///   - claims: what a service has asked for in addition.
  ///   - authority: who signs the account in, where that is not the app's own.
  ///   - hand: gives the token to the program.
  /// - Throws: also when the program has the token, and what is to be kept of it could not be.
  func give(
    _ choice: ScopeChoice, of name: String?, claims: ClaimsRequest? = nil,
    in authority: () async -> Authority? = { nil }, forceRefresh: Bool = false,
    goodFor lifetime: Duration = .zero,
    _ hand: (_ token: String, AuthenticationResult) async throws(CommandError) -> Void
  ) async throws(CommandError) {
    let account = try await account(name, for: choice)
    let access = ProgramAccess(asksPerson: prompt.asksPerson)
    let request = access.request(account, choice.scopes, self)
    try await access.check(request)
    let result = try await token(
      for: account, choice, claims: claims, in: await authority(), forceRefresh: forceRefresh,
      goodFor: lifetime)
    do throws(CommandError) {
      try await hand(token(of: result, choice), result)
    } catch {
      try? await checkSaved(after: error)
      throw error
    }
    await access.note(request)
    try await checkSaved()
  }

  /// Sees whether all new tokens could be kept, also those that were renewed in the background.
  ///
  /// Closes standard output before it waits, unless an error is yet to be printed there.
  ///
  /// - Parameter error: why the command fails otherwise.
  /// - Throws: when they could not: what was printed is good, and the next command may find no one
  ///   signed in.
  func checkSaved(after error: CommandError? = nil) async throws(CommandError) {
    var failure: CommandError?
    if error?.isReported ?? true {
      do throws(CommandError) {
        try Output.close()
      } catch {
        failure = error
      }
    }
    await PendingTokenRequests.finish()
    let unsaved = await reportUnsaved()
    if let failure = failure ?? unsaved { throw failure }
  }

  /// Says that new tokens could not be kept, if so, and once.
  ///
  /// - Returns: the error; nil when all are kept.
  @discardableResult
  func reportUnsaved() async -> CommandError? {
    guard application.hasUnsavedTokens, let failure = await application.storageFailure else {
      return nil
    }
    var unsaved = CommandError(failure, signIn: signIn)
    unsaved.message = Sentence([Sentence("The new tokens could not be saved."), unsaved.message])
    unsaved.isReported = reported.withLock { !$0.insert("\(unsaved.message)").inserted }
    return Output.reported(unsaved)
  }

  /// The access token, which is one line.
  ///
  /// - Parameter choice: what was asked for.
  func token(
    of result: AuthenticationResult, _ choice: ScopeChoice
  ) throws(CommandError) -> String {
    let token = result.accessToken.exposed
    // What RFC 6749 says a token is made of (appendix A.12). Others would be more than one line.
    guard token.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7f }) else {
      let options =
        [(name: "--account", value: result.account.id)]
        + choice.scopes.map { (name: "--scope", value: $0) }
      throw CommandError(
        "invalidResponse", Sentence("The access token contains invalid characters."),
        nextStep: Sentence(
          "Get a new one: '{command}'.",
          ["command": signIn.other("token --force-refresh", options)]))
    }
    return token
  }
}
