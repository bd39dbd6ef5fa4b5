import ArgumentParser
import EntranceKit
import FoundationEssentials
import Glibc
import HTTPTypes

extension CompletionKind {
  /// Paths of Microsoft Graph, like those that the Explorer page proposes.
  static let graphPath = custom { arguments, _, beginning in
    // The method is the value of an option, or an argument.
    let method = arguments.lazy.compactMap { ExplorerRequest.Method(rawValue: $0.uppercased()) }
      .first
    guard let found = AddressCompletion.find(after: beginning, for: method ?? .get) else {
      return []
    }
    return found.proposals.map { beginning.dropLast(found.begun) + $0.text }
  }

  /// Methods of HTTP, and files of requests.
  static let methodOrFile = custom { _, _, beginning in
    GraphMethod.all.map(\.rawValue) + CompletionKind.files(beginning)
  }

  /// The files of requests, and the folders, whose paths begin so.
  private static func files(_ beginning: String) -> [String] {
    let folder = beginning.lastIndex(of: "/").map { String(beginning[...$0]) } ?? ""
    let names = try? FileManager.default.contentsOfDirectory(atPath: folder.isEmpty ? "." : folder)
    return (names ?? []).sorted().compactMap { name -> String? in
      let path = folder + name
      guard path.hasPrefix(beginning) else { return nil }
      if name.hasSuffix(".http") || name.hasSuffix(".rest") { return path }
      var status = stat()
      return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR ? path + "/" : nil
    }
  }
}
