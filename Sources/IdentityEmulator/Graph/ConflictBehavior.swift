/// What happens when there is an item with the name in the folder already
/// (<https://learn.microsoft.com/graph/api/resources/driveitem#instance-attributes>).
enum ConflictBehavior: String, Sendable {
  case fail, rename, replace

  /// Its names in queries and bodies: that of Graph, and that of OneDrive's older API.
  private static let names = ["@microsoft.graph.conflictBehavior", "@name.conflictBehavior"]

  /// Reads what the query of a write asks for, or else its body; nil when neither does.
  ///
  /// - Parameter item: the part of the body that describes the item.
  init?(_ request: Request, item: JSON? = nil) throws(GraphError) {
    let form = request.queryForm
    let given = Self.names.compactMap { form[$0] ?? item?[$0]?.string }
    guard let text = given.first else { return nil }
    guard let behavior = Self(rawValue: text.lowercased()) else {
      throw .badRequest("The conflict behavior is 'fail', 'rename' or 'replace', not '\(text)'.")
    }
    self = behavior
  }

  /// Refuses a write whose query has anything else: a program that relies on it would seem to work.
  static func checkQuery(_ request: Request) throws(GraphError) {
    for (name, _) in request.queryForm.fields where !names.contains(name) {
      throw .notPlayed("the query parameter '\(name)' of a write")
    }
  }
}

extension Emulator {
  /// The name of a new item in a folder, and the item that it replaces, if it replaces one.
  func place(
    _ name: String, isFolder: Bool = false, in folder: GraphEntity, _ behavior: ConflictBehavior
  ) throws(GraphError) -> (name: String, replaced: String?) {
    guard let other = child(name, of: folder) else { return (name, nil) }
    switch behavior {
    case .fail: throw .nameExists
    case .replace: return (name, other)
    case .rename:
      // Of a file, the number comes before the extension.
      let dot = isFolder ? nil : name.dropFirst().lastIndex(of: ".")
      let (stem, ending) = (name[..<(dot ?? name.endIndex)], name[(dot ?? name.endIndex)...])
      var number = 1
      while child("\(stem) \(number)\(ending)", of: folder) != nil { number += 1 }
      return ("\(stem) \(number)\(ending)", nil)
    }
  }
}
