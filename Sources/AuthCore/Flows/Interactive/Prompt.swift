/// Which pages a person is shown; the `prompt` of the authorization request.
///
/// A service of another kind than Microsoft's is sent only what it says that it offers
/// (`prompt_values_supported`). A later version can have more of them: a `switch` needs a `default`.
public struct Prompt: Sendable, Hashable, CaseIterable, CustomStringConvertible {
  /// Choose one of the accounts that the browser knows, or another, where the service offers it.
  public static let selectAccount = Prompt(.selectAccount)
  /// Enter the credentials, even when the browser is signed in.
  public static let login = Prompt(.login)
  /// Agree to the permissions, even when that was done before.
  public static let consent = Prompt(.consent)
  /// Create an account.
  public static let create = Prompt(.create)
  /// Only what is needed: nothing, when the browser is signed in.
  ///
  /// No `prompt` is sent.
  public static let promptIfNecessary = Prompt(.promptIfNecessary)

  /// All that there are in this version.
  public static let allCases = Known.allCases.map { Prompt($0) }

  /// Those of this version, for a `switch` that has to handle each.
  enum Known: String, CaseIterable {
    case selectAccount = "select_account"
    case login, consent, create, promptIfNecessary
  }
  let known: Known

  private init(_ known: Known) {
    self.known = known
  }

  /// The name, for logs and for programs: what is sent, if anything is.
  public var rawValue: String { known.rawValue }
  /// The name.
  public var description: String { rawValue }

  /// What is sent; nil for no parameter.
  var parameter: String? { self == .promptIfNecessary ? nil : rawValue }
}
