/// The `prompt` of the authorization request: which pages are shown.
///
/// A service that is not Microsoft's gets only the values that it offers
/// (`prompt_values_supported`). Later versions may add values: a `switch` needs a `default`.
public struct Prompt: Sendable, Hashable, CaseIterable, CustomStringConvertible {
  /// Choose an account, if the service offers that.
  ///
  /// To a service that is not Microsoft's, it is sent only when there may be a choice: an account
  /// is known here, and the pages may still be signed in.
  public static let selectAccount = Prompt(.selectAccount)
  /// Enter the credentials, even when the browser is signed in.
  public static let login = Prompt(.login)
  /// Consent to the permissions, even when that was done before.
  ///
  /// Some OpenID Connect providers return a refresh token only then: see <doc:ChoosingAnAuthority>.
  public static let consent = Prompt(.consent)
  /// Create an account.
  public static let create = Prompt(.create)
  /// Only the necessary pages: none when the browser is signed in.
  ///
  /// No `prompt` is sent.
  public static let promptIfNecessary = Prompt(.promptIfNecessary)

  /// All values of this version.
  public static let allCases = Known.allCases.map { Prompt($0) }

  /// The values of this version, for a `switch` that must handle each.
  enum Known: String, CaseIterable {
    case selectAccount = "select_account"
    case login, consent, create, promptIfNecessary
  }
  let known: Known

  private init(_ known: Known) {
    self.known = known
  }

  /// The name, for logs and programs; every one but `promptIfNecessary` is sent.
  public var rawValue: String { known.rawValue }
  /// The name.
  public var description: String { rawValue }

  /// The value to send; nil for no parameter.
  package var parameter: String? { self == .promptIfNecessary ? nil : rawValue }
}
