import AuthCore
import FoundationEssentials
import Glibc
import Sentences

/// `connections.json`: the app registrations that the person wrote down.
///
/// ```
/// { "version": 1, "storage": "automatic", "connections": [ {
///     "name": "Contoso",
///     "clientID": "11111111-2222-3333-4444-555555555555",
///     "authority": "https://login.microsoftonline.com/common",
///     "authorityKind": "entra",   // or "externalID", "b2c", "adfs", "oidc"
///     "redirectURI": "msauth.io.github.entrance.entrance://auth",
///     "scopes": ["User.Read"],
///     "api": "https://graph.microsoft.com/v1.0/me",
///     "knownAuthorities": [],
///     "caFile": null,     // PEM of a private CA
///     "cache": null,      // a token cache that other programs use, too
///     "isBrokerRedirectURIRegistered": false
/// } ] }
/// ```
///
/// Only `name` and `clientID` are needed, and `authority` where its kind is another than `entra`. Tokens of
/// `b2c`, `adfs` and `oidc` are for an API of one's own, which `api` has to name; without `scopes` they are
/// asked for the app's own API at `b2c`, and for `email` at the other two. The kind is
/// told from the URL when it is left out; it has to be given for `oidc` and for domains of one's own. The
/// known authorities are of the same kind, and must hold the authority where Microsoft does not vouch for it.
/// Where the redirect URI of identity brokers is registered, too, the broker of this computer signs people in.
/// `//` starts a comment.
///
/// `storage` says where accounts are kept, for all connections: `automatic`, which is the same as leaving it
/// out, or the name of a `StorageKind`.
///
/// A `cache` is `{"preset": "azure-identity"}`, or another of ``TokenCacheLocation/presets``;
/// `{"preset": "msal-extensions", "path": "…"}`, `{"preset": "msal-go", "schema": "…", "path": "…"}` or
/// `{"preset": "azureauth", "tenant": "…"}`; a file, `{"path": "~/…"}`; or an item of the keyring, with the
/// members of ``SharedKeyringItem``. There `attributes`, `label`, `collection` and `ignoresSchema` can be left
/// out.
public enum ConnectionFile {
  /// Reads the file at `path`.
  ///
  /// - Returns: the connections in the order of the file; none when there is no such file.
  /// - Throws: ``ConnectionFileError`` with line and field of the first fault.
  public static func load(_ path: String) throws(ConnectionFileError) -> [Connection] {
    guard let bytes = try contents(of: path) else { return [] }
    return try parse(bytes)
  }

  /// The largest file that is read, in bytes: hundreds of connections, which takes no time.
  public static let maximumSize = 256 << 10

  /// The bytes of the file; nil when there is none.
  private static func contents(of path: String) throws(ConnectionFileError) -> [UInt8]? {
    func fault(_ reason: Sentence) -> ConnectionFileError {
      ConnectionFileError(line: nil, field: nil, reason: reason)
    }
    // Opening a pipe would wait for someone to write to it.
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else {
      if errno == ENOENT { return nil }
      throw fault(Sentence("the file cannot be read"))
    }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw fault(Sentence("the file cannot be read"))
    }
    var failed = false
    // One more than is allowed tells of a file that is too long, also of one that has just grown.
    let bytes = [UInt8](unsafeUninitializedCapacity: maximumSize + 1) { buffer, count in
      while count < buffer.count {
        let length = read(file, buffer.baseAddress.map { $0 + count }, buffer.count - count)
        if length < 0, errno == EINTR { continue }
        failed = length < 0
        guard length > 0 else { return }
        count += length
      }
    }
    guard !failed else { throw fault(Sentence("the file cannot be read")) }
    guard bytes.count <= maximumSize else { throw fault(Sentence("the file is too large")) }
    return bytes
  }

  /// Reads the text of the file.
  ///
  /// - Throws: ``ConnectionFileError`` with line and field of the first fault.
  public static func parse(
    _ text: some Sequence<UInt8>
  ) throws(ConnectionFileError) -> [Connection] {
    let json: JSON
    let lines: [String: Int]
    do throws(JSONError) {
      (json, lines) = try JSON.parseConfiguration(text)
    } catch {
      throw ConnectionFileError(line: error.line, field: nil, reason: error.reason)
    }
    let file = ConnectionFields(json: json, path: "", lines: lines)
    try file.check(["version", "storage", "connections"])
    guard json["version"]?.integer == 1 else {
      throw file.fault("version", Sentence("it must be 1"))
    }
    let storage = try file.storage()
    guard let list = json["connections"]?.array else {
      throw file.fault("connections", Sentence("it must be a list"))
    }
    var connections: [Connection] = []
    var names: Set<String> = []
    for (index, element) in list.enumerated() {
      let fields = ConnectionFields(json: element, path: "connections[\(index)]", lines: lines)
      let connection = try Connection(fields, storage: storage)
      guard names.insert(connection.name).inserted else {
        throw fields.fault("name", Sentence("another connection has the same name"))
      }
      connections.append(connection)
    }
    return connections
  }
}
