import CurlHTTP
import Glibc

/// What the system says about a running process: proc(5).
struct SystemProcess {
  private let root: String
  private let directory: String
  /// Whether it had this program started, so that it can be in no container that this program is not in.
  var isAncestor = false
  /// The process that started it.
  let parent: Int32
  /// Whether it has a terminal.
  let hasTerminal: Bool
  /// The name that it gave itself, 15 bytes at most.
  let shortName: String

  /// Reads about the process; nil when there is none.
  ///
  /// - Parameter root: where the system describes its processes.
  init?(_ number: Int32, in root: String = "/proc") {
    let directory = "\(root)/\(number)"
    guard let text = Self.text("\(directory)/stat") else { return nil }
    self.init(stat: text, directory, in: root)
  }

  /// Reads the text of `stat` in the directory of a process; nil when it is none.
  init?(stat text: String, _ directory: String, in root: String = "/proc") {
    (self.root, self.directory) = (root, directory)
    // "1234 (a name) S 1 …": the name can contain anything, also brackets, and accents, which would be
    // one character with the bracket before them.
    let scalars = text.unicodeScalars
    guard let open = scalars.firstIndex(of: "("), let close = scalars.lastIndex(of: ")"),
      open < close
    else { return nil }
    let fields = text[scalars.index(after: close)...].split(separator: " ")
    guard fields.count > 4, let parent = Int32(fields[1]) else { return nil }
    self.parent = parent
    hasTerminal = fields[4] != "0"
    shortName = String(scalars[scalars.index(after: open)..<close])
  }

  /// The path of its program's file; nil when it belongs to another user, or hides its memory.
  var file: String? {
    guard let text = link("exe") else { return nil }
    // After an update of the program, while it runs.
    let ending = " (deleted)"
    return text.hasSuffix(ending) ? String(text.dropLast(ending.count)) : text
  }

  /// The name of its program's file, or else the one that it gave itself.
  var fileName: String { file.map { CallingProgram(.file, $0).name } ?? shortName }

  /// Where its relative paths begin; nil when the path of its file is.
  var workingDirectory: String? { link("cwd") }

  /// Whether it sees other files, users or processes than this program does, as in a container: what it
  /// says about itself is true only there (namespaces(7)).
  var isIsolated: Bool {
    guard !isAncestor else { return false }
    return ["mnt", "pid", "user"].contains {
      link("ns/\($0)") != Self.link("\(root)/self/ns/\($0)")
    }
  }

  private func link(_ name: String) -> String? { Self.link("\(directory)/\(name)") }

  private static func link(_ place: String) -> String? {
    var path = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink(place, &path, path.count)
    guard count > 0 else { return nil }
    return String(decoding: path[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Its arguments, the name of the program first.
  var arguments: [String] { Self.arguments(Self.text("\(directory)/cmdline") ?? "") }

  /// The arguments in the text of `cmdline`: each ends with a NUL.
  static func arguments(_ text: String) -> [String] {
    text.split(separator: "\0", omittingEmptySubsequences: false).map(String.init)
  }

  /// The ID of its Flatpak sandbox: the file `.flatpak-info` is at the root of each, where programs
  /// in it cannot write.
  var flatpak: String? { Self.text("\(directory)/root/.flatpak-info").flatMap(Self.flatpak) }

  /// The ID in the text of `.flatpak-info`.
  static func flatpak(_ text: String) -> String? {
    var group = ""
    for line in text.split(separator: "\n") {
      if line.hasPrefix("[") { group = String(line) }
      if group == "[Application]", line.hasPrefix("name=") { return String(line.dropFirst(5)) }
    }
    return nil
  }

  /// The name of its snap: AppArmor's label is `snap.NAME.APP (enforce)`.
  var snap: String? { Self.text("\(directory)/attr/current").flatMap(Self.snap) }

  /// The name in an AppArmor label.
  static func snap(_ label: String) -> String? {
    guard label.hasPrefix("snap.") else { return nil }
    return label.split(separator: ".").dropFirst().first.map(String.init)
  }

  private static func text(_ path: String) -> String? {
    guard let file = try? FileReader(path), let bytes = try? file.read(upTo: 1 << 20) else {
      return nil
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
