import ArgumentParser
import AuthCore
import Connections
import FoundationEssentials
import Localization
import Sentences

/// Signs kubectl in, as a credential plugin of client-go.
///
/// The version of the answer is that of the question.
/// https://kubernetes.io/docs/reference/access-authn-authz/authentication/#client-go-credential-plugins
struct CredentialKubectl: TokenCommand {
  static let configuration = CommandConfiguration(
    commandName: "kubectl",
    abstract: tr("Give kubectl a token for Azure Kubernetes Service, or for the scopes named."),
    discussion: tr(
      "kubectl runs this command when a user of its configuration file has it as 'exec'."))

  @OptionGroup var options: TokenOptions

  private static let group = "client.authentication.k8s.io/"

  /// What the service is called whose tokens kubectl gets.
  static let service = "Azure Kubernetes Service"

  func perform() async throws(CommandError) {
    let version = try Self.version(ProcessEnvironment.variable("KUBERNETES_EXEC_INFO"))
    // The tokens for other scopes are for whoever takes those of the app.
    let connection: Connection
    let scopes: [String]
    if options.scope.scopes.isEmpty {
      let app = try AppForHost(.kubernetes, named: Self.service, app: common.connection)
      (connection, scopes) = (app.connection, app.scopes)
    } else {
      connection = try CommandContext.find(common.connection)
      scopes = []
    }
    let context = try CommandContext(connection, common, asksPerson: options.asksPerson)
    let wanted = options.scope.choice(or: scopes)
    try await context.give(wanted, of: options.choice.account) {
      token, result async throws(CommandError) in
      try output.print(
        document: [
          "apiVersion": JSON(version), "kind": "ExecCredential",
          "status": ["expirationTimestamp": JSON(result.expiresOn), "token": JSON(token)],
        ])
    }
  }

  /// The version that kubectl speaks; v1 where it does not say.
  private static func version(_ information: String?) throws(CommandError) -> String {
    guard let information else { return "\(group)v1" }
    guard let json = try? JSON(parsing: Data(information.utf8)),
      let version = json["apiVersion"]?.string, version.hasPrefix(group)
    else {
      throw CommandError(
        usage: Sentence("The variable KUBERNETES_EXEC_INFO is not what kubectl sets."))
    }
    return version
  }
}
