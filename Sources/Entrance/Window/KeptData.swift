import AuthCore
import Connections
import EntranceKit
import FoundationEssentials
import Glibc
import Sentences
import WebSignIn

/// What the app keeps in files, besides accounts and preferences.
enum KeptData {
  private static var selections: String { "\(EntranceIdentity.stateDirectory)/selection" }
  private static var histories: String { "\(EntranceIdentity.stateDirectory)/explorer" }
  private static var photos: String { "\(EntranceIdentity.cacheDirectory)/photos" }
  private static var webSessions: String { "\(EntranceIdentity.stateDirectory)/web-sessions" }

  /// The demo's accounts, and those that are only in memory, leave nothing in files.
  private static func isKept(_ connection: Connection) -> Bool {
    !connection.isDemo && connection.storage != .memory
  }

  private static var books: [String: AccountBook] = [:]

  /// What is remembered about a connection's accounts: the same book in all of its windows; nil when
  /// it is not kept.
  static func book(of connection: Connection) -> AccountBook? {
    guard isKept(connection) else { return nil }
    if let book = books[connection.name] { return book }
    let book = AccountBook(
      SelectionFile(directory: selections, connection: connection.name))
    books[connection.name] = book
    return book
  }

  private static var openHistories: [String: ExplorerHistory] = [:]

  /// The Explorer's requests of a connection: the same in all of its windows; nil when they are not
  /// kept.
  static func history(of connection: Connection) -> ExplorerHistory? {
    guard isKept(connection) else { return nil }
    if let history = openHistories[connection.name] { return history }
    let history = ExplorerHistory(
      ExplorerHistoryFile(directory: histories, connection: connection.name))
    openHistories[connection.name] = history
    return history
  }

  /// The profile photos of a connection's accounts; nil when they are not kept.
  static func photos(of connection: Connection) -> PhotoCache? {
    guard isKept(connection) else { return nil }
    return PhotoCache(directory: photos, connection: connection.name)
  }

  /// The directory for the session of a connection's sign-in pages.
  static func webSession(of connection: Connection) -> String { webSession(of: connection.name) }

  private static func webSession(of name: String) -> String {
    "\(webSessions)/\(FileName.hash(name))"
  }

  /// Keeps what belongs to a connection, whether it is open or not, under its new name.
  ///
  /// A second call changes nothing.
  static func rename(_ old: String, to new: String) {
    guard old != new else { return }
    let (book, history) = (books.removeValue(forKey: old), openHistories.removeValue(forKey: old))
    if let book { books[new] = book }
    if let history { openHistories[new] = history }
    if access(webSession(of: old), F_OK) == 0 {
      // What is left of another connection that had the name is not this one's.
      try? FileManager.default.removeItem(atPath: webSession(of: new))
      _ = Glibc.rename(webSession(of: old), webSession(of: new))
    }
    Task {
      await (book ?? AccountBook(SelectionFile(directory: selections, connection: old)))
        .rename(to: new)
      await (history ?? ExplorerHistory(ExplorerHistoryFile(directory: histories, connection: old)))
        .rename(to: new)
      await PhotoCache(directory: photos, connection: old).rename(to: new)
      await ProgramBook(path: EntranceIdentity.programsPath).rename(old, to: new)
    }
  }

  /// Deletes what belongs to a connection whose accounts were signed out, before it is removed.
  ///
  /// - Returns: the errors, of what remains.
  static func forget(_ name: String) -> [AuthenticationError] {
    let book =
      books[name] ?? AccountBook(SelectionFile(directory: selections, connection: name))
    let history =
      openHistories[name]
      ?? ExplorerHistory(ExplorerHistoryFile(directory: histories, connection: name))
    book.clear()
    history.clear()
    Task { await PhotoCache(directory: photos, connection: name).removeAll() }
    return clearWebSessions(in: webSession(of: name))
  }

  /// How many connections have a kept session.
  static var webSessionCount: Int {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: webSessions)) ?? []
    return names.count { access("\(webSessions)/\($0)/cookies.sqlite", F_OK) == 0 }
  }

  /// Deletes everything.
  ///
  /// - Returns: the errors, of what remains.
  static func clear() -> [AuthenticationError] {
    for book in books.values { book.clear() }
    for history in openHistories.values { history.clear() }
    return [selections, histories, photos].compactMap(delete) + clearPrograms() + clearWebSessions()
  }

  /// Deletes the sessions of the sign-in pages.
  ///
  /// - Returns: the errors, of what remains.
  static func clearWebSessions() -> [AuthenticationError] { clearWebSessions(in: webSessions) }

  private static func clearWebSessions(in directory: String) -> [AuthenticationError] {
    do throws(AuthenticationError) {
      try EmbeddedWebSession.deleteCookies(in: directory)
      return []
    } catch {
      return [error]
    }
  }

  /// Deletes the list of programs, with what was decided about them.
  private static func clearPrograms() -> [AuthenticationError] {
    let path = EntranceIdentity.programsPath
    guard unlink(path) != 0, errno != ENOENT else { return [] }
    return [
      AuthenticationError(
        .storageUnavailable,
        Sentence("“{path}” cannot be deleted. Delete the file yourself.", ["path": path]),
        step: .storage)
    ]
  }

  private static func delete(_ directory: String) -> AuthenticationError? {
    guard access(directory, F_OK) == 0 else { return nil }
    do {
      try FileManager.default.removeItem(atPath: directory)
      return nil
    } catch {
      return AuthenticationError(
        .storageUnavailable,
        Sentence(
          "“{directory}” cannot be deleted. Delete the folder yourself.",
          ["directory": directory]), step: .storage)
    }
  }
}
