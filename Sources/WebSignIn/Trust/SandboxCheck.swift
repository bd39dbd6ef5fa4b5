import Gio
import AuthCore
import CGio
import CWebKit
import Gtk
import Sentences

/// Checks whether WebKit can run its pages in a sandbox.
///
/// WebKit aborts the whole program when it cannot, or goes without. So an empty sandbox is tried
/// first, in a separate process.
enum SandboxCheck {
  /// The time limit for the check: slow computers need more than a second.
  private static let limit = Duration.seconds(15)

  /// A socket's path can have 107 bytes, and WebKit adds names to the directory's path.
  private static let longestFolder = 107 - "/webkitgtk/a11y-proxy-XXXXXX".utf8.count

  /// A trial in progress.
  typealias Trial = Task<Result<Ending, GLibError>, Never>

  /// Starts an empty sandbox; nil when there is nothing to try.
  static func begin() -> Trial? {
    PageSandbox.current.trial.map { trial in
      // Immediate: the process runs while this thread does something else.
      Task.immediate {
        do throws(GLibError) {
          return .success(
            try await ending(of: [path(of: trial[0]) ?? trial[0]] + trial.dropFirst()))
        } catch {
          return .failure(error)
        }
      }
    }
  }

  /// Returns when sandboxes work.
  ///
  /// - Parameter trial: from ``begin()``.
  /// - Throws: ``AuthenticationError`` that says what is missing.
  static func finish(_ trial: Trial?) async throws(AuthenticationError) {
    let sandbox = PageSandbox.current
    for program in sandbox.programs where path(of: program.name) == nil {
      throw missing(program.name, package: program.package)
    }
    if sandbox == .bubblewrap { try await checkPaths() }
    guard let trial else { return }
    let outcome = await withTaskCancellationHandler {
      await trial.value
    } onCancel: {
      trial.cancel()
    }
    switch outcome {
    case .success(.success): return
    case .success(.failure): throw refused(sandbox, because: "")
    case .success(.tooLate): throw slow()
    case .failure(let error):
      if Task.isCancelled { throw .signInCanceled }
      throw refused(sandbox, because: " (\(error.message))")
    }
  }

  /// Checks the paths that WebKit passes to bubblewrap.
  private static func checkPaths() async throws(AuthenticationError) {
    if let address = await BusAddress.makeReadable() {
      throw AuthenticationError(
        .webAuthenticationFailed,
        Sentence(
          "The sign-in page cannot be shown, because WebKitGTK cannot read the address of a message"
            + " bus, “{address}”. Set XDG_RUNTIME_DIR to a folder whose path has only plain"
            + " letters, start a new session, and try again.",
          ["address": address]))
    }
    let folder = g_get_user_runtime_dir().map { String(cString: $0) } ?? ""
    guard folder.utf8.count <= Self.longestFolder else {
      throw AuthenticationError(
        .webAuthenticationFailed,
        Sentence(
          "The sign-in page cannot be shown, because the path of the folder for sockets is too"
            + " long: “{folder}”. Set XDG_RUNTIME_DIR to a folder with a shorter path, start a new"
            + " session, and try again.",
          ["folder": folder]))
    }
  }

  /// How a trial ends.
  enum Ending { case success, failure, tooLate }

  private static func ending(of command: [String]) async throws(GLibError) -> Ending {
    let flags = GSubprocessFlags(
      rawValue: G_SUBPROCESS_FLAGS_STDOUT_SILENCE.rawValue
        | G_SUBPROCESS_FLAGS_STDERR_SILENCE.rawValue)
    let started = try GLibError.check { error in
      CStringArray(command).withPointer { g_subprocess_newv($0, flags, &error) }
    }
    guard let started else { return .failure }
    let process = Object(owning: started)
    var isLate = false
    let watchdog = Task {
      try await Task.sleep(for: limit)
      isLate = true
      g_subprocess_force_exit(process.opaque)
    }
    defer { watchdog.cancel() }
    try await awaitOperation { cancellable, ready, data in
      g_subprocess_wait_async(process.opaque, cancellable, ready, data)
    } finish: { result, error in
      _ = g_subprocess_wait_finish(process.opaque, result, &error)
    }
    return g_subprocess_get_successful(process.opaque) != 0
      ? .success : isLate ? .tooLate : .failure
  }

  private static func path(of program: String) -> String? {
    // WebKit is built with an absolute path, usually this one, and does not search.
    let usual = "/usr/bin/\(program)"
    if g_file_test(usual, G_FILE_TEST_IS_EXECUTABLE) != 0 { return usual }
    return String(owning: g_find_program_in_path(program))
  }

  private static func missing(_ program: String, package: String) -> AuthenticationError {
    AuthenticationError(
      .webAuthenticationFailed,
      Sentence(
        "The sign-in page needs the program “{program}”, which isolates web pages from your files."
          + " Install the package “{package}” and try again.",
        ["program": program, "package": package]))
  }

  private static func slow() -> AuthenticationError {
    AuthenticationError(
      .webAuthenticationFailed,
      Sentence(
        "The sign-in page cannot be shown yet, because isolating it from your files takes too long."
          + " Try again when the computer is less busy."))
  }

  private static func refused(_ sandbox: PageSandbox, because reason: String)
    -> AuthenticationError
  {
    AuthenticationError(.webAuthenticationFailed, refusal(sandbox, because: reason))
  }

  private static func refusal(_ sandbox: PageSandbox, because reason: String) -> Sentence {
    if sandbox == .flatpak {
      return Sentence(
        "The sign-in page cannot be shown, because Flatpak cannot start a sandbox for it{reason}."
          + " Update Flatpak and try again.",
        ["reason": reason])
    }
    switch PageSandbox.obstacle {
    case .appArmor:
      return Sentence(
        "The sign-in page cannot be shown, because AppArmor does not let it be isolated from your"
          + " files. Give this program an AppArmor profile with the permission “userns”, and try"
          + " again.")
    case .setting(let name):
      return Sentence(
        "The sign-in page cannot be shown, because the kernel setting “{name}” is 0, so that it"
          + " cannot be isolated from your files. Set it to a higher number and try again.",
        ["name": name])
    case nil:
      return Sentence(
        "The sign-in page cannot be shown, because this system does not let it be isolated from"
          + " your files{reason}. Allow unprivileged user namespaces for this program and try"
          + " again.",
        ["reason": reason])
    }
  }
}
