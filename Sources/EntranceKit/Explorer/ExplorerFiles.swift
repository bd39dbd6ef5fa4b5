import AuthCore
import FoundationEssentials
import HTTPFiles
import Localization

/// The model of the open files of requests, which the Explorer lists with what is in them.
///
/// Their paths are a preference, so that they are open again at the next start. What is in them is
/// read from them, also when another program has changed it.
@MainActor
public final class ExplorerFiles {
  /// A line of the list.
  public struct Row: Sendable, Equatable {
    /// The first line: the name of a file or a request.
    public var title: String
    /// The second line: the folder of a file, the address of a request, or what is wrong.
    public var details: String
    /// The path of the file.
    public var path: String
    /// Which request of the file it is; nil for the file itself.
    public var index: Int?
    /// Whether the second line is what is wrong.
    public var hasProblem = false
    /// All that is to be known about it: the path of a file, or the second line.
    public var tooltip: String
  }

  /// The lines that the search lets through: each file, and its requests.
  public private(set) var rows: [Row] = []
  /// The paths of the open files.
  public private(set) var paths: [String] = []
  /// The observers of the rows and paths.
  public let changes = Observers<Void>()
  /// The observers of each file that was read or written.
  let contents = Observers<RequestFile>()
  /// A text that the rows contain, in any case; empty for all rows.
  public var search = "" { didSet { if search != oldValue { filter() } } }

  private let preferences: Preferences
  private let privacy: Privacy
  /// The lines of each file, whatever the search is: its own and those of its requests.
  private var sections: [(file: Row, requests: [(row: Row, text: SearchText)])] = []
  private var files: [String: RequestFile] = [:]
  /// The last read of each file: an earlier one may end later.
  private var reads: [String: (number: Int, task: Task<Void, Never>)] = [:]
  private var lastRead = 0
  private var observers: [Observer] = []

  init(_ preferences: Preferences, _ privacy: Privacy) {
    self.preferences = preferences
    self.privacy = privacy
    observers = [
      preferences.changes.add { [weak self] key in
        if key == .requestFiles { self?.follow() }
      },
      privacy.changes.add { [weak self] in self?.draw() },
    ]
    follow()
  }

  /// *Open*: lists the file at `path`, until it is closed.
  public func open(_ path: String) {
    guard !paths.contains(path) else { return reload(path) }
    preferences.requestFiles = [path] + paths.prefix(Preferences.mostRequestFiles - 1)
  }

  /// *Close*: lists the file at `path` no more; the file itself stays.
  public func close(_ path: String) { preferences.requestFiles = paths.filter { $0 != path } }

  /// Reads the file at `path` again, because it may have changed.
  public func reload(_ path: String) {
    guard paths.contains(path) else { return }
    lastRead += 1
    let number = lastRead
    let task = Task { [weak self] in
      let file = await RequestFile.read(path)
      guard let self, reads[path]?.number == number, paths.contains(path) else { return }
      set(file)
    }
    reads[path] = (number, task)
  }

  /// Returns when all files are read.
  public func finishReading() async {
    for read in reads.values { await read.task.value }
  }

  /// The file at `path`; nil when it was not read yet.
  func file(at path: String) -> RequestFile? { files[path] }

  /// Takes a file that was just read or written.
  func set(_ file: RequestFile) {
    guard files[file.path] != file else { return }
    files[file.path] = file
    contents.notify(file)
    draw()
  }

  private func follow() {
    let old = paths
    paths = preferences.requestFiles
    for path in paths where !old.contains(path) { reload(path) }
    for path in old where !paths.contains(path) { (files[path], reads[path]) = (nil, nil) }
    draw()
  }

  private func draw() {
    sections = paths.map { path in
      let file = files[path] ?? RequestFile(path: path)
      let isEmpty = file.file?.requests.isEmpty == true
      let details =
        file.problem ?? (isEmpty ? tr("No requests in this file") : HTTPFile.directory(of: path))
      let heading = Row(
        title: privacy.shown(file.name.plain), details: privacy.shown(details.plain), path: path,
        hasProblem: file.problem != nil, tooltip: privacy.shown((file.problem ?? path).plain))
      let requests = (file.file?.requests ?? []).enumerated().map { index, request in
        let problem = request.problems.first.map {
          tr("Line {line}: {reason}", ["line": $0.line, "reason": tr($0.reason)])
        }
        let details = privacy.shown(
          address: problem ?? "\(request.content.method) \(request.content.url)".plain)
        let row = Row(
          title: privacy.shown(address: RequestFile.title(of: request).plain), details: details,
          path: path,
          index: index, hasProblem: problem != nil, tooltip: details)
        return (row, SearchText([row.title, row.details]))
      }
      return (heading, requests)
    }
    filter()
  }

  private func filter() {
    let terms = SearchText.terms(of: search)
    rows = sections.flatMap { file, requests in
      let found = terms.isEmpty ? requests : requests.filter { $0.text.contains(terms) }
      return terms.isEmpty || !found.isEmpty ? [file] + found.map(\.row) : []
    }
    changes.notify(())
  }
}
