import AuthCore

extension SecretServiceSession {
  /// The attribute that holds an item's schema.
  static let schemaAttribute = "xdg:schema"
  /// Attributes that KeePassXC adds to those that were stored.
  private static let attributesOfService: Set<String> = [
    "Notes", "Path", "TOTP", "Title", "URL", "UserName", "Uuid",
  ]

  /// Opens the item that `shared` describes, if it is there.
  func open(_ shared: SharedKeyringItem) throws(SecretServiceFailure) {
    // A missing collection has no locked items.
    guard try openCollection(shared.collection) else { return }
    try openItems(Self.wanted(shared))
  }

  /// The unlocked item that `shared` describes, with its secret; nil when there is none.
  ///
  /// - Throws: when it is not clear which item is meant, or when creating one could replace
  ///   another: services replace an item that has all attributes of the new one, even if it has
  ///   more.
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
          "another program’s item has these attributes and more: "
            + more.sorted().joined(separator: ", "))
      }
    }
    let exact = same.filter { $0.attributes[Self.schemaAttribute] == shared.schema }
    if !exact.isEmpty { same = exact }
    guard same.count <= 1 else { throw .other("\(same.count) items have these attributes") }
    return try readSecrets(of: same).first
  }

  /// Creates the item that `shared` describes, after ``find(_:)`` has found none.
  func create(
    _ shared: SharedKeyringItem, _ text: Secret<[UInt8]>
  ) throws(SecretServiceFailure) {
    var attributes = shared.attributes
    attributes[Self.schemaAttribute] = shared.schema
    try create(text, attributes: attributes, label: shared.label, in: shared.collection)
  }

  /// The attributes to search for; the schema only when it is needed to tell items apart.
  private static func wanted(_ shared: SharedKeyringItem) -> [String: String] {
    var wanted = shared.attributes
    if !shared.ignoresSchema || wanted.isEmpty { wanted[schemaAttribute] = shared.schema }
    return wanted
  }
}
