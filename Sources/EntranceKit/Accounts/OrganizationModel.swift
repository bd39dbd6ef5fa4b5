import Localization

/// The model of the dialog that asks for the organization to sign an account in to.
@MainActor
public final class OrganizationModel {
  /// The state of the dialog.
  public struct State: Sendable, Equatable {
    /// Why the organization was not accepted; nil when nothing is wrong.
    public var problem: String?
    /// Whether the sign-in has begun.
    public var isDone = false
  }

  /// The current state.
  public private(set) var state = State() {
    didSet { if state != oldValue { changes.notify(state) } }
  }
  /// The observers of the state.
  public let changes = Observers<State>()
  /// What the dialog asks for.
  public let explanation: String

  private let signIn: @MainActor (String) -> String?

  /// - Parameter signIn: begins the sign-in to the organization with this domain or ID; returns why
  ///   it did not, and nil if it did.
  init(username: String, signIn: @escaping @MainActor (String) -> String?) {
    explanation = tr(
      "Enter the organization in which {username} is a guest: its domain or its tenant ID.",
      ["username": username])
    self.signIn = signIn
  }

  /// *Sign In*: begins the sign-in, or reports what is wrong with `name`.
  public func submit(_ name: String) {
    let name = name.split(whereSeparator: \.isWhitespace).joined()
    // The same problem is told again.
    state = State()
    let problem = signIn(name)
    state = State(problem: problem, isDone: problem == nil)
  }

  /// Says that a text is neither a domain nor an ID.
  static var notAnOrganization: String {
    tr(
      "Enter a domain such as contoso.com, or an ID such as"
        + " 00000000-0000-0000-0000-000000000000.")
  }
}
