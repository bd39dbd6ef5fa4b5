import FoundationEssentials
import Glibc

/// What is kept in files about the accounts of each connection.
@MainActor
public final class KeptConnections {
  /// What is kept about the accounts of one: the same in all of its windows.
  public struct Kept: Sendable {
    /// Remembers the selected account and the user's notes.
    public let accountNotes: AccountNotesFile
    /// Remembers the Explorer's requests.
    public let history: ExplorerHistory
    /// Keeps profile photos.
    public let photos: PhotoCache
  }

  /// The directory of the sessions of sign-in pages.
  public let webSessions: String
  private let selections: String
  private let histories: String
  private let photos: String
  private var open: [String: Kept] = [:]

  /// Keeps it in the program's directories for its state and its cache.
  public init(state: String, cache: String) {
    webSessions = "\(state)/web-sessions"
    selections = "\(state)/selection"
    histories = "\(state)/explorer"
    photos = "\(cache)/photos"
  }

  /// The directories of everything but the sessions.
  public var directories: [String] { [selections, histories, photos] }

  /// What is kept about the accounts of the connection called `name`.
  public subscript(name: String) -> Kept {
    if let kept = open[name] { return kept }
    let kept = Kept(
      accountNotes: AccountNotesFile(in: selections, of: name),
      history: ExplorerHistory(in: histories, of: name),
      photos: PhotoCache(directory: photos, connection: name))
    open[name] = kept
    return kept
  }

  /// The directory for the session of the sign-in pages of the connection called `name`.
  public func webSession(of name: String) -> String { "\(webSessions)/\(HashedFileName.of(name))" }

  /// Keeps what belongs to a connection, whether it is open or not, under its new name.
  ///
  /// - Returns: the task that moves the files; nil when the name is the same.
  @discardableResult
  public func rename(_ old: String, to new: String) -> Task<Void, Never>? {
    guard old != new else { return nil }
    let (kept, left) = (self[old], open[new])
    (open[old], open[new]) = (nil, kept)
    // What is left of another connection that had the name is not this one's.
    try? FileManager.default.removeItem(atPath: webSession(of: new))
    _ = Glibc.rename(webSession(of: old), webSession(of: new))
    return Task {
      // A window may still be open that shows the other connection.
      await left?.accountNotes.leaveFile()
      await left?.history.leaveFile()
      await left?.photos.removeAll()
      await kept.accountNotes.rename(to: new)
      await kept.history.rename(to: new)
      await kept.photos.rename(to: new)
    }
  }

  /// Forgets what is kept of the connection called `name`, but for its session.
  public func forget(_ name: String) {
    let kept = self[name]
    kept.accountNotes.clear()
    kept.history.clear()
    Task { await kept.photos.removeAll() }
  }

  /// Forgets what may not be kept any more of requests, also of connections that are not open.
  ///
  /// - Returns: the task that removes it from the files.
  @discardableResult
  public func forgetRequests(by rule: RequestRule) -> Task<Void, Never> {
    Task { [open, histories] in
      let now = Date()
      for kept in open.values {
        await kept.history.load()
        kept.history.change { $0 = rule.kept($0, at: now) }
      }
      for file in await KeptFileStorage.all(in: histories, except: Array(open.keys)) {
        await file.change { (found: SentRequests) in rule.kept(found, at: now) }
      }
    }
  }

  /// Forgets what is open, before the directories are removed.
  public func clear() {
    for kept in open.values {
      kept.accountNotes.clear()
      kept.history.clear()
    }
  }
}
