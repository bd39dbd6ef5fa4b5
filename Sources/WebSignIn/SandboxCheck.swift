import AuthCore
import CGio
import CWebKit
import Gtk
import Sentences

/// Checks whether WebKit can run its pages in a sandbox.
///
/// WebKit aborts the whole program when it cannot. So an empty sandbox is tried first, in a
/// separate process.
enum SandboxCheck {
  /// The time limit for the check.
  private static let limit = Duration.seconds(1)

  /// A socket's path can have 107 bytes, and WebKit adds names to the directory's path.
  private static let longestFolder = 107 - "/webkitgtk/a11y-proxy-XXXXXX".utf8.count

  /// Returns when sandboxes work.
  ///
  /// - Throws: ``AuthenticationError`` that says what is missing.
  static func run() async throws(AuthenticationError) {
    guard let bubblewrap = path(of: "bwrap") else { throw missing("bwrap", package: "bubblewrap") }
    guard path(of: "xdg-dbus-proxy") != nil else {
      throw missing("xdg-dbus-proxy", package: "xdg-dbus-proxy")
    }
    if let address = await BusAddress.makeReadable() {
      throw AuthenticationError(
        .webAuthenticationFailed,
        Sentence(
          "The sign-in page cannot be shown, because WebKitGTK cannot read the address of a message"
            + " bus, “{address}”. Set XDG_RUNTIME_DIR to a folder whose path has only plain"
            + " letters, start a new session and try again.",
          ["address": address]))
    }
    let folder = g_get_user_runtime_dir().map { String(cString: $0) } ?? ""
    guard folder.utf8.count <= Self.longestFolder else {
      throw AuthenticationError(
        .webAuthenticationFailed,
        Sentence(
          "The sign-in page cannot be shown, because the path of the folder for sockets is too"
            + " long: “{folder}”. Set XDG_RUNTIME_DIR to a folder with a shorter path, start a new"
            + " session and try again.",
          ["folder": folder]))
    }
    do {
      if try await succeeds(bubblewrap) { return }
    } catch {
      if Task.isCancelled { throw .signInCanceled }
      throw refused(because: " (\(error.message))")
    }
    throw refused(because: "")
  }

  private static func succeeds(_ bubblewrap: String) async throws(GLibError) -> Bool {
    let started = try GLibError.check { entrance_try_sandbox(bubblewrap, &$0) }
    guard let started else { return false }
    let process = Object(owning: started)
    let watchdog = Task {
      try await Task.sleep(for: limit)
      g_subprocess_force_exit(process.opaque)
    }
    defer { watchdog.cancel() }
    try await awaitOperation { cancellable, ready, data in
      g_subprocess_wait_async(process.opaque, cancellable, ready, data)
    } finish: { result, error in
      _ = g_subprocess_wait_finish(process.opaque, result, &error)
    }
    return g_subprocess_get_successful(process.opaque) != 0
  }

  private static func path(of program: String) -> String? {
    // WebKit is built with an absolute path, usually this one, and does not search.
    let usual = "/usr/bin/\(program)"
    if g_file_test(usual, G_FILE_TEST_IS_EXECUTABLE) != 0 { return usual }
    guard let found = g_find_program_in_path(program) else { return nil }
    defer { g_free(found) }
    return String(cString: found)
  }

  private static func missing(_ program: String, package: String) -> AuthenticationError {
    AuthenticationError(
      .webAuthenticationFailed,
      Sentence(
        "The sign-in page needs the program “{program}”, which isolates web pages from your files."
          + " Install the package “{package}” and try again.",
        ["program": program, "package": package]))
  }

  private static func refused(because reason: String) -> AuthenticationError {
    AuthenticationError(
      .webAuthenticationFailed,
      Sentence(
        "The sign-in page cannot be shown, because this system does not let it be isolated from"
          + " your files{reason}. Allow unprivileged user namespaces for this program, for example"
          + " with an AppArmor profile, and try again.",
        ["reason": reason]))
  }
}
