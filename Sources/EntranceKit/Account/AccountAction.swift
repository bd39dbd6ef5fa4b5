/// What the user can do on the account page: the table of the actions of its buttons, menus, notices
/// and shortcuts.
///
/// Each action has an entry here. Swift code refers to the entry, interface files to its name.
public struct AccountAction: Sendable, Equatable, CustomStringConvertible {
  /// Its name within its group.
  public let name: String
  /// Its group: the page's, or the window's.
  public let group: String
  /// The text that it is about; empty for none.
  public private(set) var target = ""
  /// Whether it is about a text.
  public let hasTarget: Bool
  /// Whether it can be done in a state of the page.
  public let isPossible: @MainActor (AccountState) -> Bool
  /// Does it, about a text if it ``hasTarget``.
  public let perform: @MainActor (AccountModel, String) -> Void

  private init(
    _ name: String, needs: @escaping @MainActor (AccountState) -> Bool = { _ in true },
    _ perform: @escaping @MainActor (AccountModel) -> Void
  ) {
    (self.name, self.group, isPossible) = (name, Self.pageName, needs)
    self.perform = { model, _ in perform(model) }
    hasTarget = false
  }

  private init(target name: String, _ perform: @escaping @MainActor (AccountModel, String) -> Void)
  {
    (self.name, self.group, self.perform) = (name, Self.pageName, perform)
    isPossible = { _ in true }
    hasTarget = true
  }

  /// An action of the window, which performs it.
  private init(ofWindow name: String, hasTarget: Bool = false) {
    (self.name, self.group) = (name, Self.windowName)
    (isPossible, perform) = ({ _ in true }, { _, _ in })
    self.hasTarget = hasTarget
  }

  /// The group of the page's own actions.
  public static let pageName = "account"

  /// The group of the window's actions.
  ///
  /// GTK would offer those of its own group for a window, `win`, to all programs on the session bus.
  public static let windowName = "main"

  /// The same action, about `target`.
  private func about(_ target: String) -> Self {
    var action = self
    action.target = target
    return action
  }

  /// Its name with its group's.
  public var description: String { "\(group).\(name)" }

  /// Whether both are the same action, about the same text.
  public static func == (one: Self, other: Self) -> Bool {
    one.description == other.description && one.target == other.target
  }
}

extension AccountAction {
  /// The page's actions.
  public static let all = [
    callGraph, tryAgain, signIn, useAnotherAccount, useWindow, useBrowser, useCode, signOut,
    signOutAgain, dismissSignOut, getDeviceInformation, cancel, addAccount, manageAccounts,
    enterPassphrase, readAgain, dismiss, dismissNotice, copyText, focusLog, copyLog, clearLog,
    openNetworkPage, openDateSettings,
  ]

  /// Acquires a token and calls the API.
  public static let callGraph = Self("call-graph", needs: \.canRequest) { $0.callGraph() }
  /// Repeats what failed.
  public static let tryAgain = Self("try-again", needs: \.canStart) {
    $0.window.status.tryAgain?()
  }
  /// Signs in: somebody, or again the selected account that needs it.
  public static let signIn = Self(
    "sign-in", needs: { $0.canStart && ($0.username == nil || $0.needsSignIn) }
  ) { $0.window.accounts.signIn() }
  /// Signs in with an account that the user selects.
  public static let useAnotherAccount = Self("use-another-account", needs: \.canStart) {
    $0.window.accounts.useAnother()
  }
  /// Signs in with the sign-in window.
  public static let useWindow = Self("use-window", needs: \.canStart) { $0.signIn(by: .embedded) }
  /// Signs in with the browser.
  public static let useBrowser = Self("use-browser", needs: \.canStart) { $0.signIn(by: .browser) }
  /// Signs in with a code.
  public static let useCode = Self("use-code", needs: \.canStart) { $0.signIn(by: .code) }
  /// Asks whether to sign out.
  public static let signOut = Self("sign-out", needs: \.canSignOut) { $0.signOut.ask() }
  /// Repeats the parts of a sign-out that failed.
  public static let signOutAgain = Self("sign-out-again") { $0.signOut.tryAgain() }
  /// Accepts that a part of a sign-out failed.
  public static let dismissSignOut = Self("dismiss-sign-out") { $0.signOut.dismiss() }
  /// Shows the facts about the device.
  public static let getDeviceInformation = Self("get-device-information", needs: \.canRequest) {
    $0.getDeviceInformation()
  }
  /// Cancels the work in progress.
  public static let cancel = Self("cancel", needs: { $0.work != nil }) { $0.window.status.cancel() }
  /// Signs in with another account, beside those that are signed in.
  public static let addAccount = Self("add", needs: { $0.canStart && $0.canAddAccounts }) {
    $0.window.accounts.add()
  }
  /// Shows the list of accounts.
  public static let manageAccounts = Self("manage", needs: { !$0.rows.isEmpty }) {
    $0.requests.notify(.accounts)
  }
  /// Asks for the passphrase of the encrypted files.
  public static let enterPassphrase = Self("enter-passphrase") { model in
    Task {
      if let passphrase = await model.window.storage.makePassphraseModel() {
        model.requests.notify(.passphrase(passphrase))
      }
    }
  }
  /// Reads the accounts again; may ask the user to unlock them.
  public static let readAgain = Self("read-again") { $0.window.storage.unlock() }
  /// Removes the notice of a failure.
  public static let dismiss = Self("dismiss") { $0.window.status.dismissFailure() }
  /// Removes the notice with this ID.
  public static let dismissNotice = Self(target: "dismiss-notice") {
    $0.window.status.dismiss($1)
  }
  /// Copies a text.
  static let copyText = Self(target: "copy") { $0.requests.notify(.copy($1)) }
  /// Moves the keyboard focus to the log.
  public static let focusLog = Self("focus-log") { $0.requests.notify(.log) }
  /// Copies the log.
  public static let copyLog = Self("copy-log", needs: \.hasLog) { $0.requests.notify(.copyLog) }
  /// Empties the log.
  public static let clearLog = Self("clear-log", needs: \.hasLog) { $0.log.clear() }
  /// Opens the page where the network asks the user to sign in.
  public static let openNetworkPage = Self("open-network-page") {
    $0.requests.notify(.page(NetworkStatus.signInPage))
  }
  /// Opens the desktop's date and time settings.
  public static let openDateSettings = Self("open-date-settings") {
    $0.requests.notify(.dateSettings)
  }

  /// Opens the form of the connection in use.
  public static let editConnection = Self(ofWindow: "edit-connection", hasTarget: true)
  /// Opens the form of the entry of `apps.json` that has a fault.
  static let correctConnection = Self(ofWindow: "correct-connection")
  /// Opens the connection that was used last in place of the demo, or says that there is none.
  static let leaveDemo = Self(ofWindow: "leave-demo")
  /// Opens the message that asks an administrator for an app.
  static let askForApp = Self(ofWindow: "ask-for-app")
  /// Opens the list of connections.
  static let showConnections = Self(ofWindow: "connections")
  /// Opens `apps.json` in an editor.
  static let openConnectionFile = Self(ofWindow: "open-connection-file")

  /// Opens the form of the connection in use at a field, by its name in `apps.json`; nil for none.
  public static func edit(at field: String?) -> Self { editConnection.about(field ?? "") }

  /// Copies `text`.
  public static func copy(_ text: String) -> Self { copyText.about(text) }

  /// The text that it copies; nil for another action.
  public var copiedText: String? { name == Self.copyText.name ? target : nil }
}

/// A request to the account page: to show something, or to pass it to the desktop.
public enum AccountRequest {
  /// The list of accounts.
  case accounts
  /// The dialog for the passphrase of the encrypted files.
  case passphrase(PassphraseModel)
  /// A question before a sign-out, and what to do with its answer.
  case signOut(SignOutQuestion, @MainActor (SignOutChoice) -> Void)
  /// A text for the clipboard.
  case copy(String)
  /// The log, which gets the keyboard focus.
  case log
  /// The log for the clipboard.
  case copyLog
  /// A web page.
  case page(String)
  /// The desktop's date and time settings.
  case dateSettings
}
