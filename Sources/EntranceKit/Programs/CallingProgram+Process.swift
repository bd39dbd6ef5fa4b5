import Glibc

extension CallingProgram {
  /// The program that a process runs; nil when it has ended.
  ///
  /// A script is known by its own file, and not by its interpreter's.
  /// - Parameter root: where the system describes its processes.
  public init?(process: Int32, in root: String = "/proc") {
    guard let process = SystemProcess(process, in: root) else { return nil }
    self.init(process)
  }

  /// The program that a command would run.
  ///
  /// - Parameter file: the path of its program.
  public init(file: String, arguments: [String], directory: String?) {
    let isInterpreter = Self.interpreters.contains { Self.name(of: file).hasPrefix($0) }
    let isShell = Self.shells.contains(Self.name(of: file))
    let script =
      isInterpreter || isShell ? Self.script(arguments.dropFirst(), in: directory) : nil
    self.init(.file, script ?? file)
  }

  /// The program that started this process, such as git or a mail program; the person at a terminal
  /// when none did.
  ///
  /// Shells, and commands that only start another one, are passed over: many programs run a command
  /// by `sh -c`.
  public static func caller() -> CallingProgram {
    caller(of: getppid(), isAncestor: true) ?? .person
  }

  /// The program that had `process` started, or that it runs itself; nil when that has ended.
  ///
  /// - Parameters:
  ///   - root: where the system describes its processes.
  ///   - isAncestor: whether the process had this program started, for example by `unshare`.
  public static func caller(
    of process: Int32, in root: String = "/proc", isAncestor: Bool = false
  ) -> CallingProgram? {
    var number = process
    // More than any chain of commands; and a made-up one ends.
    for _ in 0..<32 {
      guard var process = SystemProcess(number, in: root) else { return nil }
      process.isAncestor = isAncestor
      let program = CallingProgram(process)
      // A container's command is not what had the container started.
      guard program.kind == .file || program.kind == .name, !process.isIsolated,
        starters.contains(process.fileName)
      else { return program }
      if shells.contains(process.fileName), !process.arguments.dropFirst().contains("-c") {
        if program.identifier != process.file { return program }
        if process.hasTerminal { return .person }
      }
      number = process.parent
    }
    return nil
  }

  /// The sandbox comes first: its ID is what the system vouches for.
  private init(_ process: SystemProcess) {
    if let id = process.flatpak {
      self.init(.flatpak, id)
    } else if let name = process.snap {
      self.init(.snap, name)
    } else if !process.isIsolated, let file = process.file {
      self.init(file: file, arguments: process.arguments, directory: process.workingDirectory)
    } else {
      self.init(.name, process.shortName)
    }
  }

  /// The path of the script that an interpreter with these arguments runs; nil when there is none,
  /// such as for text on its command line.
  private static func script(_ arguments: ArraySlice<String>, in directory: String?) -> String? {
    for argument in arguments {
      guard !["-c", "-e", "-m"].contains(argument) else { return nil }
      guard !argument.isEmpty, !argument.hasPrefix("-") else { continue }
      let path = argument.hasPrefix("/") ? argument : directory.map { "\($0)/\(argument)" }
      var status = stat()
      // What is no file is the value of an option before it.
      guard let path, stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { continue }
      return realPath(path) ?? path
    }
    return nil
  }

  /// The path of the file that `path` leads to; nil when there is none.
  public static func realPath(_ path: String) -> String? {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return String(cString: real)
  }

  private static func name(of path: String) -> String { CallingProgram(.file, path).name }

  private static let shells: Set = [
    "sh", "ash", "bash", "busybox", "dash", "fish", "ksh", "mksh", "yash", "zsh",
  ]
  /// What only starts another program.
  private static let starters = shells.union([
    "busctl", "dbus-send", "entrancectl", "env", "flock", "gdbus", "ionice", "nice", "nohup",
    "script", "setsid", "stdbuf", "sudo",
    "time",
    "timeout", "unshare", "xargs",
  ])
  /// How the names of programs begin that run scripts.
  private static let interpreters = ["guile", "lua", "node", "perl", "python", "ruby"]
}
