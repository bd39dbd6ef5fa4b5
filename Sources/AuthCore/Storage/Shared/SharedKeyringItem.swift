/// An item of the desktop's keyring in which programs share a token cache.
///
/// All of them have to agree on every member, so take them from the other program's documentation or source.
public struct SharedKeyringItem: Sendable, Equatable {
  /// How the cache is written in the item.
  ///
  /// It is for a new item only: one that is there stays as it is. It is an enum because the other programs
  /// know these two ways and no more.
  public enum Encoding: String, Sendable, CaseIterable {
    /// As JSON: MSAL for Python and Node.
    case raw
    /// As the base64 text of JSON: MSAL for .NET, Go and Java.
    case base64
  }

  /// The schema, which the keyring keeps as the attribute `xdg:schema`.
  public var schema: String
  /// Whether an item of another schema with the same attributes will do, as it does for MSAL.NET.
  public var ignoresSchema: Bool
  /// All attributes but the schema.
  public var attributes: [String: String]
  /// What keyring managers show.
  public var label: String
  /// The alias of the collection for a new item: `default`, or `session` for one that ends with the session.
  public var collection: String
  /// How a new item is written.
  public var encoding: Encoding
  /// The file that is touched after every change; the lock is beside it.
  public var signalFile: String

  /// Describes an item.
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
