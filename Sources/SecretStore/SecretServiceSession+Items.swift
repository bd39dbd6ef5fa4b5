import AuthCore
import CSecret
import Gio

/// An item of the keyring.
final class KeyringItem {
  fileprivate let pointer: UnsafeMutablePointer<SecretItem>

  /// Wraps `pointer`.
  fileprivate init(_ pointer: UnsafeMutablePointer<SecretItem>) {
    self.pointer = pointer
    g_object_ref(pointer)
  }

  deinit { g_object_unref(pointer) }

  /// Whether its secret cannot be read: services lock collections, or each item for each program.
  var isLocked: Bool { secret_item_get_locked(pointer) != 0 }

  /// All its attributes.
  var attributes: [String: String] {
    guard let table = secret_item_get_attributes(pointer) else { return [:] }
    defer { g_hash_table_unref(table) }
    var attributes: [String: String] = [:]
    var iterator = GHashTableIter()
    g_hash_table_iter_init(&iterator, table)
    var name: UnsafeMutableRawPointer?
    var value: UnsafeMutableRawPointer?
    while g_hash_table_iter_next(&iterator, &name, &value) != 0 {
      guard let name, let value else { continue }
      attributes[String(cString: name.assumingMemoryBound(to: CChar.self))] = String(
        cString: value.assumingMemoryBound(to: CChar.self))
    }
    return attributes
  }

  /// Its secret; nil when it was not read.
  var secret: Secret<[UInt8]>? {
    guard let value = secret_item_get_secret(pointer) else { return nil }
    defer { secret_value_unref(UnsafeMutableRawPointer(value)) }
    var length: gsize = 0
    let bytes = secret_value_get(value, &length)
    return Secret(Array(UnsafeRawBufferPointer(start: bytes, count: Int(length))))
  }
}

extension SecretServiceSession {
  /// All unlocked items that have `attributes`, without their secrets.
  ///
  /// In some services, a search in a locked collection finds nothing and reports no error.
  func search(_ attributes: [String: String]) throws(SecretServiceFailure) -> [KeyringItem] {
    let items = try look(for: attributes)
    let locked = items.filter(\.isLocked)
    if locked.isEmpty { return items }
    try open(locked.map { Self.path(of: $0.pointer) }, else: withheld)
    let opened = try look(for: attributes)
    if opened.contains(where: \.isLocked) { throw declined(withheld) }
    return opened
  }

  /// Whether the service withholds an item that has `attributes` from this program until the user
  /// consents.
  func hasLockedItem(_ attributes: [String: String]) throws(SecretServiceFailure) -> Bool {
    try !lockedItems(attributes).isEmpty
  }

  /// Unlocks all items that have `attributes`, in one prompt.
  func openItems(_ attributes: [String: String]) throws(SecretServiceFailure) {
    let locked = try lockedItems(attributes)
    if locked.isEmpty { return }
    try open(locked, else: withheld)
    if try hasLockedItem(attributes) { throw declined(withheld) }
  }

  /// Reads the secrets of `items`, and leaves out items that no longer exist.
  func readSecrets(
    of items: [KeyringItem]
  ) throws(SecretServiceFailure) -> [(item: KeyringItem, secret: Secret<[UInt8]>)] {
    var list: UnsafeMutablePointer<GList>?
    for item in items.reversed() { list = g_list_prepend(list, item.pointer) }
    defer { g_list_free(list) }
    if list != nil {
      try SecretServiceFailure.check {
        secret_item_load_secrets_sync(list, cancellable.pointer, &$0)
      }
    }
    var secrets: [(KeyringItem, Secret<[UInt8]>)] = []
    for item in items {
      // The bulk read gives no reason for an item that it leaves out; reading it alone does.
      do throws(SecretServiceFailure) {
        if item.secret == nil {
          try SecretServiceFailure.check {
            secret_item_load_secret_sync(item.pointer, cancellable.pointer, &$0)
          }
        }
      } catch .noSuchItem {
        continue
      }
      guard let secret = item.secret else { throw .locked }
      secrets.append((item, secret))
    }
    return secrets
  }

  /// Creates an item in an unlocked collection.
  func create(
    _ text: Secret<[UInt8]>, attributes: [String: String], label: String, in collection: String
  ) throws(SecretServiceFailure) {
    let table = Self.table(attributes)
    defer { g_hash_table_unref(table) }
    let value = Self.value(of: text)
    defer { secret_value_unref(value.map(UnsafeMutableRawPointer.init)) }
    try SecretServiceFailure.check {
      secret_service_store_sync(
        service, nil, table, collection, label, value, cancellable.pointer, &$0)
    }
  }

  /// Replaces the secret of an existing, unlocked item, and leaves its other properties as they
  /// are.
  ///
  /// With some services, creating it anew would do the same; others ask the user for consent each
  /// time.
  func replace(_ text: Secret<[UInt8]>, in item: KeyringItem) throws(SecretServiceFailure) {
    let value = Self.value(of: text)
    defer { secret_value_unref(value.map(UnsafeMutableRawPointer.init)) }
    try SecretServiceFailure.check {
      secret_item_set_secret_sync(item.pointer, value, cancellable.pointer, &$0)
    }
  }

  /// Removes the items that have `attributes`; the service may ask the user about each.
  func remove(_ attributes: [String: String]) throws(SecretServiceFailure) {
    for item in try look(for: attributes) {
      do throws(SecretServiceFailure) {
        let reply = try call("Delete", [], of: UnsafeMutableRawPointer(item.pointer))
        guard let prompt = Self.prompt(reply[0]) else { continue }
        try ask(prompt, else: item.isLocked ? .locked : .declined)
        let path = Self.path(of: item.pointer)
        if try look(for: attributes).contains(where: { Self.path(of: $0.pointer) == path }) {
          throw declined(item.isLocked ? .locked : .declined)
        }
      } catch .noSuchItem {
        continue
      }
    }
  }

  private func look(
    for attributes: [String: String]
  ) throws(SecretServiceFailure) -> [KeyringItem] {
    let table = Self.table(attributes)
    defer { g_hash_table_unref(table) }
    let found = try SecretServiceFailure.check {
      secret_service_search_sync(
        service, nil, table, SECRET_SEARCH_ALL, cancellable.pointer, &$0)
    }
    defer { g_list_free_full(found) { g_object_unref($0) } }
    var items: [KeyringItem] = []
    var node = found
    while let element = node {
      if let item = element.pointee.data?.assumingMemoryBound(to: SecretItem.self) {
        items.append(KeyringItem(item))
      }
      node = element.pointee.next
    }
    return items
  }

  /// The paths of locked items, without loading each.
  private func lockedItems(
    _ attributes: [String: String]
  ) throws(SecretServiceFailure) -> [String] {
    let table = Self.table(attributes)
    defer { g_hash_table_unref(table) }
    var locked: UnsafeMutablePointer<UnsafeMutablePointer<gchar>?>?
    try SecretServiceFailure.check {
      secret_service_search_for_dbus_paths_sync(
        service, nil, table, cancellable.pointer, nil, &locked, &$0)
    }
    defer { g_strfreev(locked) }
    var paths: [String] = []
    while let path = locked?[paths.count] { paths.append(String(cString: path)) }
    return paths
  }

  private static func table(_ attributes: [String: String]) -> OpaquePointer? {
    let table = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free)
    for (name, value) in attributes {
      g_hash_table_insert(table, g_strdup(name), g_strdup(value))
    }
    return table
  }

  private static func value(of text: Secret<[UInt8]>) -> OpaquePointer? {
    text.exposed.withUnsafeBytes {
      secret_value_new(
        $0.baseAddress?.assumingMemoryBound(to: CChar.self), gssize($0.count), "text/plain")
    }
  }
}
