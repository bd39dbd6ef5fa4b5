import AuthCore
public import FoundationEssentials
import Localization
import MicrosoftGraph

/// The model of the Explorer's list: samples and the last requests, as a search lets them through.
@MainActor
public final class ExplorerListModel {
  /// A line of the list, which can be put in place of the request.
  public struct Row: Sendable, Equatable {
    /// The first line.
    public var title: String
    /// The second line.
    public var details: String
    /// What samples it is listed with; nil for a request of the history.
    var subject: String?
    /// When it was sent; nil for a sample.
    public var date: Date?
    /// The request.
    public var request: ExplorerRequest
    /// Its address as it is shown: without personal details while they are hidden.
    public internal(set) var shownAddress: String

    init(title: String, details: String, date: Date?, request: ExplorerRequest) {
      (self.title, self.details, self.date, self.request) = (title, details, date, request)
      shownAddress = request.address
    }
  }

  /// A line of a list.
  ///
  /// An enum: the lists have nothing else.
  public enum Line: Sendable, Equatable {
    /// What the samples below it are about.
    case heading(String)
    /// A sample, or a request that was sent.
    case request(Row)

    /// The request; nil for a heading.
    public var row: Row? {
      guard case .request(let row) = self else { return nil }
      return row
    }
  }

  /// The samples that the search lets through.
  public private(set) var samples: [Row] = []
  /// The same with a heading before those of each subject.
  public private(set) var sampleLines: [Line] = []
  /// The last requests that the search lets through, the latest first.
  public private(set) var history: [Row] = []
  /// Whether nothing was sent yet.
  public var isHistoryEmpty: Bool { recorded == nil && log.entries.isEmpty }
  /// Whether ``ExplorerModel/clearHistory()`` has something to do.
  public var canClear: Bool { recorded == nil && !log.entries.isEmpty }
  /// The requests of the recording that is replayed, in place of the history; nil without one.
  private var recorded: [Row]? { didSet { draw() } }
  /// The observers of the rows.
  public let changes = Observers<Void>()
  /// A text that the rows contain, in any case; empty for all rows.
  public var search = "" { didSet { if search != oldValue { draw() } } }

  /// Whether there are samples: they are requests to Microsoft Graph.
  public internal(set) var hasSamples = true { didSet { if hasSamples != oldValue { draw() } } }

  /// Whether the history keeps requests.
  public var keepsRequests: Bool { preferences.requestRetention != .nothing }
  /// Whether the history keeps the bodies of requests.
  public var keepsBodies: Bool { preferences.keepsBodies }

  private let log: ExplorerHistory
  private var all: [ExplorerSample] = ExplorerSample.all
  private let privacy: Privacy
  private let preferences: Preferences
  private var observers: [Observer] = []

  /// Shows the requests of a recording in place of the history; nil for the history.
  func show(recorded rows: [Row]?) { recorded = rows }

  init(_ workspace: Workspace) {
    let log = workspace.history
    self.log = log
    (privacy, preferences) = (workspace.privacy, workspace.preferences)
    observers = [
      log.changes.add { [weak self] in self?.draw() },
      privacy.changes.add { [weak self] in self?.draw() },
      preferences.changes.add { [weak self] key in
        if key == .keepsBodies || key == .requestRetention { self?.draw() }
      },
    ]
    draw()
    Task { [weak self] in
      await log.load()
      // The permissions are in a table that takes a moment to read.
      let described = await ExplorerSample.described()
      self?.all = described
      self?.draw()
    }
  }

  private func draw() {
    let terms = SearchText.terms(of: search)
    func matches(_ row: Row) -> Bool {
      terms.isEmpty || SearchText([row.title, row.details, row.request.address]).contains(terms)
    }
    samples = (hasSamples ? all : []).map {
      var row = Row(title: $0.title, details: $0.details, date: nil, request: $0.request)
      row.subject = $0.subject
      return row
    }.map { shown($0) }.filter(matches)
    sampleLines = []
    for (index, row) in samples.enumerated() {
      let isFirst = index == 0 || samples[index - 1].subject != row.subject
      if isFirst, let subject = row.subject { sampleLines.append(.heading(subject)) }
      sampleLines.append(.request(row))
    }
    history = (recorded ?? sent).map { shown($0) }.filter(matches)
    changes.notify(())
  }

  /// A row as it is shown.
  private func shown(_ row: Row) -> Row {
    var row = row
    (row.title, row.shownAddress) = (
      privacy.shown(address: row.title), privacy.shown(address: row.shownAddress)
    )
    return row
  }

  /// The last requests.
  private var sent: [Row] {
    log.entries.map {
      Row(
        title: "\($0.method.rawValue) \($0.address)".plain, details: Self.details(of: $0),
        date: $0.date, request: $0.request)
    }
  }

  /// The status of a request, the one before, and what was not kept of it.
  private static func details(of entry: SentRequests.Entry) -> String {
    let status = entry.status.map(HTTPStatusText.text) ?? tr("No Response")
    let earlier = entry.earlierStatus.map {
      tr("Before: {status}", ["status": HTTPStatusText.text($0)])
    }
    let remark = entry.lacksFields ? tr("Some header fields were not kept") : nil
    return [status, earlier, remark].compactMap(\.self).joined(separator: " · ")
  }
}
