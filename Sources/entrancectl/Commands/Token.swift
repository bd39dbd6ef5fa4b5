import ArgumentParser
import AuthCore
import FoundationEssentials
import Localization
import Sentences

struct Token: ClientCommand {
  static let configuration = CommandConfiguration(
    abstract: tr("Print an access token."),
    discussion: tr(
      "The token comes from the keyring, or is requested with the refresh token there; you are not"
        + " asked for anything. Anyone who has the token can act as the account until it expires: keep it"
        + " out of logs and the shell history."),
    subcommands: [DecodeToken.self])

  @OptionGroup var common: CommonOptions
  @OptionGroup var choice: AccountOptions
  @OptionGroup var scope: ScopeOptions
  @OptionGroup var input: InputOptions
  @Flag(help: ArgumentHelp(tr("Get a new token even if a valid one is stored.")))
  var forceRefresh = false

  @Option(
    help: ArgumentHelp(
      tr(
        "Print it in this format: raw, json, header (of HTTP), xoauth2 (of mail), or env (for a shell)."
      ),
      valueName: tr("format")),
    completion: .list(TokenFormat.allCases.map(\.rawValue)))
  var format: TokenFormat?

  @Option(
    help: ArgumentHelp(
      tr("Get a new token if the stored one expires sooner than this, such as 5m."),
      valueName: tr("time")))
  var minLifetime: TokenLifetime?

  func validate() throws {
    if common.json, let format, format != .json {
      throw ValidationError.together("--json", "--format")
    }
  }

  func perform() async throws(CommandError) {
    let context = try CommandContext(common, asksPerson: !input.noInput)
    let account = try await context.account(choice.account, for: scope.choice())
    let recipient = Recipient(asksPerson: !input.noInput)
    try await recipient.check(account, scope.scopes, context)
    let result = try await context.token(
      for: account, scope.choice(), forceRefresh: forceRefresh,
      goodFor: minLifetime?.duration ?? .zero)
    let token = try Self.token(of: result)
    let line = common.json ? nil : (format ?? .raw).line(result)
    try Output(isJSON: line == nil).print(
      line.map { [Line(Sentence(verbatim: $0))] } ?? [],
      [
        ("accessToken", .string(token)),
        ("tokenType", .string("Bearer")),
        ("expiresOn", .string(result.expiresOn.formatted(.iso8601))),
        ("scopes", .array(result.scopes.map { .string($0) })),
        ("account", Output.object(result.account.members)),
        ("tenantID", .string(result.tenantID)),
        ("source", .string(result.source.rawValue)),
        ("correlationID", .string(result.correlationID)),
      ])
    await recipient.note(account, scope.scopes, context)
    try context.checkSaved(result)
  }

  /// The access token, which is one line.
  static func token(of result: AuthenticationResult) throws(CommandError) -> String {
    let token = result.accessToken.exposed
    // What RFC 6749 says a token is made of (appendix A.12). Others would be more than one line.
    guard token.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7f }) else {
      throw CommandError(
        "invalidResponse", Sentence("The access token contains invalid characters."),
        nextStep: Sentence("Get a new one: 'entrancectl token --force-refresh'."))
    }
    return token
  }
}
