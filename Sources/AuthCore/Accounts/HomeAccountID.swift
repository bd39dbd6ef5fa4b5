/// An account's ID in its home tenant: `uid.utid`.
///
/// AD FS and OpenID Connect have no tenants: there it is the account's subject.
public struct HomeAccountID: Sendable, Hashable, CustomStringConvertible {
  /// The `uid`.
  public let objectID: String
  /// The `utid`: the home tenant's ID; empty for a subject.
  public let tenantID: String

  /// Puts an ID together.
  public init(objectID: String, tenantID: String) {
    self.objectID = objectID
    self.tenantID = tenantID
  }

  /// The ID of an account that is known by its subject (`sub`).
  public init(subject: String) {
    self.init(objectID: subject, tenantID: "")
  }

  /// Reads `uid.utid`; nil when there is no dot or nothing on a side of it.
  public init?(_ text: String) {
    guard let dot = text.lastIndex(of: "."), dot != text.startIndex else { return nil }
    let tenantID = text[text.index(after: dot)...]
    guard !tenantID.isEmpty else { return nil }
    self.init(objectID: String(text[..<dot]), tenantID: String(tenantID))
  }

  /// `uid.utid`, or the subject.
  public var description: String { isSubject ? objectID : "\(objectID).\(tenantID)" }

  /// Whether this is a subject.
  var isSubject: Bool { tenantID.isEmpty }

  /// The policy of B2C that signed the account in, which stands behind the object's ID; nil elsewhere.
  var policy: Substring? {
    let rest = objectID.utf8.dropFirst(36)
    guard rest.first == UInt8(ascii: "-"), GUID.isValid(objectID.prefix(36)) else { return nil }
    return Substring(rest.dropFirst())
  }
}
