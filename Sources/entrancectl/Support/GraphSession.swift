import ArgumentParser
import AuthCore
import Clients
import Connections
import CurlHTTP
import FoundationEssentials
import HTTPTypes
import MicrosoftGraph
import Sentences

/// A command that calls an API.
protocol SessionCommand: ClientCommand {
  var options: SessionOptions { get }
}

extension SessionCommand {
  var common: CommonOptions { options.common }
}

/// What a command takes that calls an API.
struct SessionOptions: ParsableArguments {
  @OptionGroup var common: CommonOptions
  @OptionGroup var choice: AccountOptions
  @OptionGroup var scope: ScopeOptions
  @OptionGroup var cassette: CassetteOptions
  @OptionGroup var input: InputOptions

  /// A client of the app.
  func context() throws(CommandError) -> CommandContext {
    try CommandContext(common, asksPerson: !input.noInput, recording: cassette.record)
  }
}

/// A client of the connection's API, with the tokens of the account that a command works with.
struct GraphSession {
  let client: GraphClient
  /// Nil without a token.
  let account: Account?
  private let context: CommandContext?
  /// The permissions of the last token.
  private let granted = LockedValue<[String]>([])

  init(_ options: SessionOptions) async throws(CommandError) {
    if let file = options.cassette.replay {
      try await self.init(replaying: file)
      return
    }
    try await self.init(
      options.context(), options.choice.account, options.scope.choice())
  }

  /// A client of the API of a recording.
  private init(replaying file: String) async throws(CommandError) {
    (context, account) = (nil, nil)
    client = try await Self.replay(file)
  }

  /// A client of the app that `context` has opened.
  ///
  /// - Parameter name: the account; nil for the one used for the latest sign-in.
  /// - Throws: also when the program that runs this command may not have what the API returns, and
  ///   when the API may not have a token with these permissions.
  init(
    _ context: CommandContext, _ name: String?, _ scope: ScopeChoice
  ) async throws(CommandError) {
    let api = try await Self.api(of: context)
    guard !api.host.isEmpty else {
      var failure = CommandError(GraphError.noAPI)
      failure.nextStep = Sentence(
        "Enter it as 'api' of the app in {path}.", ["path": EntranceIdentity.connectionsPath])
      throw failure
    }
    let scopes = scope.scopes.isEmpty ? context.connection.scopes : scope.scopes
    guard context.connection.apiMayGetToken(with: scopes) else {
      throw .notSent(to: api.host)
    }
    let account = try await context.account(name, for: scope)
    let access = ProgramAccess(asksPerson: context.prompt.asksPerson)
    let request = access.request(account, scope.scopes, context)
    try await access.check(request)
    let tokens = Tokens(context: context, account: account, choice: scope, granted: granted) {
      await access.note(request)
    }
    var client = api.authorized(by: tokens).withShortPauses
    client.pauses = GraphPauses(app: context.application, account: account)
    self.client = client
    (self.context, self.account) = (context, account)
  }

  /// A client without a token, of any host.
  init(_ context: CommandContext, withoutTokenAt url: String) async throws(CommandError) {
    (self.context, account) = (context, nil)
    client = try await reporting { () async throws(GraphError) in
      try GraphClient(api: url, transport: context.client.exchanges).unauthorized.withShortPauses
    }
  }

  private static func replay(_ file: String) async throws(CommandError) -> GraphClient {
    try Input.check(file, of: "--replay")
    return try await reporting { () async throws(GraphError) -> GraphClient in
      try Cassette.open(file).client.withShortPauses
    }
  }

  /// The client of the API, without a token.
  static func api(of context: CommandContext) async throws(CommandError) -> GraphClient {
    try await reporting(for: context.signIn) { () async throws(GraphError) in
      try context.client.graph()
    }
  }

  /// Does `work` of the client's, for `request` if it is one.
  ///
  /// - Parameter isDownload: whether the content is followed to another address.
  func translating<Value>(
    sending request: GraphRequest? = nil, isDownload: Bool = false,
    _ work: () async throws(GraphError) -> Value
  ) async throws(CommandError) -> Value {
    do throws(GraphError) {
      return try await work()
    } catch {
      // What the sign-in service said is known better there.
      if let cause = error.cause as? CommandError { throw cause }
      var failure = CommandError(error, signIn: context?.signIn ?? SuggestedSignIn())
      if error.code == .unauthorized, account == nil, let context {
        failure.refuseTokenless(
          at: client.host, isAPI: (try? context.client.graph().host) == client.host)
      } else if let hint = request.flatMap({ error.hint(for: $0) }) {
        failure.nextStep = hint
      } else if let advice = request.flatMap({ permissionAdvice(after: error, of: $0) }) {
        failure.nextStep = advice.step
        if advice.isSignIn { failure.exitStatus = .signInRequired }
      } else if request?.method == .get, !isDownload, let status = error.status,
        [301, 302, 307, 308].contains(status)
      {
        failure.nextStep = Sentence(
          "The content is at another address. To download it, add '--output FILE', or '--output -'"
            + " to print it.")
      }
      throw failure
    }
  }

  /// What helps against a refusal for lack of a permission, by Microsoft's table, and whether that is a
  /// sign-in; nil when it is not known.
  private func permissionAdvice(
    after error: GraphError, of request: GraphRequest
  ) -> (step: Sentence, isSignIn: Bool)? {
    guard error.code == .forbidden, error.failureKind == .administrator, client.version != nil,
      let context, let account
    else { return nil }
    let kind: GraphPermissions.AccountKind = account.isPersonal ? .personal : .work
    guard
      let permissions = GraphPermissions.least(for: request.method, request.path, account: kind)
    else {
      let kinds = GraphPermissions.accountKinds(for: request.method, request.path)
      guard !kinds.isEmpty else { return nil }
      return (step: GraphPermissions.refusal(of: kinds), isSignIn: false)
    }
    let missing = permissions.missing(from: granted.withLock(\.self))
    guard !missing.isEmpty else {
      let step = Sentence(
        "The permission is granted, but the account is not allowed to do this. It may need a role or"
          + " a license, or the item belongs to someone else.")
      return (step: step, isSignIn: false)
    }
    let cloud = GraphCloud(of: account)
    let signIn = SuggestedSignIn(app: context.signIn.app, scopes: missing.map(cloud.scope))
    let step = Sentence(
      "Sign in with the permission it needs: '{command}'.", ["command": signIn.text])
    return (step: step, isSignIn: true)
  }

  /// Does all of a command's `work`, and sees whether the recording and new tokens could be kept: also
  /// when the work failed, because what led to an error is what a recording is for.
  func keeping(_ work: () async throws(CommandError) -> Void) async throws(CommandError) {
    do throws(CommandError) {
      try await work()
    } catch {
      _ = saveRecording()
      try? await context?.checkSaved(after: error)
      throw error
    }
    let failure = saveRecording()
    do throws(CommandError) {
      try await context?.checkSaved(after: failure)
    } catch {
      throw failure ?? error
    }
    if let failure { throw failure }
  }

  /// Saves the recording, and says why that fails.
  private func saveRecording() -> CommandError? {
    do throws(GraphError) {
      try context?.cassette?.save()
      return nil
    } catch {
      return Output.reported(CommandError(error))
    }
  }

  /// Gets tokens without a person.
  private struct Tokens: GraphTokenSource {
    let context: CommandContext
    let account: Account
    let choice: ScopeChoice
    let granted: LockedValue<[String]>
    /// Notes what the program got.
    let note: @Sendable () async -> Void
    /// Whether that is noted: once for all requests of a command.
    let isNoted = LockedValue(false)

    func authorization(
      for request: HTTPRequest, claims: ClaimsRequest?, forceRefresh: Bool
    ) async throws -> Secret<String> {
      let result = try await context.token(
        for: account, choice, claims: claims, forceRefresh: forceRefresh)
      granted.withLock { $0 = result.scopes }
      let isFirst = isNoted.withLock { isNoted in
        defer { isNoted = true }
        return !isNoted
      }
      if isFirst { await note() }
      return result.authorizationHeader
    }
  }
}

extension CommandError {
  /// Makes it the error of a request without a token: signing in would not help.
  ///
  /// - Parameter isAPI: whether `host` may get the token.
  fileprivate mutating func refuseTokenless(at host: String, isAPI: Bool) {
    message = Sentence(
      "“{host}” refused the request, which was sent without a token (HTTP 401).", ["host": host])
    nextStep =
      isAPI
      ? Sentence(
        "Add the header field 'Authorization: Bearer {token}' to the request.",
        ["token": "{{$aadV2Token}}"]) : nil
    exitStatus = .failure
  }
}

extension GraphClient {
  /// The client with short pauses: a program that waits for longer should know, and is told when to
  /// come back.
  fileprivate var withShortPauses: GraphClient {
    var client = self
    client.retry.longestPause = .seconds(10)
    client.willPause = { pause, error in
      Output.warn(.waiting(for: pause, after: error))
    }
    return client
  }
}

extension HTTPField.Refusal {
  /// Why a header field cannot be set.
  var reason: Sentence {
    switch self {
    case .notAField(let text):
      Sentence("“{text}” is not a valid header field. Write it as 'Name: value'.", ["text": text])
    case .isSetHere(let name):
      Sentence(
        "The header field “{name}” is set by entrancectl and cannot be given.",
        ["name": "\(name)"])
    case .invalidValue(let name):
      Sentence(
        "The header field “{name}” contains invalid characters.", ["name": "\(name)"])
    }
  }
}

/// The methods that a person may use.
enum GraphMethod {
  /// The methods of Microsoft Graph.
  static let all: [HTTPRequest.Method] = [.get, .post, .put, .patch, .delete]

  /// The method called `name`; nil when there is none.
  static func named(_ name: String) -> HTTPRequest.Method? {
    all.first { $0.rawValue == name.uppercased() }
  }

  /// Why `name` cannot be used.
  static func refusal(_ name: String) -> Sentence {
    Sentence(
      "“{name}” is not a valid method. Use {names}.",
      ["name": name, "names": all.map(\.rawValue).joined(separator: ", ")])
  }
}
