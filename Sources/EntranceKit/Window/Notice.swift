import AuthCore
import Localization

/// A notice above the page, shown until its cause is removed.
public struct Notice: Sendable, Equatable, Identifiable {
  /// The notice's style.
  public enum Style: Sendable, Equatable {
    /// Information.
    case information
    /// A problem.
    case warning
  }

  /// A button that removes the cause, or is a way on.
  public struct Button: Sendable, Equatable {
    /// The label, with a mnemonic.
    public var label: String
    /// The action.
    public var action: AccountAction

    /// Creates a button.
    public init(label: String, action: AccountAction) {
      self.label = label
      self.action = action
    }
  }

  /// Identifies the notice's subject; there is at most one for each.
  public var id: String
  /// The style.
  public var style: Style
  /// A few words above the text; nil for none.
  public var title: String?
  /// One to three sentences.
  public var text: String
  /// The buttons, the most useful first.
  public var buttons: [Button]
  /// The lines for support, shown on request.
  public var details: [String]
  /// Whether the user can remove it.
  public var canBeDismissed: Bool

  /// Creates a notice; its text and details are converted to visible lines.
  public init(
    id: String, style: Style, title: String? = nil, text: String, buttons: [Button] = [],
    details: [String] = [], canBeDismissed: Bool = false
  ) {
    self.id = id
    self.style = style
    self.title = title
    self.text = text.plain
    self.buttons = buttons
    self.details = details.map(\.plain)
    self.canBeDismissed = canBeDismissed
  }
}

extension Notice {
  /// This is a demo.
  static var demo: Self {
    Self(
      id: "demo", style: .information,
      text: tr(
        "This is a demo. The accounts are made up, and no data leaves this computer."),
      buttons: [Button(label: tr("Lea_ve Demo"), action: .leaveDemo)])
  }

  static let sharedDeviceID = "shared-device"

  /// This is a shared device.
  static var sharedDevice: Self {
    Self(
      id: sharedDeviceID, style: .information,
      text: tr("This computer is shared. Sign Out removes all accounts."))
  }

  /// Others can change the file that says who gets the tokens.
  static func exposure(_ text: String) -> Self {
    Self(id: "exposure", style: .warning, text: text, canBeDismissed: true)
  }
}

/// The notices above a window's pages: at most one about each subject, in the order in which they
/// appeared.
struct Notices: Equatable {
  private(set) var all: [Notice] = []

  /// The notice about a subject; nil when there is none.
  subscript(id: Notice.ID) -> Notice? { all.first { $0.id == id } }

  /// Shows a notice, in the place of the one about the same subject.
  mutating func put(_ notice: Notice) {
    if let index = all.firstIndex(where: { $0.id == notice.id }) {
      all[index] = notice
    } else {
      all.append(notice)
    }
  }

  /// Removes the notice about a subject, if there is one.
  mutating func remove(_ id: Notice.ID) { all.removeAll { $0.id == id } }
}
