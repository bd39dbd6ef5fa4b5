import ArgumentParser
import Connections
import EntranceKit
import FoundationEssentials
import Glibc
import HTTPTypes

extension CompletionKind {
  /// Paths of Microsoft Graph, like those that the Explorer page proposes.
  static let graphPath = words { arguments, _, beginning in
    // The method is the value of an option, or an argument.
    let method = arguments.lazy.compactMap { ExplorerRequest.Method(rawValue: $0.uppercased()) }
      .first
    guard let found = AddressCompletion.find(after: beginning, for: method ?? .get) else {
      return []
    }
    return found.proposals.map { beginning.dropLast(found.begun) + $0.text }
  }

  /// Methods of HTTP, and files of requests.
  static let methodOrFile = words { _, _, beginning in
    GraphMethod.all.map(\.rawValue)
      + CompletionKind.paths(beginning) { $0.hasSuffix(".http") || $0.hasSuffix(".rest") }
  }

  /// The names of the apps.
  static let appName = words { _, _, _ in
    ((try? ConnectionFiles.standard.load()) ?? []).map(\.name)
  }

  /// A program behind `--`, and files for its arguments.
  static let programOrFile = words { arguments, index, beginning in
    guard let end = arguments.firstIndex(of: "--"), end < index else { return [] }
    return index == end + 1 && !beginning.contains("/")
      ? CompletionKind.programs(beginning) : CompletionKind.paths(beginning) { _ in true }
  }

  /// What `find` finds of all words of the command line, the index of the one to be completed, and
  /// its beginning.
  private static func words(
    _ find: @escaping @Sendable ([String], Int, String) -> [String]
  ) -> CompletionKind {
    custom { arguments, index, beginning in
      let words = find(arguments, index, beginning)
      // bash expands them (`compgen -W`): it would run a command that the name of a file contains.
      guard CompletionShell.requesting == .bash else { return words }
      return words.map { "'" + $0.replacing("'", with: "'\\''") + "'" }
    }
  }

  /// The programs of the search path whose names begin so.
  private static func programs(_ beginning: String) -> [String] {
    let folders = (ProcessEnvironment.variable("PATH") ?? "").split(separator: ":").map(String.init)
    let found = folders.flatMap { folder in
      contents(of: folder).filter {
        $0.hasPrefix(beginning) && access("\(folder)/\($0)", X_OK) == 0
      }
    }
    return Set(found).sorted()
  }

  /// The folders, and the files that are wanted, whose paths begin so.
  private static func paths(
    _ beginning: String, where isWanted: (_ name: String) -> Bool
  ) -> [String] {
    let folder = beginning.lastIndex(of: "/").map { String(beginning[...$0]) } ?? ""
    return contents(of: folder.isEmpty ? "." : folder).sorted().compactMap { name -> String? in
      let path = folder + name
      guard path.hasPrefix(beginning) else { return nil }
      var status = stat()
      if stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR { return path + "/" }
      return isWanted(name) ? path : nil
    }
  }

  private static func contents(of folder: String) -> [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
  }
}
