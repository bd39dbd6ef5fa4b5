import CGraphTables
import CurlHTTP
import FoundationEssentials

/// The resources of Microsoft Graph v1.0: what follows a path, and what an answer has.
///
/// The table is part of the library, made from Microsoft's metadata by `meson-helpers/graph-schema.py`,
/// which describes its form. It is expanded by the first question.
package struct GraphSchema: Sendable {
  /// The table.
  package static let shared = GraphSchema()

  /// What can follow in a path.
  package struct Member: Sendable, Hashable {
    /// Its name, such as `messages` or `delta`.
    package let name: String
    /// Whether it is an action, which is called with `POST`.
    package let isAction: Bool
    /// Where it leads; nil when the table does not say it.
    package let target: Place?
  }

  /// What a path is for.
  package enum Place: Sendable, Hashable {
    /// Microsoft Graph itself.
    case root
    /// One resource of a type.
    case one(String)
    /// A list of resources of a type.
    case list(String)
  }

  private struct Kind {
    var base: String?
    var properties: [String]
    var members: [Member]
    var listMembers: [Member]
  }

  private let roots: [Member]
  private let kinds: [String: Kind]

  private init() {
    var size = 0
    let compressed = UnsafeRawBufferPointer(start: graph_schema(&size), count: size)
    let data = Gunzip.data(compressed, limit: 4 << 20) ?? Data()
    let lines = String(decoding: data, as: UTF8.self).split(separator: "\n")
    roots = lines.count > 1 ? Self.members(lines[1]) : []
    var kinds: [String: Kind] = [:]
    for line in lines.dropFirst(2) {
      let fields = line.split(separator: " ")
      guard fields.count == 6 else { continue }
      kinds[String(fields[0])] = Kind(
        base: fields[1] == "-" ? nil : String(fields[1]),
        properties: fields[2] == "-" ? [] : fields[2].split(separator: ",").map(String.init),
        members: Self.members(fields[3]) + Self.members(fields[4]),
        listMembers: Self.members(fields[5]))
    }
    self.kinds = kinds
  }

  private static func members(_ text: Substring) -> [Member] {
    guard text != "-" else { return [] }
    return text.split(separator: ",").map { text in
      let parts = text.split(separator: ":")
      let isAction = parts[0].hasSuffix("!")
      let target = parts.dropFirst().first.map { type in
        type.hasSuffix("*") ? Place.list(String(type.dropLast())) : .one(String(type))
      }
      return Member(
        name: String(isAction ? parts[0].dropLast() : parts[0]), isAction: isAction, target: target)
    }
  }

  /// The names of all types, of their properties, and of what can follow in a path, in lower case.
  var words: Set<String> {
    var words = Set(kinds.keys.map { $0.lowercased() })
    words.formUnion(kinds.values.flatMap(\.properties).map { $0.lowercased() })
    let members = roots + kinds.values.flatMap { $0.members + $0.listMembers }
    return words.union(members.map { $0.name.prefix { $0 != "(" }.lowercased() })
  }

  /// What can follow in a path, without the identifiers of resources.
  package func members(of place: Place) -> [Member] {
    switch place {
    case .root: roots
    case .one(let type): line(of: type).flatMap(\.members)
    case .list(let type): line(of: type).flatMap(\.listMembers)
    }
  }

  /// The names of the properties of a resource.
  package func properties(of type: String) -> [String] { line(of: type).flatMap(\.properties) }

  /// A type and those that it extends.
  private func line(of type: String) -> [Kind] {
    var found: [Kind] = []
    var name: String? = type
    // No type of the table extends so many.
    while let this = name.flatMap({ kinds[$0] }), found.count < 16 {
      found.append(this)
      name = this.base
    }
    return found
  }

  /// What a path is for, after all of its segments; nil when the table does not know it.
  ///
  /// - Parameter segments: the segments, without a version.
  package func place(after segments: some Sequence<Substring>) -> Place? {
    var place: Place? = .root
    var isBetweenColons = false
    for segment in segments {
      // The path of a file, `root:/a/b:`, is for another item of the drive.
      if isBetweenColons || segment.hasSuffix(":") {
        isBetweenColons = isBetweenColons != segment.hasSuffix(":")
        if segment == "root:" { place = .one("driveItem") }
        continue
      }
      place = place.flatMap { self.place($0, after: segment) }
    }
    return isBetweenColons ? nil : place
  }

  private func place(_ place: Place, after segment: Substring) -> Place? {
    if segment.hasPrefix("microsoft.graph."), place != .root {
      let type = String(segment.dropFirst("microsoft.graph.".count))
      guard kinds[type] != nil else { return nil }
      if case .list = place { return .list(type) }
      return .one(type)
    }
    let name = segment.prefix { $0 != "(" }.lowercased()
    if let member = members(of: place).first(where: {
      $0.name.prefix { $0 != "(" }.lowercased() == name
    }) {
      return member.target
    }
    if case .list(let type) = place, !segment.hasPrefix("$") { return .one(type) }
    return nil
  }
}
