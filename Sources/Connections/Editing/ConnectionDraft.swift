public import AuthCore

/// A connection as a person writes it down: texts that may not fit yet.
///
/// A text that is empty is a field that is left out of `connections.json`.
public struct ConnectionDraft: Sendable, Equatable {
  /// What the person calls the connection.
  public var name = ""
  /// The application (client) ID of the registration, a GUID.
  public var clientID = ""
  /// The URL of who signs people in; empty for everyone with a Microsoft account.
  public var authority = ""
  /// The kind of the authority; nil when its URL tells.
  public var authorityKind: Authority.Kind?
  /// The redirect URI; empty for Entrance's own.
  public var redirectURI = ""
  /// The permissions to ask for; empty for the standard one of the kind.
  public var scopes: [String] = []
  /// The address that *Call Microsoft Graph API* calls; empty for the person's own profile.
  public var api = ""
  /// The authorities of one's own domain that are trusted.
  public var knownAuthorities: [String] = []
  /// The path of a private CA's certificates; empty for the system's.
  public var caFile = ""
  /// Whether the redirect URI of identity brokers is registered, too.
  public var isBrokerRedirectURIRegistered = false
  /// The token cache that is shared with other programs, as it stands in the file.
  public var cache: JSON?

  /// Creates an empty draft.
  public init() {}

  /// Reads what a connection of the file says; a field of another type reads as left out.
  init(_ json: JSON) {
    func text(_ name: String) -> String { json[name]?.string ?? "" }
    func texts(_ name: String) -> [String] { json[name]?.array?.compactMap(\.string) ?? [] }
    name = text("name")
    clientID = text("clientID")
    authority = text("authority")
    authorityKind = Authority.Kind(rawValue: text("authorityKind"))
    redirectURI = text("redirectURI")
    scopes = texts("scopes")
    api = text("api")
    knownAuthorities = texts("knownAuthorities")
    caFile = text("caFile")
    isBrokerRedirectURIRegistered = json["isBrokerRedirectURIRegistered"]?.bool ?? false
    cache = json["cache"]
  }

  /// The fields in the order of the documentation; nil for one that is left out.
  var fields: [(name: String, value: JSON?)] {
    func text(_ text: String) -> JSON? { text.isEmpty ? nil : .string(text) }
    func texts(_ texts: [String]) -> JSON? { texts.isEmpty ? nil : .array(texts.map(JSON.string)) }
    return [
      ("name", text(name)),
      ("clientID", text(clientID)),
      ("authority", text(authority)),
      ("authorityKind", authorityKind.map { .string($0.rawValue) }),
      ("redirectURI", text(redirectURI)),
      ("scopes", texts(scopes)),
      ("api", text(api)),
      ("knownAuthorities", texts(knownAuthorities)),
      ("caFile", text(caFile)),
      ("cache", cache),
      ("isBrokerRedirectURIRegistered", isBrokerRedirectURIRegistered ? .bool(true) : nil),
    ]
  }

  /// The fields that are there.
  var json: JSON {
    .object(fields.compactMap { field in field.value.map { JSON.Member(field.name, $0) } })
  }

  /// The connection that this describes.
  ///
  /// - Throws: ``ConnectionFileError`` with the first field that does not fit, such as `clientID`.
  public func connection() throws(ConnectionFileError) -> Connection {
    try Connection(ConnectionFields(json: json, path: "", lines: [:]), storage: nil)
  }
}
