public import AuthCore
import Connections
import Localization

/// The model of the passphrase dialog for encrypted files.
@MainActor
public final class PassphraseModel {
  /// The state of the dialog, except for the typed text.
  public struct State: Sendable, Equatable {
    /// Why the passphrase was rejected; nil when it was not.
    public var problem: String?
    /// Whether the key is being derived.
    public var isBusy = false
    /// Whether the passphrase was accepted.
    public var isDone = false
  }

  /// Whether the passphrase is a new one, which is entered twice.
  public let isNew: Bool
  /// The current state.
  public private(set) var state = State() {
    didSet { if state != oldValue { changes.notify(state) } }
  }
  /// The observers of the state.
  public let changes = Observers<State>()

  private let unlock: @MainActor (Secret<String>) async throws(AuthenticationError) -> Void
  private let whenDone: @MainActor () -> Void

  /// Creates the model.
  ///
  /// - Parameter whenDone: called when the passphrase was accepted.
  public convenience init(
    store: ChosenStore, isNew: Bool, whenDone: @escaping @MainActor () -> Void
  ) {
    self.init(isNew: isNew) { passphrase throws(AuthenticationError) in
      try await store.unlock(with: passphrase)
    } whenDone: {
      whenDone()
    }
  }

  /// Creates the model of a dialog whose passphrase is given to `unlock`.
  init(
    isNew: Bool,
    unlock: @escaping @MainActor (Secret<String>) async throws(AuthenticationError) -> Void,
    whenDone: @escaping @MainActor () -> Void
  ) {
    self.isNew = isNew
    self.unlock = unlock
    self.whenDone = whenDone
  }

  /// The dialog's title.
  public var title: String { isNew ? tr("Set a Passphrase") : tr("Enter the Passphrase") }

  /// What the passphrase is for.
  public var explanation: String {
    isNew
      ? tr(
        "The passphrase encrypts the accounts that are kept on this computer. Entrance asks"
          + " for it each time it starts. If you forget it, you have to sign in again."
      )
      : tr("The passphrase unlocks the encrypted files that contain the accounts.")
  }

  /// The rule for a new passphrase; nil for an existing one.
  public var rule: String? { isNew ? tr("Use at least eight characters.") : nil }

  /// The label of the default button.
  public var button: String { isNew ? tr("_Set") : tr("_Unlock") }

  /// Submits the passphrase.
  ///
  /// - Parameter repeated: the text of the second field, for a new passphrase.
  /// - Returns: the task; nil when none was started.
  @discardableResult
  public func submit(
    _ passphrase: Secret<String>, repeated: Secret<String>
  ) -> Task<Void, Never>? {
    guard !state.isBusy, !state.isDone else { return nil }
    guard !isNew || passphrase == repeated else {
      // The same problem is told again.
      state = State()
      state.problem = tr("The passphrases do not match.")
      return nil
    }
    state = State(isBusy: true)
    return Task {
      do throws(AuthenticationError) {
        try await unlock(passphrase)
        state = State(isDone: true)
        whenDone()
      } catch {
        state = State(problem: Self.text(error))
      }
    }
  }

  private static func text(_ error: AuthenticationError) -> String {
    switch error.code {
    case .wrongPassphrase:
      join([tr("This passphrase is wrong."), tr(EntranceIdentity.forgottenPassphrase)])
    case .invalidParameter: tr("Use at least eight characters.")
    default: tr(error.sentence)
    }
  }
}
