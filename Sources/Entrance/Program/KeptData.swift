import AuthCore
import Connections
import EntranceKit
import FoundationEssentials
import Glibc
import Sentences
import WebSignIn

/// What the app keeps in files, besides accounts and preferences.
enum KeptData {
  private static let connections = KeptConnections(
    state: EntranceIdentity.stateDirectory, cache: EntranceIdentity.cacheDirectory)

  /// What is kept about a connection's accounts; nil for the demo, and for accounts that are only in
  /// memory, which leave nothing in files.
  static func kept(of connection: Connection) -> KeptConnections.Kept? {
    guard !connection.isDemo, connection.storage != .memory else { return nil }
    return connections[connection.name]
  }

  /// The directory for the session of a connection's sign-in pages.
  static func webSession(of connection: Connection) -> String {
    connections.webSession(of: connection.name)
  }

  /// Keeps what belongs to a connection, whether it is open or not, under its new name.
  static func rename(_ old: String, to new: String) {
    connections.rename(old, to: new)
    Task { await ProgramList(path: EntranceIdentity.programsPath).rename(old, to: new) }
  }

  /// Deletes what belongs to a connection whose accounts were signed out, before it is removed.
  ///
  /// - Returns: the errors, of what remains.
  static func forget(_ name: String) -> [AuthenticationError] {
    connections.forget(name)
    return clearWebSessions(in: connections.webSession(of: name))
  }

  /// Forgets what may not be kept any more of the Explorer's requests.
  static func forgetRequests(by rule: RequestRule) { connections.forgetRequests(by: rule) }

  /// How many connections have a kept session.
  static var webSessionCount: Int {
    let directory = connections.webSessions
    let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
    return names.count { access("\(directory)/\($0)/cookies.sqlite", F_OK) == 0 }
  }

  /// Deletes everything.
  ///
  /// - Returns: the errors, of what remains.
  static func clear() -> [AuthenticationError] {
    connections.clear()
    return connections.directories.compactMap(delete) + clearPrograms() + clearWebSessions()
  }

  /// Deletes the sessions of the sign-in pages.
  ///
  /// - Returns: the errors, of what remains.
  static func clearWebSessions() -> [AuthenticationError] {
    clearWebSessions(in: connections.webSessions)
  }

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
