public import FoundationEssentials
import Localization

/// Something that happened: a line of the Activity page, and of the account page's log.
public struct ActivityEvent: Sendable, Equatable, Identifiable {
  /// What happened.
  public enum Kind: String, Sendable, CaseIterable {
    /// Something about accounts and their storage, or a hint.
    case information
    /// A step of a sign-in or a sign-out.
    case signIn
    /// A token was issued, or taken from the cache.
    case token
    /// A request to the connection's API.
    case request
    /// The API's response.
    case response
    /// Something failed.
    case failure
    /// A line of the sign-in library.
    case library

    /// The kind in words.
    public var label: String {
      switch self {
      case .information: tr("Information")
      case .signIn: tr("Sign-in")
      case .token: tr("Token")
      case .request: tr("Request")
      case .response: tr("Response")
      case .failure: tr("Problem")
      case .library: tr("Sign-in library")
      }
    }
  }

  /// Tells it from the other events of the same activity; a later one has a larger number.
  public let id: Int
  /// When it happened.
  public let date: Date
  /// What happened.
  public let kind: Kind
  /// The user name of the account that it is about; nil for none.
  public let account: String?
  /// The event in a line.
  public let title: String
  /// The formatted text with all details, and what is shown of it at first.
  public let folded: FoldedText
  /// Whether it is in the account page's log, which has Microsoft's tutorials' lines.
  public let isInLog: Bool

  /// All of the text: tokens are shortened unless the user chose to show them in full.
  public var text: String { folded.whole }

  /// Creates an event.
  ///
  /// - Parameter title: the event in a line; the first line of the text if nil.
  public init(
    id: Int, date: Date, kind: Kind, account: String? = nil, title: String? = nil,
    folded: FoldedText, isInLog: Bool = true
  ) {
    self.id = id
    self.date = date
    self.kind = kind
    self.account = account
    self.folded = folded
    self.isInLog = isInLog
    self.title = title ?? Self.firstLine(of: folded)
  }

  private static func firstLine(of text: FoldedText) -> String {
    let line = text.whole.utf8.prefix { $0 != UInt8(ascii: "\n") }
      .prefix(FoldedText.shownOfLongLine)
    return String(decoding: line, as: UTF8.self)
  }
}
