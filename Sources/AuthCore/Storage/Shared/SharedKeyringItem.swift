/// A keyring item in which programs share a token cache.
///
/// All programs must agree on every member, so take them from the other program's documentation or
/// source.
public struct SharedKeyringItem: Sendable, Equatable {
  /// The encoding of the cache in the item.
  ///
  /// It is used for a new item only; an existing item keeps its encoding. An enum, because the
  /// other programs know only these two encodings.
  public enum Encoding: String, Sendable, CaseIterable {
    /// JSON: MSAL for Python and Node.
    case raw
    /// Base64 text of JSON: MSAL for .NET, Go and Java.
    case base64
  }

  /// The schema, which the keyring stores as the attribute `xdg:schema`.
  public var schema: String
  /// Whether an item of another schema with the same attributes is accepted, as by MSAL.NET.
  public var ignoresSchema: Bool
  /// All attributes except the schema.
  public var attributes: [String: String]
  /// The name that keyring managers show.
  public var label: String
  /// The alias of the collection for a new item: `default`, or `session` for one that ends with the
  /// session.
  public var collection: String
  /// The encoding of a new item.
  public var encoding: Encoding
  /// The file that is touched after every change; the lock is beside it.
  public var signalFile: String

  /// Creates a description of an item.
  public init(
    schema: String, ignoresSchema: Bool = false, attributes: [String: String], label: String,
    collection: String = "default", encoding: Encoding, signalFile: String
  ) {
    self.schema = schema
    self.ignoresSchema = ignoresSchema
    self.attributes = attributes
    self.label = label
    self.collection = collection
    self.encoding = encoding
    self.signalFile = signalFile
  }
}
