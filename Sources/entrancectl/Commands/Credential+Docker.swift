import ArgumentParser
import AuthCore
import Clients
import FoundationEssentials
import Localization
import Sentences

/// Signs docker and podman in, as a credential helper.
///
/// https://github.com/docker/docker-credential-helpers#development
struct CredentialDocker: ClientCommand {
  static let configuration = CommandConfiguration(
    commandName: "docker",
    abstract: tr("Give docker and podman a token for Azure Container Registry."),
    discussion: tr(
      "They run this command when it is set up as a credential helper: in ~/.docker/config.json,"
        + " 'credHelpers' has the registry with the value 'entrance'. Other registries are used"
        + " without signing in."))

  @OptionGroup var common: CommonOptions
  @OptionGroup var choice: AccountOptions
  @OptionGroup var scope: ScopeOptions
  @OptionGroup var input: InputOptions

  @Argument(
    help: ArgumentHelp(
      tr("What docker asks for: get, store, erase or list."), valueName: tr("operation")))
  var operation: Operation

  /// What docker asks for.
  ///
  /// Nothing is kept for it, so that there is nothing to store or to erase.
  enum Operation: String, ExpressibleByArgument {
    case get, store, erase, list
  }

  /// The words by which a helper says that it has nothing, so that docker goes on without it.
  private static let nothing = "credentials not found in native keychain\n"

  func perform() async throws(CommandError) {
    switch operation {
    case .list: try output.print(raw: "{}\n".utf8)
    case .store, .erase: _ = try Input.read("-", of: "-")
    case .get: try await get()
    }
  }

  private func get() async throws(CommandError) {
    let bytes = try Input.read("-", of: "-")
    let address = String(decoding: bytes, as: UTF8.self).split(separator: "\n").first.map(
      String.init)
    guard let address, let registry = ContainerRegistry(address),
      let app = try registry.app(named: common.connection)
    else {
      try output.print(raw: Self.nothing.utf8)
      var error = CommandError("noCredentials", Sentence(verbatim: Self.nothing))
      error.isReported = true
      throw error
    }
    let context = try CommandContext(app.connection, common, asksPerson: !input.noInput)
    let wanted = scope.choice(or: app.scopes)
    let account = try await context.account(choice.account, for: wanted)
    let recipient = Recipient(asksPerson: !input.noInput)
    try await recipient.check(account, wanted.scopes, context)
    let result = try await context.token(for: account, wanted)
    let token = try await registry.refreshToken(
      for: Secret(try Token.token(of: result)), tenant: result.tenantID, context.client.transport)
    // This user name says that the secret is a token of the registry.
    try Output(isJSON: true).print(
      [],
      [
        ("ServerURL", .string(address)), ("Username", .string("<token>")),
        ("Secret", .string(token.exposed)),
      ])
    await recipient.note(account, wanted.scopes, context)
    try context.checkSaved(result)
  }
}
