import AuthCore
import FoundationEssentials
import Sentences

/// What git asks a credential helper: the attributes of git-credential(1).
struct GitCredential {
  private var attributes: [String: String] = [:]
  /// Whether git takes `authtype` (2.46 and later).
  private var takesType = false
  /// The token that git has, and asks to erase.
  let secret: Secret<String>?

  /// Reads a request: a line `name=value` for each attribute, up to an empty line.
  ///
  /// - Throws: when a line is something else. A carriage return would end a line for some programs
  ///   and not for others, which has led credentials to other hosts (CVE-2024-50338).
  init(_ bytes: Data) throws(CommandError) {
    guard let text = String(validating: bytes, as: UTF8.self),
      !text.utf8.contains(where: { $0 == 0 || $0 == 0x0d })
    else { throw Self.unreadable }
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.isEmpty { break }
      guard let mark = line.firstIndex(of: "=") else { throw Self.unreadable }
      let (name, value) = (String(line[..<mark]), String(line[line.index(after: mark)...]))
      if name == "capability[]" { takesType = takesType || value == "authtype" }
      attributes[name] = value
    }
    secret = (attributes["credential"] ?? attributes["password"]).map { Secret($0) }
  }

  private static let unreadable = CommandError(
    usage: Sentence("Standard input is not what Git writes to a credential helper."))

  var `protocol`: String? { attributes["protocol"] }
  /// The host, with its port if it has one.
  var host: String? { attributes["host"]?.lowercased() }
  /// The path, if `credential.useHttpPath` is set.
  var path: String? { attributes["path"] }
  var username: String? { attributes["username"] }

  /// The account that the user name names; nil when it is something else, such as an organization.
  var account: String? { username.flatMap { $0.contains("@") ? $0 : nil } }

  /// The answer with a token.
  func answer(_ token: String, _ result: AuthenticationResult) -> String {
    let expiry = "password_expiry_utc=\(Int(result.expiresOn.timeIntervalSince1970))"
    let lines =
      takesType
      ? ["capability[]=authtype", "authtype=Bearer", "credential=\(token)", "ephemeral=1", expiry]
      // The server ignores the name, and git needs one.
      : ["username=\(username ?? "entrance")", "password=\(token)", expiry]
    return lines.map { $0 + "\n" }.joined()
  }
}
