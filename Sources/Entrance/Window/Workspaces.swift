import AuthCore
import Clients
import Connections
import CurlHTTP
import EntranceKit
import Localization
import MicrosoftGraph
import Sentences

/// The open connections: each is open once, whatever the number of its windows.
@MainActor
final class Workspaces {
  private struct Entry {
    weak var connection: OpenConnection?
  }

  private var entries: [Entry] = []
  fileprivate let preferences: Preferences

  init(preferences: Preferences) {
    self.preferences = preferences
  }

  /// Opens `connection`, or finds it open.
  ///
  /// Each demo has a service of its own, so it is never shared. A connection that its window left follows
  /// edits and changes of the settings since then: its accounts may be only in memory.
  /// - Throws: why it cannot be used.
  func open(_ connection: Connection) throws(ConnectionProblem) -> OpenConnection {
    if connection.isDemo { return try OpenConnection(connection, of: self) }
    let open = try findOrOpen(connection)
    noteUse(of: connection)
    return open
  }

  /// Remembers that `connection` is used: the program begins with it the next time.
  func noteUse(of connection: Connection) {
    if !connection.isDemo { preferences.lastApp = connection.name }
  }

  private func findOrOpen(_ connection: Connection) throws(ConnectionProblem) -> OpenConnection {
    let same = find(connection)
    // While its windows work, they follow the settings later.
    if let same, same.workspace.isBusy { return same }
    let named = entries.compactMap(\.connection).last { $0.keptName == connection.name }
    // Also when the connection is as it was: no window has it follow the settings after its own left it.
    if let known = same ?? named, !known.workspace.isBusy, try known.follow(connection) {
      return known
    }
    let open = try OpenConnection(connection, of: self)
    entries.removeAll { $0.connection == nil }
    entries.append(Entry(connection: open))
    return open
  }

  /// Keeps what belongs to a connection, whether it is open or not, under its new name.
  func rename(_ old: String, to new: String) {
    KeptData.rename(old, to: new)
    if preferences.lastApp == old { preferences.lastApp = new }
    for open in entries.compactMap(\.connection) where open.keptName == old { open.keptName = new }
  }

  /// What all open connections share with their windows, also those that windows have left.
  var all: [Workspace] { entries.compactMap { $0.connection?.workspace } }

  /// The client of `connection`, if it is open.
  func client(of connection: Connection) -> Client? { find(connection)?.client }

  /// The last that was opened as `connection` is now.
  private func find(_ connection: Connection) -> OpenConnection? {
    entries.compactMap(\.connection).last { $0.connection == connection }
  }
}

/// Why a connection cannot be used, in words.
enum ConnectionProblem: Error {
  /// Its certificate authorities.
  case trust(Sentence)
  /// Its API.
  case api(Sentence)

  /// Why, in a sentence.
  var sentence: Sentence {
    switch self {
    case .trust(let sentence), .api(let sentence): sentence
    }
  }

  /// The field of `apps.json` that it is about.
  var field: String {
    switch self {
    case .trust: ConnectionFields.shared.caFile.name
    case .api: ConnectionFields.shared.api.name
    }
  }
}

/// An open connection: its workspace, and the client that this works with.
@MainActor
final class OpenConnection {
  /// The connection, as `apps.json` has it.
  private(set) var connection: Connection
  /// What the data that belongs to it is kept under: its name now, although a window that has left the
  /// connection does not follow its edits.
  fileprivate var keptName: String
  /// What works with it; the settings of this computer apply to its connection.
  private(set) var client: Client
  /// What its windows share.
  let workspace: Workspace
  private let libraryLog = LibraryLog()
  private let workspaces: Workspaces

  fileprivate init(
    _ connection: Connection, of workspaces: Workspaces
  ) throws(ConnectionProblem) {
    self.connection = connection
    keptName = connection.name
    self.workspaces = workspaces
    let (preferences, kept) = (workspaces.preferences, KeptData.kept(of: connection))
    client = Client(
      Self.withSettings(connection, preferences), logger: libraryLog.logger,
      logMasking: libraryLog.masking, recording: { RecordableTransport(over: $0) })
    workspace = Workspace(
      application: client.application, graph: try Self.graph(of: client),
      connection: client.connection, store: client.ownStore, accountNotes: kept?.accountNotes,
      history: kept?.history, photos: kept?.photos, preferences: preferences,
      libraryLog: libraryLog, transport: Self.transport(of: client))
  }

  /// Uses the connection after an edit, or after a change of the settings, with the same accounts;
  /// while a window works, there is no change.
  ///
  /// - Returns: false when the edit changes whose accounts they are.
  /// - Throws: why it cannot be used. The connection stays as it was: its accounts may be only in
  ///   memory.
  func follow(_ changed: Connection) throws(ConnectionProblem) -> Bool {
    let settings = Self.withSettings(changed, workspaces.preferences)
    guard settings != client.connection else { return true }
    let next = Client(
      settings, takingOver: client, logger: libraryLog.logger, logMasking: libraryLog.masking,
      recording: { RecordableTransport(over: $0) })
    guard let next else { return false }
    let graph = try Self.graph(of: next)
    // The list of apps has done it; an editor of the file has not.
    if changed.name != keptName { workspaces.rename(keptName, to: changed.name) }
    (connection, client) = (changed, next)
    workspace.use(
      next.connection, next.application, graph, transport: Self.transport(of: next))
    return true
  }

  private static func transport(of client: Client) -> RecordableTransport? {
    client.exchanges as? RecordableTransport
  }

  private static func graph(of client: Client) throws(ConnectionProblem) -> GraphClient {
    if let problem = client.trust.problem { throw .trust(problem) }
    do throws(GraphError) {
      return try client.graph()
    } catch {
      throw .api(error.sentence)
    }
  }

  private static func withSettings(
    _ connection: Connection, _ preferences: Preferences
  ) -> Connection {
    var connection = connection
    connection.application.isSharedDevice = preferences.isSharedDevice
    return connection
  }
}
