package import AuthCore
import CurlHTTP
import FoundationEssentials
import Glibc
import Sentences

/// `apps.json`: the apps that the user configured.
///
/// ```
/// { "version": 1, "storage": "automatic", "apps": [ {
///     "name": "Contoso",
///     "clientID": "11111111-2222-3333-4444-555555555555",
///     "authority": "https://login.microsoftonline.com/common",
///     "cache": null      // a token cache that other programs use, too
/// } ] }
/// ```
///
/// The fields of a connection are those of ``ConnectionFields``. Required are `name` and `clientID`,
/// and `authority` unless the kind is `entra`. Tokens of `b2c`, `adfs` and `oidc` are for your own
/// API, which `api` must name; in Microsoft's clouds, `api` must be at a service of Microsoft's if
/// the permissions are for one. Without `scopes`, `b2c` requests the app's own API, and the other
/// two `email`. Without `authorityKind`, the kind is derived from the URL; it is required for `oidc`
/// and for custom domains. The known authorities are of the same kind, and must include the
/// authority when Microsoft does not list its host. When the brokers' redirect URI is registered
/// too, the identity broker of this computer signs people in. `//` starts a comment.
///
/// `storage` sets where the accounts of all connections are kept: `automatic`, the default, or the
/// name of a `StorageKind`.
///
/// A `cache` is one of:
///
/// - `{"preset": "azure-identity"}`, or another of `TokenCacheLocation.presets`
/// - `{"preset": "msal-extensions", "path": "…"}`
/// - `{"preset": "msal-go", "schema": "…", "path": "…"}`
/// - `{"preset": "azureauth", "tenant": "…"}`
/// - a file: `{"path": "~/…"}`
/// - a keyring item: the members of `SharedKeyringItem`, of which `attributes`, `label`,
///   `collection` and `ignoresSchema` are optional.
public enum ConnectionFile {
  /// Reads the file at `path`.
  ///
  /// - Returns: the connections in the order of the file; none when the file does not exist.
  /// - Throws: ``ConnectionFileError`` with line and field of the first error.
  public static func load(_ path: String) throws(ConnectionFileError) -> [Connection] {
    guard let bytes = try contents(of: path) else { return [] }
    return try parse(bytes)
  }

  /// Whether the file at `path` may be changed: not one of another user, and not one that its owner
  /// may not write.
  public static func isEditable(_ path: String) -> Bool {
    var status = stat()
    guard stat(path, &status) == 0 else { return true }
    return status.st_uid == geteuid() && status.st_mode & S_IWUSR != 0
  }

  /// Whether the file at `path` is another user's: an administrator has set it.
  package static func isOfAdministrator(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_uid != geteuid()
  }

  /// Reads the file at `path` as a document, and changes nothing.
  ///
  /// - Returns: a document without connections when the file does not exist.
  /// - Throws: ``ConnectionFileError`` with line and field of the first error.
  public static func document(_ path: String) throws(ConnectionFileError) -> ConnectionDocument {
    guard let bytes = try contents(of: path) else { return ConnectionDocument() }
    return try ConnectionDocument(bytes)
  }

  /// Changes the file at `path`, which is made where it is missing.
  ///
  /// Comments and all that is not changed stay, also what another program changes at the same time.
  /// The file is replaced as a whole, at the end of a link when it is one; it is not written when
  /// `change` throws or changes nothing.
  /// - Returns: what `change` returns.
  /// - Throws: ``ConnectionFileError`` when the file has a fault, would have one, may not be changed, or
  ///   cannot be written.
  public static func change<Outcome>(
    _ path: String,
    _ change: (inout ConnectionDocument) throws(ConnectionFileError) -> Outcome
  ) throws(ConnectionFileError) -> Outcome {
    try rewrite(path) { (before: [UInt8]?) throws(ConnectionFileError) -> ([UInt8], Outcome) in
      var document = ConnectionDocument()
      if let before { document = try ConnectionDocument(before) }
      let outcome = try change(&document)
      return (document.bytes, outcome)
    }
  }

  /// The entry of the file at `path` that has the file's fault; nil when there is no fault, or the
  /// form of an app does not show what is wrong.
  package static func fault(in path: String) -> FaultyConnection? {
    (try? contents(of: path)).flatMap(FaultyConnection.init)
  }

  /// Changes the entry with the fault of the file at `path` to `draft`.
  ///
  /// - Parameter storage: where the accounts of all connections are kept; nil for where it fits.
  /// - Throws: ``ConnectionFileError`` when a field of the entry does not fit, or the file may not
  ///   be changed or cannot be written.
  package static func correct(
    _ fault: FaultyConnection, in path: String, by draft: ConnectionDraft, storage: StorageKind?
  ) throws(ConnectionFileError) {
    try rewrite(path) { (before: [UInt8]?) throws(ConnectionFileError) -> ([UInt8], Void) in
      (try fault.corrected(before ?? [], by: draft, storage: storage), ())
    }
  }

  /// Replaces the file at `path` as a whole, at the end of a link when it is one, unless nothing
  /// changes.
  ///
  /// - Parameter change: makes the new text of the one before; nil when there is no file.
  private static func rewrite<Outcome>(
    _ path: String, _ change: ([UInt8]?) throws(ConnectionFileError) -> ([UInt8], Outcome)
  ) throws(ConnectionFileError) -> Outcome {
    let file = PrivateFile(path: SymbolicLink.target(of: path))
    // There is nothing to lock without it; why it cannot be made is said when it is needed.
    try? file.makeDirectory()
    let lock = FolderLock(besideFileAt: path)
    defer { withExtendedLifetime(lock) {} }
    let before = try contents(of: path)
    let (bytes, outcome) = try change(before)
    guard bytes != before ?? ConnectionDocument().bytes else { return outcome }
    guard isEditable(path) else {
      let reason =
        isOfAdministrator(path)
        ? Sentence("the file was set by your administrator")
        : Sentence(
          "{what}: {reason}",
          [
            "what": Sentence("it cannot be written"),
            "reason": Sentence(system: String(cString: strerror(EACCES))),
          ])
      throw ConnectionFileError(line: nil, field: nil, reason: reason, isNotWritten: true)
    }
    do throws(StorageFailure) {
      try file.makeDirectory()
      _ = try file.write(bytes)
    } catch {
      throw ConnectionFileError(line: nil, field: nil, reason: error.reason, isNotWritten: true)
    }
    return outcome
  }

  /// The largest file that is read, in bytes: enough for hundreds of connections.
  public static let maximumSize = 256 << 10

  /// The bytes of the file; nil when it does not exist.
  private static func contents(of path: String) throws(ConnectionFileError) -> [UInt8]? {
    do throws(FileReader.Failure) {
      return try FileReader(path).read(upTo: maximumSize)
    } catch {
      if error.number == ENOENT { return nil }
      var failure = ConnectionFileError(line: nil, field: nil, reason: error.reason)
      if error.number != nil { failure.readFailure = error.cause }
      throw failure
    }
  }

  /// The field of the list: `connections`, its earlier name, in a file that has only that one.
  static func listField(of json: JSON) -> String {
    let (name, earlierName) = ("apps", "connections")
    return json[name] == nil && json[earlierName] != nil ? earlierName : name
  }

  /// Reads the text of the file.
  ///
  /// - Throws: ``ConnectionFileError`` with line and field of the first error.
  public static func parse(
    _ text: some Sequence<UInt8>
  ) throws(ConnectionFileError) -> [Connection] {
    try connections(of: JSONText(file: Array(text)))
  }

  /// The connections of a file.
  static func connections(of text: JSONText) throws(ConnectionFileError) -> [Connection] {
    let json = text.json
    let file = ConnectionObject(json: json, path: "", places: text.places)
    let list = listField(of: json)
    try file.check(["version", "storage", list])
    guard json["version"]?.integer == 1 else {
      throw file.fault("version", Sentence("the value must be 1"))
    }
    let storage = try file.storage()
    guard let elements = json[list]?.array else {
      throw file.fault(list, Sentence("the value must be a list"))
    }
    var connections: [Connection] = []
    var names: Set<String> = []
    for (index, element) in elements.enumerated() {
      let fields = ConnectionObject(json: element, path: "\(list)[\(index)]", places: text.places)
      let connection = try Connection(fields, storage: storage)
      guard names.insert(connection.name).inserted else {
        throw fields.fault("name", Sentence("another app has the same name"))
      }
      connections.append(connection)
    }
    return connections
  }
}
