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
  let account: Account
  private let context: CommandContext
  private let tokens: Tokens

  init(
    _ common: CommonOptions, _ choice: AccountOptions, _ scope: ScopeOptions
  ) async throws(CommandError) {
    context = try CommandContext(common)
    account = try await context.account(choice.account)
    tokens = Tokens(context: context, account: account, scopes: scope.scopes)
    do throws(GraphError) {
      var client = try context.client.graph().authorized(by: tokens)
      // A program that waits for longer should know: it is told when to come back.
      client.retry.longestPause = .seconds(10)
      self.client = client
    } catch {
      throw CommandError(error)
    }
  }

  /// Does `work` of the client's.
  func translating<Value>(
    _ work: () async throws(GraphError) -> Value
  ) async throws(CommandError) -> Value {
    do throws(GraphError) {
      return try await work()
    } catch {
      // What the sign-in service said is known better there.
      throw error.cause as? CommandError ?? CommandError(error)
    }
  }

  /// Sees whether the tokens that were used could be kept.
  func checkSaved() throws(CommandError) {
    if let result = tokens.last.withLock(\.self) { try context.checkSaved(result) }
  }

  /// Gets tokens without a person.
  private struct Tokens: GraphTokenSource {
    let context: CommandContext
    let account: Account
    let scopes: [String]
    let last = LockedValue<AuthenticationResult?>(nil)

    func authorization(
      for request: HTTPRequest, claims: ClaimsRequest?, forceRefresh: Bool
    ) async throws -> Secret<String> {
      let result = try await context.token(
        for: account, scopes: scopes, claims: claims, forceRefresh: forceRefresh)
      last.withLock { $0 = result }
      return result.authorizationHeader
    }
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
    guard !name.isTransports, !GraphClient.sets(name) else {
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

/// The methods that a person may use.
enum GraphMethod {
  /// The methods of Microsoft Graph.
  static let all: [HTTPRequest.Method] = [.get, .post, .put, .patch, .delete]

  /// The method called `name`; nil when there is none.
  static func named(_ name: String) -> HTTPRequest.Method? {
    all.first { $0.rawValue == name.uppercased() }
  }
}
