import ArgumentParser
import AuthCore
import FoundationEssentials
import Localization
import Sentences

struct Token: TokenCommand {
  static let configuration = CommandConfiguration(
    commandName: "token",
    abstract: tr("Print an access token."),
    // That of the parser has "<subcommand>" behind it, as if it had to be there.
    usage: "entrancectl token [<options>]",
    discussion: tr(
      "The token is a stored one, or a new one requested with the stored refresh token. You may be"
        + " asked for a passphrase, or to unlock the keyring. Anyone who has the token can act as"
        + " the account until it expires: keep it out of logs and the shell history."),
    subcommands: [DecodeToken.self])

  @OptionGroup var options: TokenOptions
  @Flag(help: ArgumentHelp(tr("Get a new token even if a valid one is stored.")))
  var forceRefresh = false

  @Option(
    help: ArgumentHelp(
      tr(
        "Print the token in this format: raw, json, header (of HTTP), xoauth2 (of mail), or env"
          + " (for a shell)."
      ),
      valueName: tr("format")),
    completion: .list(TokenFormat.allCases.map(\.rawValue)))
  var format: TokenFormat?

  @OptionGroup var lifetime: LifetimeOptions

  var output: Output { Output(isJSON: common.json || format == .json) }

  func validate() throws {
    if common.json, let format, format != .json {
      throw ValidationError.together("--json", "--format")
    }
  }

  func perform() async throws(CommandError) {
    let context = try CommandContext(common, asksPerson: options.asksPerson)
    try await context.give(
      options.scope.choice(), of: options.choice.account, forceRefresh: forceRefresh,
      goodFor: lifetime.duration
    ) { token, result async throws(CommandError) in
      try output.print(
        (format ?? .raw).line(result).map { [Line(Sentence(verbatim: $0))] } ?? [],
        [
          "accessToken": JSON(token), "tokenType": "Bearer", "expiresOn": JSON(result.expiresOn),
          "scopes": JSON(result.scopes), "account": result.account.json,
          "tenantID": JSON(result.tenantID), "source": JSON(result.source.rawValue),
          "correlationID": JSON(result.correlationID),
        ])
    }
  }
}
