import EntranceKit
import FoundationEssentials
import Glibc
import TestSupport
import Testing

@Suite("Which program asks for a token")
struct CallingProgramTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
    try makeNamespaces(in: "\(root)/self")
  }

  private var root: String { "\(directory.path)/proc" }

  /// Describes a process as proc(5) does.
  private func make(
    _ number: Int, parent: Int, _ file: String?, _ arguments: [String] = [], name: String = "x",
    terminal: Int = 0, directory: String = "/", files: [String: String] = [:]
  ) throws {
    let place = "\(root)/\(number)"
    let manager = FileManager.default
    try manager.createDirectory(atPath: "\(place)/root", withIntermediateDirectories: true)
    try manager.createDirectory(atPath: "\(place)/attr", withIntermediateDirectories: true)
    func write(_ name: String, _ text: String) throws {
      try Data(text.utf8).write(to: URL(filePath: "\(place)/\(name)"))
    }
    try write("stat", "\(number) (\(name)) S \(parent) 1 1 \(terminal) -1 0\n")
    let words = arguments.isEmpty ? [file ?? name] : arguments
    try write("cmdline", words.map { $0 + "\0" }.joined())
    try makeNamespaces(in: place)
    if let file {
      symlink(file, "\(place)/exe")
      symlink(directory, "\(place)/cwd")
    }
    for (name, text) in files { try write(name, text) }
  }

  /// Describes the namespaces of a process: those of this program, but for one.
  private func makeNamespaces(in place: String, apart: String? = nil) throws {
    try FileManager.default.createDirectory(
      atPath: "\(place)/ns", withIntermediateDirectories: true)
    for name in ["mnt", "pid", "user"] {
      unlink("\(place)/ns/\(name)")
      symlink("\(name):[\(name == apart ? 2 : 1)]", "\(place)/ns/\(name)")
    }
  }

  private func caller(of number: Int32) -> CallingProgram? {
    CallingProgram.caller(of: number, in: root)
  }

  @Test("The calling program is the one whose shell runs the command")
  func behindShell() throws {
    try make(10, parent: 1, "/usr/bin/msmtp")
    try make(11, parent: 10, "/usr/bin/dash", ["sh", "-c", "entrancectl token"])
    try make(12, parent: 11, "/usr/bin/env", ["env", "A=1", "entrancectl"])
    #expect(caller(of: 12) == CallingProgram(.file, "/usr/bin/msmtp"))
  }

  @Test("In a shell at a terminal, the calling program is the person")
  func person() throws {
    try make(10, parent: 1, "/usr/libexec/gnome-terminal-server")
    try make(11, parent: 10, "/usr/bin/bash", ["bash"], terminal: 34816)
    #expect(caller(of: 11) == .person)
  }

  @Test(
    "A process that calls itself anything is still known", arguments: ["a) S 1 (b", "\u{301}a"])
  func oddName(name: String) throws {
    try make(10, parent: 1, "/usr/bin/msmtp", name: name)
    #expect(caller(of: 10) == CallingProgram(.file, "/usr/bin/msmtp"))
    try make(11, parent: 1, nil, name: name)
    #expect(caller(of: 11) == CallingProgram(.name, name))
  }

  @Test("A shell without a terminal is no person")
  func shellWithoutTerminal() throws {
    try make(10, parent: 1, nil, name: "sshd")
    try make(11, parent: 10, "/usr/bin/bash", ["bash"])
    #expect(caller(of: 11) == CallingProgram(.name, "sshd"))
  }

  @Test("A script is known by its own file, and not by its interpreter's")
  func scripts() throws {
    let script = "\(directory.path)/sync"
    try Data("#!\n".utf8).write(to: URL(filePath: script))
    let path = try #require(realpath(script, nil))
    defer { free(path) }
    let expected = CallingProgram(.file, String(cString: path))
    try make(10, parent: 1, "/usr/bin/python3.11", ["python3", "-W", "ignore", script, "--all"])
    try make(11, parent: 1, "/usr/bin/bash", ["bash", script], terminal: 34816)
    try make(12, parent: 1, "/usr/bin/perl", ["perl", "sync"], directory: directory.path)
    for number in [10, 11, 12] as [Int32] { #expect(caller(of: number) == expected) }
    try make(13, parent: 1, "/usr/bin/python3.11", ["python3", "-c", "pass", script])
    #expect(caller(of: 13) == CallingProgram(.file, "/usr/bin/python3.11"))
  }

  @Test("A sandbox's ID comes first")
  func sandboxes() throws {
    let flatpak = "[Application]\nname=org.example.Mail\nruntime=x\n[Instance]\nname=other\n"
    try make(
      10, parent: 1, "/app/bin/mail", files: ["root/.flatpak-info": flatpak])
    #expect(caller(of: 10) == CallingProgram(.flatpak, "org.example.Mail"))
    try make(11, parent: 10, "/usr/bin/bash", files: ["root/.flatpak-info": flatpak])
    #expect(caller(of: 11) == CallingProgram(.flatpak, "org.example.Mail"))
    try make(
      12, parent: 1, "/snap/code/1/code", files: ["attr/current": "snap.code.code (enforce)\n"])
    #expect(caller(of: 12) == CallingProgram(.snap, "code"))
  }

  @Test(
    "In a container a program is known by no more than its name, whoever started that",
    arguments: ["mnt", "pid", "user"])
  func containers(namespace: String) throws {
    try make(9, parent: 1, "/usr/bin/bash", ["bash"], terminal: 34816)
    try make(10, parent: 9, "/usr/bin/thunderbird", name: "thunderbird")
    try make(11, parent: 9, "/usr/bin/gdbus", name: "gdbus")
    #expect(caller(of: 10) == CallingProgram(.file, "/usr/bin/thunderbird"))
    #expect(caller(of: 11) == .person)
    for number in [10, 11] {
      try makeNamespaces(in: "\(root)/\(number)", apart: namespace)
    }
    #expect(caller(of: 10) == CallingProgram(.name, "thunderbird"))
    #expect(caller(of: 11) == CallingProgram(.name, "gdbus"))
    // What is not told is not taken for the same.
    unlink("\(root)/10/ns/\(namespace)")
    #expect(caller(of: 10)?.isConfined == true)
  }

  @Test("A program that hides its file is known by its name, and an updated one by its path")
  func names() throws {
    try make(10, parent: 1, nil, name: "a) S 1 (b")
    #expect(caller(of: 10) == CallingProgram(.name, "a) S 1 (b"))
    try make(11, parent: 1, "/usr/bin/thunderbird (deleted)")
    #expect(caller(of: 11) == CallingProgram(.file, "/usr/bin/thunderbird"))
  }

  @Test("Made-up processes end the search: a chain without end, and what makes no sense")
  func odd() throws {
    try make(10, parent: 10, "/usr/bin/dash", ["sh", "-c", "x"])
    #expect(caller(of: 10) == nil)
    #expect(caller(of: 99) == nil)
    try make(11, parent: 1, "/a")
    for text in ["", "11", "11 (x", ") (", "11 (x) S y 1 1 0", "11 (x) S"] {
      try Data(text.utf8).write(to: URL(filePath: "\(root)/11/stat"))
      #expect(caller(of: 11) == nil)
    }
  }

  @Test("The program that a command would run is found by its file")
  func command() {
    let program = CallingProgram(
      file: "/usr/bin/terraform", arguments: ["terraform", "plan"], directory: "/")
    #expect(program == CallingProgram(.file, "/usr/bin/terraform"))
    #expect(program.name == "terraform")
    #expect(program.matches("terraform") && program.matches("/usr/bin/terraform"))
  }

  @Test("This process has a caller, on this system")
  func real() throws {
    #expect(CallingProgram(process: getpid())?.kind == .file)
    #expect(CallingProgram(process: -1) == nil)
  }
}
