import CurlHTTP
import Dispatch
package import Glibc

/// Runs another program.
package enum ChildProcess {
  /// Runs a command, detached from this program's terminal, and waits for its end on a separate
  /// thread.
  ///
  /// It inherits this program's environment, but no open files and no blocked or ignored signals.
  /// - Returns: whether the program exists, and exited with status 0.
  package static func run(_ command: [String]) async -> Bool {
    let words = command.map { Array($0.utf8) }
    guard let process = try? start(words, environment: nil, isAttached: false, ignoring: []) else {
      return false
    }
    return await DispatchQueue(label: "child-process").run {
      var status: Int32 = 0
      while waitpid(process, &status, 0) < 0 && errno == EINTR {}
      return status == 0
    }
  }

  /// Runs a command in this program's place: with its terminal, streams and process group.
  ///
  /// It inherits the files that this program was started with, and no blocked signals.
  /// - Parameters:
  ///   - command: the program and its arguments, in bytes: neither has to be UTF-8.
  ///   - environment: its environment, before `variables` are changed in it.
  ///   - variables: the variables to set, and with nil those to remove.
  ///   - ignored: the signals that it ignores from the start, as exec(3) passes them on.
  ///   - started: called with the process as soon as there is one. It is this program's child
  ///     until `ended` is called, so that a signal can reach no other.
  package static func run(
    _ command: [[UInt8]], environment: [[UInt8]], variables: [String: String?],
    ignoring ignored: [Int32],
    started: @Sendable (pid_t) -> Void, ended: @escaping @Sendable () -> Void
  ) async throws(StartFailure) -> End {
    let process = try start(
      command, environment: changed(environment, by: variables), isAttached: true,
      ignoring: ignored)
    started(process)
    return await DispatchQueue(label: "child-process").run {
      var information = siginfo_t()
      while waitid(P_PID, id_t(process), &information, WEXITED | WNOWAIT) < 0 && errno == EINTR {}
      ended()
      var status: Int32 = 0
      while waitpid(process, &status, 0) < 0 && errno == EINTR {}
      // WIFEXITED and WEXITSTATUS of wait(2).
      return status & 0x7f == 0 ? .exited(status >> 8 & 0xff) : .killed(signal: status & 0x7f)
    }
  }

  /// How a program ended.
  package enum End: Sendable, Equatable {
    case exited(Int32)
    case killed(signal: Int32)
  }

  /// A program could not be started, for the reason `errno`.
  package struct StartFailure: Error {
    package let errno: Int32
  }

  /// This program's environment: the bytes of each `name=value`.
  package static var environment: [[UInt8]] {
    var entries: [[UInt8]] = []
    var next = environ
    while let entry = next.pointee {
      entries.append(bytes(of: entry))
      next += 1
    }
    return entries
  }

  /// The bytes of a C string.
  package static func bytes(of text: UnsafePointer<CChar>) -> [UInt8] {
    Array(UnsafeRawBufferPointer(start: text, count: strlen(text)))
  }

  /// An environment with `variables` changed.
  private static func changed(
    _ entries: [[UInt8]], by variables: [String: String?]
  ) -> [[UInt8]] {
    let names = Set(variables.keys.map { Array($0.utf8) })
    let others = entries.filter { !names.contains(Array($0.prefix { $0 != UInt8(ascii: "=") })) }
    return others
      + variables.compactMap { name, value in value.map { Array("\(name)=\($0)".utf8) } }
  }

  /// Starts a command.
  ///
  /// - Parameters:
  ///   - environment: its environment; this program's with nil.
  ///   - isAttached: whether it has this program's terminal, streams and other files.
  ///   - ignored: the signals that it ignores.
  private static func start(
    _ command: [[UInt8]], environment: [[UInt8]]?, isAttached: Bool, ignoring ignored: [Int32]
  ) throws(StartFailure) -> pid_t {
    guard !command.isEmpty else { throw StartFailure(errno: ENOENT) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where !isAttached {
      posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
    }
    // This program's own files are close-on-exec; files inherited at startup are not.
    for name in isAttached ? [] : SystemFiles().names(in: "/proc/self/fd") {
      guard let descriptor = Int32(name), descriptor > STDERR_FILENO else { continue }
      posix_spawn_file_actions_addclose(&actions, descriptor)
    }

    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
    // A separate process group: an interrupt from the terminal must reach only this program.
    if !isAttached { flags |= POSIX_SPAWN_SETPGROUP }
    posix_spawnattr_setflags(&attributes, Int16(flags))
    posix_spawnattr_setpgroup(&attributes, 0)
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    sigfillset(&signals)
    for signal in ignored { sigdelset(&signals, signal) }
    posix_spawnattr_setsigdefault(&attributes, &signals)

    var process: pid_t = 0
    let result = withPointers(to: command) { arguments in
      guard let program = arguments[0] else { return ENOMEM }
      guard let environment else {
        return posix_spawnp(&process, program, &actions, &attributes, arguments, environ)
      }
      return withPointers(to: environment) {
        posix_spawnp(&process, program, &actions, &attributes, arguments, $0)
      }
    }
    guard result == 0 else { throw StartFailure(errno: result) }
    return process
  }

  /// Calls `body` with `texts` as a C array of strings.
  private static func withPointers<Value>(
    to texts: [[UInt8]], _ body: ([UnsafeMutablePointer<CChar>?]) -> Value
  ) -> Value {
    let pointers: [UnsafeMutablePointer<CChar>?] = texts.map { text in
      (text + [0]).withUnsafeBytes { bytes in
        bytes.assumingMemoryBound(to: CChar.self).baseAddress.flatMap { strdup($0) }
      }
    }
    defer { for pointer in pointers { free(pointer) } }
    return body(pointers + [nil])
  }
}
