import AuthCore

extension SecretServiceSession {
  /// The attribute that holds an item's schema.
  static let schemaAttribute = "xdg:schema"
  /// What KeePassXC shows of each entry beside the attributes that were stored.
  private static let attributesOfService: Set<String> = [
    "Notes", "Path", "TOTP", "Title", "URL", "UserName", "Uuid",
  ]

  /// Opens the item that `shared` describes, if it is there.
  func open(_ shared: SharedKeyringItem) throws(SecretServiceFailure) {
    // A collection that is not there holds nothing that could be locked.
    guard try openCollection(shared.collection) else { return }
    try openItems(Self.wanted(shared))
  }

  /// The item that `shared` describes, open, with its secret; nil when there is none.
  ///
  /// - Throws: when that cannot be told, or a new one could take the place of another: services put an item
  ///   in place of one that has its attributes, be there more of them.
  func find(
    _ shared: SharedKeyringItem
  ) throws(SecretServiceFailure) -> (item: KeyringItem, secret: Secret<[UInt8]>)? {
    _ = try openCollection(shared.collection)
    var same: [KeyringItem] = []
    for item in try search(Self.wanted(shared)) {
      var others = item.attributes
      let schema = others.removeValue(forKey: Self.schemaAttribute)
      let more = Set(others.keys).subtracting(shared.attributes.keys)
        .subtracting(Self.attributesOfService)
      if more.isEmpty {
        same.append(item)
      } else if schema == shared.schema {
        throw .other(
          "another program's item has these attributes and more: "
            + more.sorted().joined(separator: ", "))
      }
    }
    let exact = same.filter { $0.attributes[Self.schemaAttribute] == shared.schema }
    if !exact.isEmpty { same = exact }
    guard same.count <= 1 else { throw .other("\(same.count) items have these attributes") }
    return try readSecrets(of: same).first
  }

  /// Makes the item that `shared` describes, after ``find(_:)`` has found none.
  func create(
    _ shared: SharedKeyringItem, _ text: Secret<[UInt8]>
  ) throws(SecretServiceFailure) {
    var attributes = shared.attributes
    attributes[Self.schemaAttribute] = shared.schema
    try create(text, attributes: attributes, label: shared.label, in: shared.collection)
  }

  /// What is asked for: the schema only where it has to be told apart by it.
  private static func wanted(_ shared: SharedKeyringItem) -> [String: String] {
    var wanted = shared.attributes
    if !shared.ignoresSchema || wanted.isEmpty { wanted[schemaAttribute] = shared.schema }
    return wanted
  }
}
