public import AuthCore
import Localization

/// What the dialog for the passphrase of the encrypted files shows and does.
@MainActor
public final class PassphraseModel {
  /// All that the dialog shows, but for what is typed.
  public struct State: Sendable, Equatable {
    /// Why the passphrase was not taken; nil while there is nothing to say.
    public var problem: String?
    /// Whether the key is being made, which takes a moment.
    public var isBusy = false
    /// Whether the dialog has done its work.
    public var isDone = false
  }

  /// Whether the passphrase is a new one, which is typed twice.
  public let isNew: Bool
  /// What the dialog shows now.
  public private(set) var state = State() {
    didSet { if state != oldValue { changes.tell(state) } }
  }
  /// Those who are told of each new state.
  public let changes = Observers<State>()

  private let store: ChosenStore
  private let whenDone: @MainActor () -> Void

  /// Makes the model.
  ///
  /// - Parameter whenDone: called when accounts are kept with the passphrase.
  public init(store: ChosenStore, isNew: Bool, whenDone: @escaping @MainActor () -> Void) {
    self.store = store
    self.isNew = isNew
    self.whenDone = whenDone
  }

  /// The dialog's title.
  public var title: String { isNew ? tr("Set a Passphrase") : tr("Enter the Passphrase") }

  /// What the passphrase is for.
  public var explanation: String {
    isNew
      ? tr(
        "It encrypts the accounts that are kept on this computer. You are asked for it after each"
          + " start. It cannot be recovered: if you forget it, you have to sign in again."
      )
      : tr("It unlocks the encrypted files that contain the accounts.")
  }

  /// What a passphrase has to be like; nil when it was set before.
  public var rule: String? { isNew ? tr("Use at least eight characters.") : nil }

  /// The label of the button that does it.
  public var button: String { isNew ? tr("_Set") : tr("_Unlock") }

  /// Takes what was typed.
  ///
  /// - Parameter repeated: what was typed in the second field, of a new passphrase.
  /// - Returns: the work, for whoever wants to wait for it; nil when none was begun.
  @discardableResult
  public func submit(
    _ passphrase: Secret<String>, repeated: Secret<String>
  ) -> Task<Void, Never>? {
    guard !state.isBusy, !state.isDone else { return nil }
    guard !isNew || passphrase == repeated else {
      state.problem = tr("The passphrases do not match.")
      return nil
    }
    state = State(isBusy: true)
    return Task {
      do throws(AuthenticationError) {
        try await store.unlock(with: passphrase)
        state = State(isDone: true)
        whenDone()
      } catch {
        state = State(problem: Self.text(error))
      }
    }
  }

  private static func text(_ error: AuthenticationError) -> String {
    switch error.code {
    case .wrongPassphrase: tr("This passphrase is wrong.")
    case .invalidParameter: tr("Use at least eight characters.")
    default: tr(error.sentence)
    }
  }
}
