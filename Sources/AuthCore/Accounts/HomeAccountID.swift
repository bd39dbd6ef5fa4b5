/// An account's ID in its home tenant: `uid.utid`.
///
/// AD FS and OpenID Connect have no tenants; there it is the account's subject.
public struct HomeAccountID: Sendable, Hashable, CustomStringConvertible {
  /// The `uid`.
  public let objectID: String
  /// The `utid`: the home tenant's ID; empty for a subject.
  public let tenantID: String

  /// Creates an ID from its parts.
  public init(objectID: String, tenantID: String) {
    self.objectID = objectID
    self.tenantID = tenantID
  }

  /// Creates the ID of an account that is identified by its subject (`sub`).
  public init(subject: String) {
    self.init(objectID: subject, tenantID: "")
  }

  /// Parses `uid.utid`; nil when the dot or one of its sides is missing.
  public init?(_ text: String) {
    let dot = text.unicodeScalars.lastIndex(of: ".")
    guard let dot, dot != text.startIndex else { return nil }
    let tenantID = text[text.index(after: dot)...]
    guard !tenantID.isEmpty else { return nil }
    self.init(objectID: String(text[..<dot]), tenantID: String(tenantID))
  }

  /// Parses the `client_info` of a token response, which identifies the account in all tenants:
  /// JSON in base64url with `uid` and `utid`; nil for anything else.
  init?(clientInfo text: String) {
    guard let data = Base64URL.decode(text), let json = try? JSON(parsing: data),
      let uid = json["uid"]?.string, let utid = json["utid"]?.string, !uid.isEmpty,
      !utid.isEmpty
    else { return nil }
    self.init(objectID: uid.lowercased(), tenantID: utid.lowercased())
  }

  /// `uid.utid`, or the subject.
  public var description: String { isSubject ? objectID : "\(objectID).\(tenantID)" }

  /// Whether this is a subject.
  var isSubject: Bool { tenantID.isEmpty }

  /// The B2C policy that signed the account in, which follows the object ID; nil for other kinds.
  var policy: Substring? {
    let rest = objectID.utf8.dropFirst(36)
    guard rest.first == UInt8(ascii: "-"), GUID.isValid(objectID.prefix(36)) else { return nil }
    return Substring(rest.dropFirst())
  }
}
