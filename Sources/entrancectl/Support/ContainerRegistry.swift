import AuthCore
import Connections
import CurlHTTP
import FoundationEssentials
import HTTPTypes
import Sentences

/// A registry of container images that takes an app's tokens.
///
/// Azure Container Registry gives a refresh token of its own for a token of the account:
/// https://github.com/Azure/acr/blob/main/docs/AAD-OAuth.md
struct ContainerRegistry {
  /// The host, and its port if that is not 443.
  let host: String

  /// The domains of Azure's registries, each with the first sign-in host of its cloud.
  private static let domains: [(name: String, cloud: String)] = [
    (".azurecr.io", "login.microsoftonline.com"),
    (".azurecr.cn", "login.partner.microsoftonline.cn"),
    (".azurecr.us", "login.microsoftonline.us"),
  ]

  /// Reads the address that docker writes, with or without scheme and path; nil when it has no host
  /// that can be asked.
  init?(_ address: String) {
    var rest = address[...]
    for scheme in ["https://", "http://"] where rest.lowercased().hasPrefix(scheme) {
      guard scheme == "https://" else { return nil }
      rest = rest.dropFirst(scheme.count)
    }
    let host = rest.prefix { $0 != "/" }.lowercased()
    guard !host.isEmpty,
      host.utf8.allSatisfy({ $0.isAlphanumeric || "-.:".utf8.contains($0) })
    else { return nil }
    self.host = host
  }

  /// The app whose tokens the registry takes; nil for a registry that must not get one.
  ///
  /// - Throws: when no app gets tokens for a registry of Azure's.
  func app(named name: String?) throws(CommandError) -> AppForHost? {
    guard let domain = Self.domains.first(where: { host.isHost(below: $0.name) }) else {
      return try AppForHost(host, app: name)
    }
    return try AppForHost(.registry(in: domain.cloud), named: host, app: name)
  }

  /// Azure Container Registry in each cloud, the worldwide one first.
  static var services: [AzureService] { domains.map { .registry(in: $0.cloud) } }

  /// The registry's own token for `token`, which is one of a tenant.
  ///
  /// - Parameter signIn: the command that signs someone in to the app that is used.
  func refreshToken(
    for token: Secret<String>, tenant: String, _ transport: any HTTPTransport,
    signIn: SuggestedSignIn
  ) async throws(CommandError) -> Secret<String> {
    var request = HTTPRequest(
      method: .post, scheme: "https", authority: host, path: "/oauth2/exchange")
    request.headerFields[.contentType] = "application/x-www-form-urlencoded"
    request.headerFields[.accept] = "application/json"
    let body = FormEncoding.body([
      ("grant_type", "access_token"), ("service", host), ("tenant", tenant),
      ("access_token", token.exposed),
    ])
    let reply: HTTPReply
    do throws(HTTPError) {
      reply = try await transport.execute(
        request, body: Data(body.utf8), limits: HTTPLimits(bodySize: 64 << 10))
    } catch {
      throw CommandError(
        "networkUnavailable", error.sentence,
        nextStep: CommandError.findingCause(signIn), exitStatus: .tryLater)
    }
    let json = try? JSON(parsing: reply.body)
    guard reply.response.status.code == 200, let answer = json?["refresh_token"]?.string,
      !answer.isEmpty
    else { throw Self.refusal(by: host, reply, json) }
    return Secret(answer)
  }

  private static func refusal(
    by host: String, _ reply: HTTPReply, _ json: JSON?
  ) -> CommandError {
    let status = reply.response.status.code
    var error = CommandError(
      "refused", Sentence("The registry {host} did not accept the account.", ["host": host]),
      nextStep: Sentence(
        "Ask for the role AcrPull or AcrPush, or use another account with --account."))
    if status == 429 || status >= 500 {
      error = CommandError(
        "serverUnavailable",
        Sentence("The registry {host} is not available at the moment.", ["host": host]),
        nextStep: Sentence("Wait a while and try again."), exitStatus: .tryLater)
    }
    error.add("httpStatus", status)
    error.add("error", json?["errors"]?.array?.first?["code"]?.string?.plain)
    return error
  }
}
