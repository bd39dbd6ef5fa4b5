import ArgumentParser
import EntranceKit

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
}
