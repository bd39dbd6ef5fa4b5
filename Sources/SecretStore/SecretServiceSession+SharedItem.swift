import AuthCore
import CSecret

extension SecretServiceSession {
  /// An item of the keyring, with its secret.
  final class FoundItem {
    fileprivate let item: UnsafeMutablePointer<SecretItem>
    let attributes: [String: String]
    let text: [UInt8]

    /// Adds a reference to `item`, which has a secret unless it is locked.
    fileprivate init(_ item: UnsafeMutablePointer<SecretItem>) throws(SecretServiceFailure) {
      guard let value = secret_item_get_secret(item) else { throw .locked }
      // Not before all else is there: an initializer that throws runs no `deinit`.
      g_object_ref(item)
      self.item = item
      attributes = SecretServiceSession.attributes(of: item)
      defer { secret_value_unref(UnsafeMutableRawPointer(value)) }
      var length: gsize = 0
      let bytes = secret_value_get(value, &length)
      text = Array(UnsafeRawBufferPointer(start: bytes, count: Int(length)))
    }

    deinit { g_object_unref(item) }
  }

  /// The attribute that holds an item's schema.
  private static let schemaAttribute = "xdg:schema"

  /// Unlocks a collection; one that is not there holds nothing that could be locked.
  ///
  /// A search in a locked collection finds nothing and reports no error, so this comes before any search.
  /// - Parameters:
  ///   - alias: the collection's name.
  ///   - mayAsk: whether a prompt may be shown to the person.
  func unlock(_ alias: String, mayAsk: Bool) throws(SecretServiceFailure) {
    var error: UnsafeMutablePointer<GError>?
    let collection = secret_collection_for_alias_sync(
      service, alias, SECRET_COLLECTION_NONE, cancellable.pointer, &error)
    guard let collection else {
      if let error { throw SecretServiceFailure(error) }
      return
    }
    defer { g_object_unref(collection) }
    guard secret_collection_get_locked(collection) != 0 else { return }
    guard mayAsk else { throw .locked }
    let objects = g_list_append(nil, collection)
    defer { g_list_free(objects) }
    let unlocked = secret_service_unlock_sync(service, objects, cancellable.pointer, nil, &error)
    if let error { throw SecretServiceFailure(error) }
    guard unlocked > 0 else { throw .locked }
  }

  /// The item that `shared` describes; nil when there is none.
  ///
  /// - Throws: when that cannot be told, or a new one could take the place of another: services put an item
  ///   in place of one that has its attributes, be there more of them.
  func find(_ shared: SharedKeyringItem) throws(SecretServiceFailure) -> FoundItem? {
    try unlock(shared.collection, mayAsk: false)
    var wanted = shared.attributes
    if !shared.ignoresSchema || wanted.isEmpty { wanted[Self.schemaAttribute] = shared.schema }
    var same: [FoundItem] = []
    for item in try searchItems(wanted) {
      var others = item.attributes
      let schema = others.removeValue(forKey: Self.schemaAttribute)
      if others == shared.attributes {
        same.append(item)
      } else if schema == shared.schema {
        let more = others.keys.filter { shared.attributes[$0] == nil }.sorted()
        throw .other(
          "another program's item has these attributes and more: \(more.joined(separator: ", "))")
      }
    }
    let exact = same.filter { $0.attributes[Self.schemaAttribute] == shared.schema }
    if !exact.isEmpty { same = exact }
    guard same.count <= 1 else { throw .other("\(same.count) items have these attributes") }
    return same.first
  }

  /// Puts `text` in an item that is there, and leaves all else of it as it is.
  func replace(_ text: [UInt8], in found: FoundItem) throws(SecretServiceFailure) {
    let value = Self.value(of: text)
    defer { secret_value_unref(value.map(UnsafeMutableRawPointer.init)) }
    var error: UnsafeMutablePointer<GError>?
    guard secret_item_set_secret_sync(found.item, value, cancellable.pointer, &error) != 0 else {
      throw SecretServiceFailure(error)
    }
  }

  /// Makes the item that `shared` describes, after ``find(_:)`` has found none.
  func create(_ shared: SharedKeyringItem, _ text: [UInt8]) throws(SecretServiceFailure) {
    var attributes = shared.attributes
    attributes[Self.schemaAttribute] = shared.schema
    let table = Self.table(attributes)
    defer { g_hash_table_unref(table) }
    let value = Self.value(of: text)
    defer { secret_value_unref(value.map(UnsafeMutableRawPointer.init)) }
    var error: UnsafeMutablePointer<GError>?
    let isStored = secret_service_store_sync(
      service, nil, table, shared.collection, shared.label, value, cancellable.pointer, &error)
    guard isStored != 0 else { throw SecretServiceFailure(error) }
  }

  private func searchItems(
    _ attributes: [String: String]
  ) throws(SecretServiceFailure) -> [FoundItem] {
    let table = Self.table(attributes)
    defer { g_hash_table_unref(table) }
    let flags = SecretSearchFlags(
      SECRET_SEARCH_ALL.rawValue | SECRET_SEARCH_LOAD_SECRETS.rawValue)
    var error: UnsafeMutablePointer<GError>?
    let found = secret_service_search_sync(
      service, nil, table, flags, cancellable.pointer, &error)
    if let error { throw SecretServiceFailure(error) }
    defer { g_list_free_full(found) { g_object_unref($0) } }
    var items: [FoundItem] = []
    var node = found
    while let element = node {
      if let item = element.pointee.data?.assumingMemoryBound(to: SecretItem.self) {
        items.append(try FoundItem(item))
      }
      node = element.pointee.next
    }
    return items
  }

  private static func value(of text: [UInt8]) -> OpaquePointer? {
    text.withUnsafeBytes {
      secret_value_new(
        $0.baseAddress?.assumingMemoryBound(to: CChar.self), gssize($0.count), "text/plain")
    }
  }
}
