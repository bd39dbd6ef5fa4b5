import ArgumentParser
import AuthCore
import Clients
import FoundationEssentials
import Localization
import Sentences

/// Signs docker and podman in, as a credential helper.
///
/// https://github.com/docker/docker-credential-helpers#development
struct CredentialDocker: TokenCommand {
  static let configuration = CommandConfiguration(
    commandName: "docker",
    abstract: tr("Give docker and podman a token for Azure Container Registry."),
    discussion: tr(
      "They run this command when it is set up as a credential helper: in ~/.docker/config.json,"
        + " 'credHelpers' has the registry with the value 'entrance'. Other registries are used"
        + " without signing in."))

  @OptionGroup var options: TokenOptions

  @Argument(
    help: ArgumentHelp(
      tr("What docker asks for: get, store, erase, or list."), valueName: tr("operation")),
    completion: .list(["get", "store", "erase", "list"]))
  var operation: Operation

  /// What docker asks for.
  ///
  /// Nothing is kept for it, so that there is nothing to erase, nor to store for a registry whose
  /// token is made anew each time.
  enum Operation: String, ExpressibleByArgument {
    case get, store, erase, list
  }

  /// The words by which a helper says that it has nothing, so that docker goes on without it.
  private static let nothing = "credentials not found in native keychain\n"

  func perform() async throws(CommandError) {
    switch operation {
    case .list: try output.print(raw: "{}\n".utf8)
    case .store: try store()
    case .erase: _ = try Input.read("-", of: "-")
    case .get: try await get()
    }
  }

  /// What to do about registries that are not served.
  static let advice = Sentence(
    "Set Entrance up for registries of Azure only, with 'credHelpers' instead of 'credsStore'; 'man"
      + " entrancectl' shows how.")

  /// - Throws: for a registry that is not served: docker would say that the login succeeded.
  private func store() throws(CommandError) {
    let bytes = try Input.read("-", of: "-")
    let address = (try? JSON(parsing: bytes))?["ServerURL"]?.string
    let registry = address.flatMap { ContainerRegistry($0) }
    guard try registry?.app(named: common.connection) == nil else { return }
    throw CommandError(
      "notStored", Sentence("Entrance keeps no passwords of registries."), nextStep: Self.advice)
  }

  private func get() async throws(CommandError) {
    let bytes = try Input.read("-", of: "-")
    let address = String(decoding: bytes, as: UTF8.self).split(separator: "\n").first.map(
      String.init)
    guard let address, let registry = ContainerRegistry(address),
      let app = try registry.app(named: common.connection)
    else {
      try output.print(raw: Self.nothing.utf8)
      throw CommandError("noCredentials", Sentence(verbatim: Self.nothing), isReported: true)
    }
    let context = try CommandContext(app.connection, common, asksPerson: options.asksPerson)
    let wanted = options.scope.choice(or: app.scopes)
    try app.check(wanted)
    try await context.give(wanted, of: options.choice.account) {
      token, result async throws(CommandError) in
      let own = try await registry.refreshToken(
        for: Secret(token), tenant: result.tenantID, context.client.transport,
        signIn: context.signIn)
      // This user name says that the secret is a token of the registry.
      try output.print(
        document: [
          "ServerURL": JSON(address), "Username": "<token>", "Secret": JSON(own.exposed),
        ])
    }
  }
}
