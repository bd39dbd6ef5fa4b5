import ArgumentParser
import AuthCore
import Clients
import Connections
import FoundationEssentials
import Localization
import Sentences

/// Helps git, as gitcredentials(7) and git-credential(1) say.
struct CredentialGit: ClientCommand {
  static let configuration = CommandConfiguration(
    commandName: "git", abstract: tr("Give git a token for Azure Repos, or for the app's own API."),
    discussion: tr(
      "Git runs this command when it is set up as a credential helper: 'git config --global"
        + " credential.helper entrance'. Other hosts get no answer, so that git asks the next"
        + " helper."))

  @OptionGroup var common: CommonOptions
  @OptionGroup var choice: AccountOptions
  @OptionGroup var scope: ScopeOptions
  @OptionGroup var input: InputOptions

  @Argument(
    help: ArgumentHelp(
      tr("What git asks for: get, store or erase."), valueName: tr("operation")))
  var operation: Operation

  /// What git asks for.
  ///
  /// Others, of later versions, are to be ignored.
  enum Operation: ExpressibleByArgument {
    case get, erase, other

    init(argument: String) {
      self = argument == "get" ? .get : argument == "erase" ? .erase : .other
    }
  }

  func perform() async throws(CommandError) {
    guard operation != .other else { return }
    let request = try GitCredential(try Input.read("-", of: "-"))
    guard request.protocol == "https", let host = request.host,
      let target = try GitHost(host, request, app: common.connection)
    else { return }
    let context = try CommandContext(target.connection, common, asksPerson: !input.noInput)
    let wanted = scope.choice(or: target.scopes)
    let account = try await context.account(choice.account ?? request.account, for: wanted)
    let recipient = Recipient(asksPerson: !input.noInput)
    try await recipient.check(account, wanted.scopes, context)
    let authority = await target.authority(context.client.transport)
    let result = try await context.token(for: account, wanted, in: authority)
    let token = try Token.token(of: result)
    switch operation {
    case .get:
      try output.print(raw: request.answer(token, result).utf8)
      await recipient.note(account, wanted.scopes, context)
    case .erase where request.secret?.exposed == token:
      // The server refused it although it has not expired.
      target.forgetTenant()
      _ = try await context.token(for: account, wanted, in: authority, forceRefresh: true)
    case .erase, .other: break
    }
    try context.checkSaved(result)
  }
}
