import CurlHTTP
import Dispatch
import Glibc

/// Runs another program.
package enum ChildProcess {
  /// Runs a command, detached from this program's terminal, and waits for its end on a separate
  /// thread.
  ///
  /// It inherits this program's environment, but no open files and no blocked or ignored signals.
  /// - Returns: whether the program exists, and exited with status 0.
  package static func run(_ command: [String]) async -> Bool {
    guard let process = start(command) else { return false }
    return await DispatchQueue(label: "child-process").run {
      var status: Int32 = 0
      while waitpid(process, &status, 0) < 0 && errno == EINTR {}
      return status == 0
    }
  }

  /// Starts a command; nil when the program does not exist.
  private static func start(_ command: [String]) -> pid_t? {
    guard let program = command.first else { return nil }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] {
      posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
    }
    // This program's own files are close-on-exec; files inherited at startup are not.
    for name in SystemFiles().names(in: "/proc/self/fd") {
      guard let descriptor = Int32(name), descriptor > STDERR_FILENO else { continue }
      posix_spawn_file_actions_addclose(&actions, descriptor)
    }

    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    // A separate process group: an interrupt from the terminal must reach only this program.
    posix_spawnattr_setpgroup(&attributes, 0)
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)

    var arguments: [UnsafeMutablePointer<CChar>?] = command.map { strdup($0) }
    defer { for argument in arguments { free(argument) } }
    arguments.append(nil)
    var process: pid_t = 0
    return posix_spawnp(&process, program, &actions, &attributes, arguments, environ) == 0
      ? process : nil
  }
}
