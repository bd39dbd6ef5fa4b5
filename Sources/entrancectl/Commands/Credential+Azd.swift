import ArgumentParser
import AuthCore
import Connections
import FoundationEssentials
import Localization
import Sentences

/// Gives Azure's libraries a token in place of the Azure Developer CLI.
///
/// azure-identity's AzureDeveloperCliCredential runs, in each language, one of
///
///     azd auth token --output json --no-prompt --scope S… [--tenant-id T] [--claims C]
///     azd auth token -o json --no-prompt --scope S… [--tenant-id T] [--claims C]
///
/// without standard input and for 10 to 13 seconds at most; older ones without `--no-prompt`. It
/// takes `expiresOn` in UTC and without fractions of a second. When the command fails, it shows
/// what is on standard error, unless that contains azd's own advice to sign in ("azd auth login"):
/// then it shows only that, which would not help. So our advice has other words.
struct CredentialAzd: TokenCommand {
  static let configuration = CommandConfiguration(
    commandName: "azd",
    abstract: tr("Give Azure’s libraries a token as the Azure Developer CLI does."),
    discussion: tr(
      "Their credential AzureDeveloperCliCredential runs 'azd auth token', and azd can be a link to"
        + " this program. What 'entrancectl run' runs finds one, unless there is another azd, and"
        + " gets tokens for the scopes that are allowed there."))

  @OptionGroup var options: TokenOptions
  @OptionGroup var lifetime: LifetimeOptions

  @Option(
    name: [.customShort("o"), .customLong("output")],
    help: ArgumentHelp(
      tr("Print the token in this format, which can only be json."), valueName: tr("format")),
    completion: .list(["json"]))
  var format: Format?

  @Flag(help: ArgumentHelp(tr("Never ask anything, like --no-input.")))
  var noPrompt = false

  @Option(
    help: ArgumentHelp(
      tr("Get the token in this tenant, by its ID or domain."), valueName: tr("tenant")))
  var tenantID: String?

  @Option(
    help: ArgumentHelp(
      tr("Request these claims, as a service asks for them: JSON in Base64."),
      valueName: tr("claims")))
  var claims: String?

  @Argument(
    help: ArgumentHelp(
      tr("What the libraries ask for: auth token."), valueName: tr("operation")))
  var operation: [String] = []

  /// How the token is printed.
  enum Format: String, ExpressibleByArgument {
    case json

    /// None for the parser, as of ``TokenFormat``.
    static let allValueStrings: [String] = []
  }

  func validate() throws {
    guard operation.isEmpty || operation == ["auth", "token"] else {
      throw ValidationError(
        Sentence("In place of the Azure Developer CLI, there is only 'azd auth token'."))
    }
  }

  func perform() async throws(CommandError) {
    let tokenRequest = try ProgramTokenRequest(
      scopes: options.scope.scopes, tenant: tenantID, claims: claims)
    if common.connection == nil, options.choice.account == nil,
      let token = try await ManagedIdentity.answer(to: parameters)
    {
      return try answer(token.token, token.expiresOn)
    }
    let context = try CommandContext(
      Self.app(common.connection), common, asksPerson: options.asksPerson && !noPrompt)
    let authority = try tokenRequest.authority(of: context.connection.application.authority)
    try await context.give(
      options.scope.choice(), of: options.choice.account, claims: tokenRequest.claims,
      in: { authority }, goodFor: lifetime.duration
    ) { token, result async throws(CommandError) in
      try answer(token, result.expiresOn)
    }
  }

  /// The app called `name`; without a name, the first that signs in with Microsoft Entra ID, whose
  /// tokens the libraries ask for, or else the first.
  private static func app(_ name: String?) throws(CommandError) -> Connection {
    let first = try CommandContext.find(name)
    guard name == nil else { return first }
    let all = try CommandContext.all()
    return all.first { $0.application.authority.kind == .entra } ?? first
  }

  /// The parameters of the request to `entrancectl run`, if that runs this program.
  private var parameters: [FormEncoding.Parameter] {
    var parameters: [FormEncoding.Parameter] = []
    for scope in options.scope.scopes { parameters.append((name: "scope", value: scope)) }
    if let tenantID { parameters.append((name: "tenant", value: tenantID)) }
    if let claims { parameters.append((name: "claims", value: claims)) }
    return parameters
  }

  private func answer(_ token: String, _ expiresOn: Date) throws(CommandError) {
    try output.print(document: ["token": JSON(token), "expiresOn": JSON(expiresOn)])
  }
}
