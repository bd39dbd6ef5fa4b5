import AuthCore
import Clients
import CurlHTTP
import FoundationEssentials
import HTTPTypes
import MicrosoftGraph
import Sentences

/// A client of the connection's API, with the tokens of the account that a command works with.
struct GraphSession {
  let client: GraphClient
  /// Nil without a token.
  let account: Account?
  private let context: CommandContext?
  private let tokens: Tokens?

  init(
    _ common: CommonOptions, _ choice: AccountOptions, _ scope: ScopeOptions,
    _ cassette: CassetteOptions
  ) async throws(CommandError) {
    if let file = cassette.replay {
      try self.init(replaying: file)
      return
    }
    let context = try CommandContext(common, recording: cassette.record)
    try await self.init(context, choice, scope)
  }

  /// A client of the API of a recording.
  private init(replaying file: String) throws(CommandError) {
    (context, account, tokens) = (nil, nil, nil)
    client = try Self.replay(file)
  }

  /// A client of the app that `context` has opened.
  init(
    _ context: CommandContext, _ choice: AccountOptions, _ scope: ScopeOptions
  ) async throws(CommandError) {
    let account = try await context.account(choice.account, for: scope.choice())
    let tokens = Tokens(context: context, account: account, choice: scope.choice())
    client = try Self.api(of: context).authorized(by: tokens).withShortPauses
    (self.context, self.account, self.tokens) = (context, account, tokens)
  }

  /// A client without a token, of any host.
  init(_ context: CommandContext, withoutTokenAt url: String) throws(CommandError) {
    (self.context, account, tokens) = (context, nil, nil)
    do throws(GraphError) {
      client = try GraphClient(api: url, transport: context.client.exchanges).unauthorized
        .withShortPauses
    } catch {
      throw CommandError(error)
    }
  }

  private static func replay(_ file: String) throws(CommandError) -> GraphClient {
    do throws(GraphError) {
      let cassette = try Cassette(replaying: file)
      guard let url = cassette.requests.first?.url else {
        throw GraphError(
          .fileFailure, Sentence("The recording '{path}' has no requests.", ["path": file]))
      }
      let client = try GraphClient(api: url, transport: cassette)
      return client.authorized(by: AnyToken()).withShortPauses
    } catch {
      throw CommandError(error)
    }
  }

  /// The client of the API, without a token.
  static func api(of context: CommandContext) throws(CommandError) -> GraphClient {
    do throws(GraphError) {
      return try context.client.graph()
    } catch {
      throw CommandError(error)
    }
  }

  /// Does `work` of the client's, for `request` if it is one.
  func translating<Value>(
    sending request: GraphRequest? = nil, _ work: () async throws(GraphError) -> Value
  ) async throws(CommandError) -> Value {
    do throws(GraphError) {
      return try await work()
    } catch {
      // What led to an error is what a recording is for.
      try? context?.cassette?.save()
      // What the sign-in service said is known better there.
      if let cause = error.cause as? CommandError { throw cause }
      var failure = CommandError(error, signIn: context?.signIn ?? SignInCommand())
      if let hint = request.flatMap({ error.hint(for: $0) }) { failure.nextStep = hint }
      throw failure
    }
  }

  /// Sees whether the tokens that were used, and the recording, could be kept; the result was
  /// printed.
  func checkSaved() throws(CommandError) {
    do throws(GraphError) {
      try context?.cassette?.save()
    } catch {
      throw Output.reported(CommandError(error))
    }
    if let result = tokens?.last.withLock(\.self) { try context?.checkSaved(result) }
  }

  /// The token for a recording, which takes any, also after one was rejected.
  private struct AnyToken: GraphTokenSource {
    func authorization(
      for request: HTTPRequest, claims: ClaimsRequest?, forceRefresh: Bool
    ) async throws -> Secret<String> {
      Secret("Bearer replay")
    }
  }

  /// Gets tokens without a person.
  private struct Tokens: GraphTokenSource {
    let context: CommandContext
    let account: Account
    let choice: ScopeChoice
    let last = LockedValue<AuthenticationResult?>(nil)

    func authorization(
      for request: HTTPRequest, claims: ClaimsRequest?, forceRefresh: Bool
    ) async throws -> Secret<String> {
      let result = try await context.token(
        for: account, choice, claims: claims, forceRefresh: forceRefresh)
      last.withLock { $0 = result }
      return result.authorizationHeader
    }
  }
}

extension GraphClient {
  /// The client with short pauses: a program that waits for longer should know, and is told when to
  /// come back.
  fileprivate var withShortPauses: GraphClient {
    var client = self
    client.retry.longestPause = .seconds(10)
    return client
  }
}

extension HTTPField {
  /// Creates a header field that a person may set.
  ///
  /// - Parameter text: the field as it is written, `Name: value`.
  /// - Returns: the field, or why it cannot be set.
  static func given(_ text: String) -> Result<HTTPField, Refusal> {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, let name = HTTPField.Name(String(parts[0])) else {
      return .failure(
        Refusal(
          Sentence(
            "'{text}' is not a valid header field. Write it as 'Name: value'.", ["text": text])))
    }
    guard !name.isSetHere else {
      return .failure(
        Refusal(
          Sentence(
            "The header field '{name}' is set by entrancectl and cannot be given.",
            ["name": "\(name)"])))
    }
    let value = String(parts[1].drop { $0 == " " })
    guard HTTPField.isValidValue(value) else {
      return .failure(
        Refusal(
          Sentence(
            "The header field '{name}' contains invalid characters.", ["name": "\(name)"])))
    }
    return .success(HTTPField(name: name, value: value))
  }

  /// Why a header field cannot be set.
  struct Refusal: Error {
    let reason: Sentence
    init(_ reason: Sentence) { self.reason = reason }
  }
}

extension HTTPField.Name {
  /// Whether the program or HTTP sets the field itself.
  var isSetHere: Bool { isTransports || GraphClient.sets(self) }
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
      "'{name}' is not a valid method. Use {names}.",
      ["name": name, "names": all.map(\.rawValue).joined(separator: ", ")])
  }
}
