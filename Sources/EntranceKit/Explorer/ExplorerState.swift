public import MicrosoftGraph
import Localization

/// The state of the Explorer page, except for the answer.
public struct ExplorerState: Sendable, Equatable {
  /// What it does.
  public enum Work: Sendable, Equatable {
    /// It gets a token, which may need the user.
    case gettingToken
    /// It waits for the answer.
    case sending
    /// It makes the texts of the answer.
    case preparing
    /// It gets the pages of a list: so many pages and items so far.
    case gettingPages(Int, items: Int)
    /// It writes content to a file: so many bytes so far, of all that are known of.
    case saving(Int, of: Int?)
    /// It waits before it goes on writing, because the service asks for that: so many bytes so far, of
    /// all that are known of, and so many seconds are left.
    case waiting(Int, of: Int?, left: Int)
    /// It has stopped writing until the person goes on, perhaps for a reason, and with a pause that the
    /// service asks for.
    case paused(Int, of: Int?, because: String?, wait: Wait?)

    /// The work in words.
    public var text: String {
      switch self {
      case .gettingToken: tr("Getting a token…")
      case .sending: tr("Waiting for the response…")
      case .preparing: tr("Preparing the response…")
      case .gettingPages(let pages, let items):
        tr(
          .plural(
            "Page {page}, {count} item…", "Page {page}, {count} items…", count: items,
            ["page": pages]))
      case .saving, .waiting: tr("Saving…")
      case .paused: tr("Paused")
      }
    }

    /// How much is written, in words, and why no more is at the moment; nil when nothing is written.
    public var progressText: String? {
      switch self {
      case .gettingToken, .sending, .preparing, .gettingPages: return nil
      case .saving(let size, let total): return Self.progress(size, total)
      case .waiting(let size, let total, let seconds):
        let progress = size > 0 ? Self.progress(size, total) : nil
        return [progress, Wait.left(seconds).text].compactMap(\.self).joined(separator: "\n")
      case .paused(let size, let total, let reason, let wait):
        return [Self.pause(size, total), reason, wait?.text].compactMap(\.self)
          .joined(separator: "\n")
      }
    }

    /// What a screen reader says of it; nil when nothing is written.
    ///
    /// It may be said only when the window is in front again, so it has no time that is left.
    public var spokenText: String? {
      switch self {
      case .gettingToken, .sending, .preparing, .gettingPages, .saving: return progressText
      case .waiting:
        return tr("The service asked Entrance to wait. The download then continues automatically.")
      case .paused(let size, let total, let reason, let wait):
        let goOn = tr("To continue, choose “Resume”.")
        let texts: [String?] =
          switch wait {
          case nil: [Self.pause(size, total), reason, goOn]
          case .left?: [Self.pause(size, total), reason]
          case .over?: [wait?.text, goOn]
          }
        return texts.compactMap(\.self).joined(separator: "\n")
      }
    }

    private static func pause(_ size: Int, _ total: Int?) -> String {
      tr("Paused: {progress}", ["progress": progress(size, total)])
    }

    private static func progress(_ size: Int, _ total: Int?) -> String {
      guard let total else { return tr("{size} so far", ["size": ByteSize.text(size)]) }
      return tr(
        "{size} of {total}", ["size": ByteSize.text(size), "total": ByteSize.text(total)])
    }

    /// Whether it goes on only when the person says so.
    public var isPaused: Bool { if case .paused = self { true } else { false } }

    /// Whether it goes on when the pause that the service asks for is over.
    public var isWaiting: Bool { if case .waiting = self { true } else { false } }
  }

  /// The pause that the service asks for, after the request of the last answer or in a download.
  public enum Wait: Sendable, Equatable {
    /// So many seconds are left.
    case left(Int)
    /// It is over.
    case over

    /// The pause in words.
    public var text: String {
      switch self {
      case .left(let seconds):
        tr(
          "The service asked Entrance to wait. The next request can be sent in {time}.",
          ["time": Countdown.text(seconds)])
      case .over: tr("The next request can be sent now.")
      }
    }
  }

  /// Where a request is kept.
  public struct Saved: Sendable, Equatable {
    /// The name of the request.
    public var title: String
    /// The name of the file.
    public var file: String
    /// Whether the page has something else than the file.
    public var isEdited: Bool
    /// Whether another program has changed or removed the request that was edited here.
    public var isConflict: Bool
    /// Whether the file cannot be read, maybe because it is gone.
    public var isUnreadable: Bool

    /// The request, its file, and what is to be known about them.
    public var text: String {
      let text = tr("{request} in {file}", ["request": title, "file": file])
      if isUnreadable { return tr("{request}: the file cannot be read", ["request": text]) }
      if isConflict { return tr("{request}, changed by another program", ["request": text]) }
      return isEdited ? tr("{request}, not saved", ["request": text]) : text
    }
  }

  /// Whether accounts are known.
  public var loadState = AccountStorage.LoadState.loading
  /// The account, for which requests are sent, with its organization; nil when nobody is signed in.
  public var account: String?
  /// Whose account the window's is, in words, while requests are sent for another one that was chosen;
  /// nil otherwise.
  public var accountNote: String?
  /// The accounts that can be chosen for the requests of the page, that of the window first; empty
  /// when there is no choice.
  public var senders: [Sender] = []
  /// The accounts that requests can be sent for.
  public var accounts: [AccountRow] = []
  /// The work in progress; nil when idle.
  public var work: Work?
  /// What the API is called in sentences: Microsoft Graph, or its host.
  public var service = ""
  /// The version that the address names or means; nil when the API has none.
  public var version: GraphClient.Version?
  /// The URL as it would be sent; nil without an address, or when it cannot be sent.
  public var sentURL: String?
  /// The same as it is shown: without personal details while they are hidden.
  public var shownURL: String?
  /// The same, when what is sent is not what was typed.
  public var difference: String?
  /// Why the request cannot be sent; nil when it can.
  public var problem: String?
  /// What leads to where ``problem`` is corrected, when that is not the request.
  public var correction: AccountAction?
  /// What is wrong in the header fields.
  public var fieldProblem: String?
  /// What is wrong in the body, which can be sent nevertheless.
  public var bodyProblem: String?
  /// The file whose contents are the body; nil for none.
  public var bodyFile: BodyFile?
  /// Which permissions the request needs; nil when that is not known.
  public var permissions: PermissionExplanation?
  /// What is shown in place of the address, because this has personal details that are hidden; nil
  /// when it has none.
  public var coveredAddress: String?
  /// Whether personal details are hidden.
  public var hidesDetails = false
  /// Whether the answer is made anew, because personal details are hidden from now on, or shown.
  public var isRenewing = false
  /// Where the request is kept; nil when it is kept nowhere.
  public var saved: Saved?
  /// The request that the last answer is to; nil when it is the one on the page.
  public var answered: String?
  /// Whether the request that another one has replaced can be brought back with a key.
  public var canBringBack = false
  /// Whose the last answer is, when that is not the account that requests are sent for; nil when it
  /// is, and while a recording answers.
  public var answerAccount: String?
  /// To whose account the window must be switched before what the last answer lacks can be requested,
  /// in words; nil when nothing is lacking, or the account is the window's.
  public var permissionNote: String?
  /// The pause that the service asks for; nil when it does not.
  public var wait: Wait?
  /// What is said while a recording answers in place of the API; nil when none does.
  public var replay: String?
  /// Whether a recording can start.
  public var canRecord = false
  /// Whether other work of the window, which does not end by itself, prevents a request.
  public var isWindowBusy = false

  /// Whether the request can be sent.
  public var canSend: Bool {
    account != nil && sentURL != nil && problem == nil && fieldProblem == nil
      && bodyFile?.hasProblem != true && work == nil && !isWindowBusy
  }

  /// Whether the service has asked for a pause before the request, which can be sent nevertheless.
  public var canSendAnyway: Bool {
    guard case .left? = wait else { return false }
    return canSend && answered == nil && answerAccount == nil
  }

  /// Whether the request is the one of the last answer, and no pause is asked for before it is sent again.
  public var isAnsweredNow: Bool {
    if case .left? = wait { return false }
    return answered == nil && answerAccount == nil
  }

  /// Creates the state of a page that is just opened.
  public init() {}
}

/// What is asked before something that cannot be undone.
public struct ExplorerQuestion: Sendable, Equatable {
  /// The question.
  public var title: String
  /// What is sent or lost.
  public var text: String
  /// The answer that does it, with an underscore before the mnemonic; nil when there is only
  /// something to know.
  public var answer: String?
  /// Whether it is asked because edits would be lost, which ``ExplorerModel/save(then:)`` can save.
  public var isOfEdits = false
}
