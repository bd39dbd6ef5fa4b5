import MicrosoftGraph

/// What can be written at the cursor of an address, by the resources of Microsoft Graph v1.0.
public enum AddressCompletion {
  private typealias Proposal = TextCompletion.Proposal
  private typealias Kind = TextCompletion.Kind

  /// Finds what can be written.
  ///
  /// - Parameters:
  ///   - head: the address before the cursor.
  ///   - method: what is done with the resource.
  /// - Returns: nil when nothing is known.
  public static func find(
    after head: String, for method: ExplorerRequest.Method
  ) -> TextCompletion? {
    guard head.utf8.count <= TextCompletion.longestText else { return nil }
    guard let mark = head.firstIndex(of: "?") else { return inPath(head[...], method) }
    return inQuery(head[head.index(after: mark)...], of: place(of: head[..<mark]))
  }

  // MARK: Path

  private static func inPath(
    _ path: Substring, _ method: ExplorerRequest.Method
  ) -> TextCompletion? {
    var segments = segments(of: path)
    guard let begun = segments.popLast(),
      let place = GraphSchema.shared.place(after: segments)
    else { return nil }
    let members = GraphSchema.shared.members(of: place)
      .filter { !$0.isAction || method == .post }
      .map { Proposal($0.name, Kind($0)) }
    var all = members
    if case .list = place, method == .get { all.append(Proposal("$count", .other)) }
    return TextCompletion(begun, all)
  }

  /// What a path without a query is for.
  private static func place(of path: Substring) -> GraphSchema.Place? {
    GraphSchema.shared.place(after: segments(of: path).filter { !$0.isEmpty })
  }

  /// The segments after the host and the version; the last one is what was begun.
  private static func segments(of path: Substring) -> [Substring] {
    var path = path
    for scheme in ["https://", "http://"] where path.lowercased().hasPrefix(scheme) {
      path = path.dropFirst(scheme.count).drop { $0 != "/" }
    }
    var segments = path.split(separator: "/", omittingEmptySubsequences: false)
    if segments.first?.isEmpty == true { segments.removeFirst() }
    if segments.count > 1, ["v1.0", "beta"].contains(segments[0]) { segments.removeFirst() }
    return segments
  }

  // MARK: Query

  /// The options for a list, and whether one resource has them, too.
  private static let options = [
    ("$count=true", false), ("$expand=", true), ("$filter=", false), ("$orderby=", false),
    ("$search=", false), ("$select=", true), ("$skip=", false), ("$top=", false),
  ]

  private static func inQuery(
    _ query: Substring, of place: GraphSchema.Place?
  ) -> TextCompletion? {
    let parts = query.split(separator: "&", omittingEmptySubsequences: false)
    guard let last = parts.last else { return nil }
    guard let equals = last.firstIndex(of: "=") else {
      let given = Set(parts.dropLast().map { $0.prefix { $0 != "=" }.lowercased() })
      let isOne = if case .one = place { true } else { false }
      return TextCompletion(
        last,
        options.filter { !isOne || $0.1 }.map(\.0)
          .filter { option in !given.contains(option.prefix { $0 != "=" }.lowercased()) }
          .map { Proposal($0, .option) })
    }
    let value = last[last.index(after: equals)...]
    let type: String
    switch place {
    case .one(let name), .list(let name): type = name
    case .root, nil: return nil
    }
    let properties = GraphSchema.shared.properties(of: type).map { Proposal($0, .property) }
    let relationships = GraphSchema.shared.members(of: .one(type))
      .filter { !$0.isAction && $0.target != nil && !$0.name.contains("(") }
      .map { Proposal($0.name, Kind($0)) }
    switch last[..<equals].lowercased() {
    case "$select": return TextCompletion(name(in: value, after: [","]), properties)
    case "$orderby": return TextCompletion(name(in: value, after: [","]), properties)
    case "$filter": return FilterCompletion.find(after: value, properties)
    // What is in parentheses is for another type.
    case "$expand" where !value.contains("("):
      return TextCompletion(name(in: value, after: [","]), relationships)
    default: return nil
    }
  }

  /// The name that was begun at the end of a value.
  private static func name(in value: Substring, after separators: Set<Character>) -> Substring {
    value[
      (value.lastIndex { separators.contains($0) }.map(value.index(after:)) ?? value.startIndex)...]
  }
}

extension TextCompletion.Kind {
  fileprivate init(_ member: GraphSchema.Member) {
    switch member.target {
    case _ where member.isAction: self = .action
    case .one(let type): self = .resource(type)
    case .list(let type): self = .list(type)
    case .root, nil: self = .other
    }
  }
}

extension ExplorerModel {
  /// What can be written in the address after the text before the cursor; nil when nothing is known,
  /// as for another API than Microsoft Graph.
  public func completion(after head: String) async -> TextCompletion? {
    guard graph.version != nil, origin == nil || !head.contains("{{") else { return nil }
    return await Self.completion(after: head, for: request.method)
  }

  @concurrent
  private static func completion(
    after head: String, for method: ExplorerRequest.Method
  ) async -> TextCompletion? {
    AddressCompletion.find(after: head, for: method)
  }

  /// What can be written in the header fields after the text before the cursor; nil when nothing is
  /// known, as for another API than Microsoft Graph.
  public func fieldCompletion(after head: String) -> TextCompletion? {
    graph.version == nil ? nil : FieldCompletion.find(after: head, for: request.method)
  }
}
