import AuthCore
import CGio
import CWebKit
import CurlHTTP
import FoundationEssentials
import Glibc
import Gtk
import Sentences

/// A directory in which the cookies of sign-in pages are kept from one sign-in to the next.
nonisolated struct KeptSession: Sendable {
  private static let header = Array("SQLite format 3\0".utf8)

  let directory: String
  private var cookies: String { Self.cookies(in: directory) }

  private static func cookies(in directory: String) -> String { "\(directory)/cookies.sqlite" }

  /// Whether no session has kept cookies in `directory` yet.
  static func isEmpty(_ directory: String) -> Bool {
    access(cookies(in: directory), F_OK) != 0
  }

  /// Prepares the directory, which only this user can read.
  ///
  /// - Throws: ``AuthenticationError`` when there can be no such directory.
  init(_ directory: String) throws(AuthenticationError) {
    self.directory = directory
    // WebKit gives its files the modes of the umask, so only this directory keeps others out. The
    // umask itself belongs to the user: a browser that this program starts inherits it.
    guard g_mkdir_with_parents(directory, 0o700) == 0, chmod(directory, 0o700) == 0 else {
      throw Self.failure(
        Sentence(
          "The cookies of the sign-in pages cannot be kept in “{directory}”: {reason}",
          ["directory": directory, "reason": String(cString: strerror(errno))]))
    }
    // WebKit would silently use a damaged file as if it were empty, and never write it again.
    if let start = try? FileReader(cookies).piece(Self.header.count), !start.isEmpty,
      !start.starts(with: Self.header)
    {
      unlink(cookies)
    }
  }

  /// Creates the session.
  @MainActor
  func makeSession() -> Object? {
    guard
      let session = webkit.network_session_new("\(directory)/data", "\(directory)/cache").map({
        Object(owning: $0)
      })
    else { return nil }
    webkit.cookie_manager_set_persistent_storage(
      webkit.network_session_get_cookie_manager(session.opaque), cookies,
      WEBKIT_COOKIE_PERSISTENT_STORAGE_SQLITE)
    return session
  }

  /// Deletes what was kept in `directory`.
  static func delete(_ directory: String) throws(AuthenticationError) {
    // Under another name first: WebKit's network process may still write to the files.
    let old = "\(directory).deleted"
    do {
      // The rest of an earlier attempt.
      if access(old, F_OK) == 0 { try FileManager.default.removeItem(atPath: old) }
      guard access(directory, F_OK) == 0 else { return }
      try FileManager.default.moveItem(atPath: directory, toPath: old)
      try FileManager.default.removeItem(atPath: old)
    } catch {
      throw failure(
        Sentence(
          "The cookies of the sign-in pages in “{directory}” cannot be deleted. Delete the folder"
            + " yourself.", ["directory": directory]))
    }
  }

  private static func failure(_ sentence: Sentence) -> AuthenticationError {
    AuthenticationError(.webAuthenticationFailed, sentence, step: .storage)
  }
}
