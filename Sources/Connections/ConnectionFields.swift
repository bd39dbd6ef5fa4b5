public import AuthCore
import CurlHTTP
import Sentences

/// The fields of a connection in `apps.json`, in the order of the documentation.
///
/// A field that is added here is read from the file, checked, part of a ``ConnectionDraft``, and
/// written back. One with a row is also in the form, which needs the row `NAME_row` in its
/// interface file.
public struct ConnectionFields: Sendable {
  /// What the person calls the connection.
  public let name = ConnectionField<String>(
    "name", row: .basic, limit: Connection.longestName, refusal: refusalOfName)
  /// The application (client) ID of the registration, a GUID.
  public let clientID = ConnectionField<String>("clientID", row: .basic)
  /// The URL of who signs people in; empty for everyone with a Microsoft account.
  public let authority = ConnectionField<String>("authority")
  /// The kind of the authority; nil when its URL tells.
  public let authorityKind = ConnectionField<Authority.Kind?>("authorityKind")
  /// The redirect URI; empty for Entrance's own.
  public let redirectURI = ConnectionField<String>("redirectURI", row: .advanced)
  /// The permissions to ask for; empty for the standard one of the kind.
  public let scopes = ConnectionField<[String]>("scopes")
  /// The address that *Call Microsoft Graph API* calls; empty for the person's own profile in
  /// Microsoft Graph, and for none where the tokens are not Microsoft's.
  public let api = ConnectionField<String>("api", row: .basic)
  /// The authorities of one's own domain that are trusted.
  public let knownAuthorities = ConnectionField<[String]>("knownAuthorities")
  /// The path of a private CA's certificates; empty for the system's.
  public let caFile = ConnectionField<String>("caFile", row: .advanced, refusal: refusalOfFile)
  /// The token cache that is shared with other programs, as it stands in the file.
  public let cache = ConnectionField<JSON?>("cache")
  /// Whether the redirect URI of identity brokers is registered, too.
  public let isBrokerRedirectURIRegistered = ConnectionField<Bool>("isBrokerRedirectURIRegistered")

  package static let shared = ConnectionFields()

  /// All fields, in their order above.
  static let fields = Mirror(reflecting: shared).children.compactMap {
    $0.value as? any AnyConnectionField
  }

  /// The fields that a person types as they stand in the file.
  package static let rows = fields.compactMap { $0 as? ConnectionField<String> }
    .filter { $0.row != nil }

  /// Why a name that a person enters cannot be used: in a list, it would look like another one.
  private static func refusalOfName(_ name: String) -> Sentence? {
    name == String(name.trimmed) && name == name.plain
      ? nil
      : Sentence(
        "the value must be one line, without spaces at its ends and without invisible characters")
  }

  /// Why a CA file that a person enters cannot be used; nil when it can, or when there is none.
  private static func refusalOfFile(_ path: String) -> Sentence? {
    path.isEmpty ? nil : Trust.file(path).problem?.withoutFullStop
  }
}
