import ArgumentParser
import AuthCore
import Clients
import Connections
import FoundationEssentials
import Localization
import Sentences

/// Helps git, as gitcredentials(7) and git-credential(1) say.
struct CredentialGit: TokenCommand {
  static let configuration = CommandConfiguration(
    commandName: "git", abstract: tr("Give Git a token for Azure Repos, or for the app’s own API."),
    discussion: tr(
      "Git runs this command when it is set up as a credential helper: 'git config --global"
        + " credential.helper entrance'. Other hosts get no answer, so that Git asks the next"
        + " helper."))

  @OptionGroup var options: TokenOptions

  @Argument(
    help: ArgumentHelp(
      tr("What Git asks for: get, store, or erase."), valueName: tr("operation")),
    completion: .list(["get", "store", "erase"]))
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
    guard request.protocol == "https", let host = request.host else { return }
    let found: AppForHost?
    do throws(CommandError) {
      found = try Self.app(for: host, named: common.connection)
    } catch {
      // Git showed why when it asked for a token.
      guard operation == .get else { return }
      throw error
    }
    guard let app = found else { return }
    let context = try CommandContext(app.connection, common, asksPerson: options.asksPerson)
    let wanted = options.scope.choice(or: app.scopes)
    try app.check(wanted)
    let name = options.choice.account ?? request.account
    guard operation == .get else {
      return try await erase(request, app, of: name, wanted, context)
    }
    let organization = AzureReposOrganization(of: request)
    try await context.give(
      wanted, of: name,
      in: { await organization?.authority(for: app.connection, context.client.transport) }
    ) { token, result async throws(CommandError) in
      try output.print(raw: request.answer(token, result).utf8)
    }
  }

  /// The app whose tokens the host of a repository takes; nil for a host that must not get one.
  ///
  /// - Throws: when no app gets tokens for Azure Repos.
  private static func app(
    for host: String, named name: String?
  ) throws(CommandError) -> AppForHost? {
    guard AzureReposOrganization.hasHost(host) else { return try AppForHost(host, app: name) }
    return try AppForHost(.repos, named: host, app: name)
  }

  /// Gets another token in place of the one that a server refused although it has not expired.
  private func erase(
    _ request: GitCredential, _ app: AppForHost, of name: String?, _ wanted: ScopeChoice,
    _ context: CommandContext
  ) async throws(CommandError) {
    let account = try await context.account(name, for: wanted)
    let access = ProgramAccess(asksPerson: options.asksPerson)
    try await access.check(access.request(account, wanted.scopes, context))
    let organization = AzureReposOrganization(of: request)
    let authority = await organization?.authority(for: app.connection, context.client.transport)
    let result = try await context.token(for: account, wanted, in: authority)
    if request.secret?.exposed == result.accessToken.exposed {
      organization?.forgetTenant()
      _ = try await context.token(for: account, wanted, in: authority, forceRefresh: true)
    }
    try await context.checkSaved()
  }
}
