import ArgumentParser
import AuthCore
import FoundationEssentials
import Localization
import Sentences

struct Token: EntranceCommand {
  static let configuration = CommandConfiguration(
    abstract: tr("Print an access token."),
    discussion: tr(
      "It comes from the keyring, or is requested with the refresh token there; you are not asked"
        + " for anything. Anyone who has the token can act as the account until it expires: keep it"
        + " out of logs and the shell history."
    ))

  @OptionGroup var common: CommonOptions
  @OptionGroup var choice: AccountOptions
  @OptionGroup var scope: ScopeOptions
  @Flag(help: ArgumentHelp(tr("Get a new token even if a valid one is stored.")))
  var forceRefresh = false

  func perform() async throws(CommandError) {
    let context = try CommandContext(common)
    let account = try await context.account(choice.account)
    let result = try await context.token(
      for: account, scopes: scope.scopes, forceRefresh: forceRefresh)
    let token = result.accessToken.exposed
    // What RFC 6749 says a token is made of (appendix A.12). Others would be more than one line.
    guard token.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7f }) else {
      throw CommandError(
        "invalidResponse", Sentence("The access token contains invalid characters."),
        nextStep: Sentence("Get a new one: 'entrancectl token --force-refresh'."))
    }
    try output.print(
      [Line(Sentence(verbatim: token))],
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
    try context.checkSaved(result)
  }
}
