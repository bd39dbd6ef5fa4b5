public import AuthCore
public import Connections
public import MicrosoftGraph
import Localization

/// The model of the desktop's search: finds accounts and connections by their names.
///
/// It reads what is there, and asks nobody: neither the user nor a server.
@MainActor
public final class SearchModel {
  /// A row of the desktop's list.
  public struct Result: Sendable, Equatable {
    /// The account or connection that was found.
    public var id: SearchResultID
    /// The first line.
    public var title: String
    /// The second line.
    public var details: String
    /// The profile photo, if one is kept.
    public var picture: ProfilePhoto?
  }

  private struct Entry {
    var result: Result
    var text: SearchText
  }

  private let preferences: Preferences
  private let connections: @MainActor () -> [Connection]
  private let reader: @Sendable (Connection) async -> PublicClientApplication?
  private let photos: @MainActor (Connection) -> PhotoCache?
  /// What the last search looked through: names, but no tokens.
  private var entries: [Entry] = []

  /// Creates the model.
  ///
  /// - Parameters:
  ///   - preferences: the user's preferences.
  ///   - connections: reads the connections.
  ///   - reader: reads the accounts of a connection, without asking anyone; nil when that is not
  ///     possible.
  ///   - photos: the kept photos of a connection's accounts.
  public init(
    preferences: Preferences, connections: @escaping @MainActor () -> [Connection],
    reader: @escaping @Sendable (Connection) async -> PublicClientApplication?,
    photos: @escaping @MainActor (Connection) -> PhotoCache?
  ) {
    self.preferences = preferences
    self.connections = connections
    self.reader = reader
    self.photos = photos
  }

  /// Searches anew for what has all `terms`, accounts first.
  public func find(_ terms: [String]) async -> [SearchResultID] {
    entries = await read()
    return entries.filter { $0.text.contains(terms) }.map(\.result.id)
  }

  /// Searches in what was found before, when the user has typed more.
  public func find(_ terms: [String], among ids: [SearchResultID]) async -> [SearchResultID] {
    let known = await known(ids)
    return known.filter { $0.text.contains(terms) }.map(\.result.id)
  }

  /// The rows of `ids`, without what no longer exists.
  public func results(_ ids: [SearchResultID]) async -> [Result] {
    await known(ids).map(\.result)
  }

  /// The entries of `ids`, which another run of the program may have found.
  private func known(_ ids: [SearchResultID]) async -> [Entry] {
    let read = Set(entries.map(\.result.id))
    if !ids.allSatisfy(read.contains) { entries = await self.read() }
    // What was found before may be hidden now.
    if !showsAccounts { entries.removeAll { $0.result.id.account != nil } }
    let found = Dictionary(entries.map { ($0.result.id, $0) }) { first, _ in first }
    return ids.compactMap { found[$0] }
  }

  /// On a shared device, and while the screen is shared, the desktop's search tells nobody who has signed
  /// in.
  private var showsAccounts: Bool {
    !preferences.isSharedDevice && !preferences.hidesPersonalDetails
  }

  private func read() async -> [Entry] {
    let connections = connections()
    var (accounts, places): ([Entry], [Entry]) = ([], [])
    for connection in connections {
      places.append(entry(connection))
      guard showsAccounts, let application = await reader(connection) else { continue }
      for account in await application.ownAccounts() where application.isAccount(account) {
        let picture = await photos(connection)?.picture(of: AccountKey(account))
        accounts += application.tenants(of: account).map { tenant in
          var row = AccountRow(account, tenant.profile, tenantID: tenant.id, at: connection)
          row.picture = picture
          return entry(row, of: connection, isOnly: connections.count == 1)
        }
      }
    }
    return showsAccounts ? accounts + places : places
  }

  private func entry(
    _ row: AccountRow, of connection: Connection, isOnly: Bool
  ) -> Entry {
    let details = [row.displayName, row.membership, isOnly ? nil : connection.name.plain]
    return Entry(
      result: Result(
        id: SearchResultID(connection: connection.name, account: row.id), title: row.username,
        details: details.compactMap(\.self).filter { !$0.isEmpty }.joined(separator: " · "),
        picture: row.picture),
      text: SearchText([row.username, row.displayName, row.organization]))
  }

  private func entry(_ connection: Connection) -> Entry {
    Entry(
      result: Result(
        id: SearchResultID(connection: connection.name), title: connection.name.plain,
        details: tr("App in Entrance")),
      text: SearchText([connection.summary]))
  }
}
