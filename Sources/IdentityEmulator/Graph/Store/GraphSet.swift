/// The items of a set of Microsoft Graph, and all changes of it so far.
struct GraphSet: Sendable {
  let type: GraphType
  private(set) var ids: [String] = []
  private var items: [String: JSON] = [:]
  /// The content of files and attachments.
  private var contents: [String: GraphContent] = [:]
  private var versions: [String: Int] = [:]
  /// The IDs of what was changed or deleted, one for each change; delta tokens count them.
  private(set) var changes: [String] = []

  init(_ type: GraphType, _ seeds: [(item: JSON, content: GraphContent?)] = []) {
    self.type = type
    ids.reserveCapacity(seeds.count)
    for seed in seeds {
      guard let id = seed.item["id"]?.string else { continue }
      ids.append(id)
      items[id] = seed.item
      contents[id] = seed.content
    }
  }

  /// An item with its ETag; nil when there is none.
  subscript(id: String) -> JSON? {
    guard var item = items[id] else { return nil }
    if let name = type.eTagProperty { item[name] = .string(eTag(id)) }
    return item
  }

  /// The item, as it is kept.
  func bare(_ id: String) -> JSON? { items[id] }

  func content(_ id: String) -> GraphContent? { contents[id] }

  func eTag(_ id: String) -> String {
    let version = versions[id, default: 0] + 1
    return type.name == "driveItem" ? "\"{\(id)},\(version)\"" : "W/\"\(id.suffix(24))-\(version)\""
  }

  /// Adds an item, or replaces one.
  mutating func put(_ item: JSON, content: GraphContent? = nil, isFirst: Bool = false) {
    guard let id = item["id"]?.string else { return }
    if items[id] == nil {
      if isFirst { ids.insert(id, at: 0) } else { ids.append(id) }
    } else {
      versions[id, default: 0] += 1
    }
    items[id] = item
    if let content { contents[id] = content }
    changes.append(id)
  }

  /// Deletes an item, if there is one.
  mutating func remove(_ id: String) {
    guard items.removeValue(forKey: id) != nil else { return }
    contents[id] = nil
    ids.removeAll { $0 == id }
    changes.append(id)
  }
}
