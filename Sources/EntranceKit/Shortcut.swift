import Localization

/// A keyboard shortcut: a row of the table from which both the accelerators and the shortcuts window
/// are made.
public struct Shortcut: Sendable, Equatable {
  /// Where it works; a heading of the shortcuts window.
  ///
  /// That has two on each of its pages, and GTK 4.8 shows the last page first.
  public enum Group: Sendable, CaseIterable {
    case signIn
    case general
    case account
    case explorer

    /// The heading.
    public var title: String {
      switch self {
      case .account: tr("Account")
      case .explorer: tr("Explorer")
      case .signIn: tr("Sign-In Window")
      case .general: tr("General")
      }
    }
  }

  /// Where it works.
  public var group: Group
  /// What it does.
  public var title: String
  /// The keys, such as `<Control>q`.
  public var keys: [String]
  /// More keys, which the shortcuts window leaves out.
  public var otherKeys: [String]
  /// The action, such as `app.quit`, perhaps with a parameter, as in `sign-in.zoom::in`; nil when
  /// GTK or a window's file handles the keys.
  public var action: String?

  /// Whether it works on the Explorer page alone, whose action it is.
  public var isOfExplorer: Bool { group == .explorer }

  /// Creates a row.
  public init(
    _ group: Group, _ title: String, _ keys: [String], otherKeys: [String] = [],
    action: String? = nil
  ) {
    self.group = group
    self.title = title
    self.keys = keys
    self.otherKeys = otherKeys
    self.action = action
  }

  /// The table, in the user's language.
  public static var all: [Shortcut] {
    [
      Shortcut(
        .account, tr("Call Microsoft Graph API"), ["<Control>Return"],
        otherKeys: ["<Control>KP_Enter"], action: "main.perform"),
      Shortcut(
        .account, tr("Get device info"), ["<Control>i"],
        action: "account.get-device-information"),
      Shortcut(.account, tr("Sign out"), ["<Control><Shift>o"], action: "account.sign-out"),
      Shortcut(.account, tr("Go to the log or the address"), ["<Control>l"], action: "main.go-to"),
      Shortcut(
        .account, tr("Copy the log or the response"), ["<Control><Shift>c"], action: "main.copy"),
      Shortcut(.account, tr("Clear the log"), ["<Control><Shift>l"], action: "account.clear-log"),
      Shortcut(
        .account, tr("Larger text"), ["<Control>plus"],
        otherKeys: ["<Control>equal", "<Control>KP_Add"], action: "main.zoom::in"),
      Shortcut(
        .account, tr("Smaller text"), ["<Control>minus"], otherKeys: ["<Control>KP_Subtract"],
        action: "main.zoom::out"),
      Shortcut(
        .account, tr("Normal text size"), ["<Control>0"], otherKeys: ["<Control>KP_0"],
        action: "main.zoom::normal"),
      // An accelerator would take Escape from menus and toasts.
      Shortcut(.account, tr("Cancel the current operation"), ["Escape"]),

      // That of the account does it wherever the focus is; the page has its own words for it.
      Shortcut(
        .explorer, tr("Send the request"), ["<Control>Return"], otherKeys: ["<Control>KP_Enter"],
        action: "explorer.send"),
      Shortcut(.explorer, tr("Search the response"), ["<Control>f"], action: "explorer.find"),
      Shortcut(.explorer, tr("Next match"), ["<Control>g"], action: "explorer.find-next"),
      Shortcut(
        .explorer, tr("Previous match"), ["<Control><Shift>g"], action: "explorer.find-previous"),
      Shortcut(
        .explorer, tr("Filter the response"), ["<Control><Shift>f"], action: "explorer.filter"),
      Shortcut(.explorer, tr("Fold or unfold lines"), ["F4"], action: "explorer.fold"),
      Shortcut(
        .explorer, tr("Use the link as a request"), ["<Control>u"], action: "explorer.use-link"),
      Shortcut(.explorer, tr("Save the response"), ["<Control><Shift>s"], action: "explorer.save"),
      Shortcut(.explorer, tr("Save the request"), ["<Control>s"], action: "explorer.save-request"),
      Shortcut(
        .explorer, tr("Open a request file"), ["<Control>o"], action: "explorer.open-requests"),
      Shortcut(.explorer, tr("Samples and history"), ["F9"], action: "explorer.show-list"),
      Shortcut(.explorer, tr("History"), ["<Control>h"], action: "explorer.show-history"),

      Shortcut(.signIn, tr("Cancel the sign-in"), ["Escape"]),
      // The page would get it before an accelerator.
      Shortcut(.signIn, tr("Back"), ["<Alt>Left"]),
      Shortcut(
        .signIn, tr("Reload the page"), ["<Control>r", "F5"], action: "sign-in.reload"),
      Shortcut(
        .signIn, tr("Zoom in"), ["<Control>plus"],
        otherKeys: ["<Control>equal", "<Control>KP_Add"], action: "sign-in.zoom::in"),
      Shortcut(
        .signIn, tr("Zoom out"), ["<Control>minus"], otherKeys: ["<Control>KP_Subtract"],
        action: "sign-in.zoom::out"),
      Shortcut(
        .signIn, tr("Normal size"), ["<Control>0"], otherKeys: ["<Control>KP_0"],
        action: "sign-in.zoom::normal"),

      Shortcut(
        .general, tr("Switch account or app"), ["<Control>k"], action: "main.switch"),
      Shortcut(
        .general, tr("Apps"), ["<Control><Shift>a"], action: "main.connections"),
      Shortcut(.general, tr("Account page"), ["<Alt>1"], action: "main.show-page::account"),
      Shortcut(.general, tr("Explorer page"), ["<Alt>2"], action: "main.show-page::explorer"),
      Shortcut(.general, tr("Tokens page"), ["<Alt>3"], action: "main.show-page::tokens"),
      Shortcut(.general, tr("Activity page"), ["<Alt>4"], action: "main.show-page::activity"),
      Shortcut(
        .general, tr("Next page"), ["<Control>Page_Down"], otherKeys: ["<Control>Tab"],
        action: "main.next-page"),
      Shortcut(
        .general, tr("Previous page"), ["<Control>Page_Up"],
        otherKeys: ["<Control><Shift>Tab", "<Control><Shift>ISO_Left_Tab"],
        action: "main.previous-page"),
      Shortcut(
        .general, tr("Explain an error"), ["<Control>e"], action: "main.explain-error"),
      Shortcut(.general, tr("New window"), ["<Control>n"], action: "app.new-window"),
      Shortcut(.general, tr("Main menu"), ["F10"]),
      Shortcut(.general, tr("Preferences"), ["<Control>comma"], action: "main.preferences"),
      // F1 is for help, and there is no other in the window.
      Shortcut(
        .general, tr("Keyboard shortcuts"), ["<Control>question"], otherKeys: ["F1"],
        action: "main.show-help-overlay"),
      Shortcut(.general, tr("Close window"), ["<Control>w"], action: "window.close"),
      Shortcut(.general, tr("Quit"), ["<Control>q"], action: "app.quit"),
    ]
  }
}
