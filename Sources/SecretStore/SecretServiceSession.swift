import AuthCore
import CSecret
import Synchronization

/// A connection to the Secret Service, for one piece of work on a store's queue.
///
/// All calls are libsecret's synchronous ones and can take as long as the service or the person does.
final class SecretServiceSession {
  let service: UnsafeMutablePointer<SecretService>
  let cancellable: Cancellable

  /// An item that was found, with its secret.
  struct Item {
    var attributes: [String: String]
    var secret: Secret<String>
  }

  /// Connects, with an encrypted session: secrets do not cross the bus in the clear.
  init(cancellable: Cancellable) throws(SecretServiceFailure) {
    var error: UnsafeMutablePointer<GError>?
    guard
      let service = secret_service_get_sync(
        SECRET_SERVICE_OPEN_SESSION, cancellable.pointer, &error)
    else { throw SecretServiceFailure(error) }
    self.service = service
    self.cancellable = cancellable
  }

  deinit {
    g_object_unref(service)
  }

  /// The session that is kept from one piece of work to the next: libsecret uses one connection for all for
  /// as long as someone has it.
  private static let kept = Mutex<Kept>(Kept())

  // GObject counts references from any thread.
  private struct Kept: @unchecked Sendable {
    var session: SecretServiceSession?
  }

  /// Does `work` with a session.
  ///
  /// A service that was started anew does not know the session it had before, so a failure is tried once
  /// more with a new one.
  static func using<Value>(
    _ cancellable: Cancellable,
    _ work: (SecretServiceSession) throws(SecretServiceFailure) -> Value
  ) throws(SecretServiceFailure) -> Value {
    do throws(SecretServiceFailure) {
      let session = try SecretServiceSession(cancellable: cancellable)
      kept.withLock { $0.session = session }
      return try work(session)
    } catch {
      guard ![.locked, .noAnswer, .noDefaultCollection].contains(error) else { throw error }
      kept.withLock { $0.session = nil }
      secret_service_disconnect()
      return try work(try SecretServiceSession(cancellable: cancellable))
    }
  }

  /// Unlocks the default collection.
  ///
  /// A search in a locked collection finds nothing and reports no error, so this comes before any search.
  /// - Parameter mayAsk: whether a prompt may be shown to the person.
  /// - Returns: whether it is unlocked now.
  func unlockDefaultCollection(mayAsk: Bool) throws(SecretServiceFailure) -> Bool {
    var error: UnsafeMutablePointer<GError>?
    let collection = secret_collection_for_alias_sync(
      service, SECRET_COLLECTION_DEFAULT, SECRET_COLLECTION_NONE, cancellable.pointer, &error)
    guard let collection else {
      if let error { throw SecretServiceFailure(error) }
      throw .noDefaultCollection
    }
    defer { g_object_unref(collection) }
    guard secret_collection_get_locked(collection) != 0 else { return true }
    guard mayAsk else { return false }
    let objects = g_list_append(nil, collection)
    defer { g_list_free(objects) }
    let unlocked = secret_service_unlock_sync(service, objects, cancellable.pointer, nil, &error)
    if let error { throw SecretServiceFailure(error) }
    return unlocked > 0
  }

  /// All items that have `attributes`, with their secrets.
  func search(_ attributes: [String: String]) throws(SecretServiceFailure) -> [Item] {
    let table = Self.table(attributes)
    defer { g_hash_table_unref(table) }
    let flags = SecretSearchFlags(
      SECRET_SEARCH_ALL.rawValue | SECRET_SEARCH_LOAD_SECRETS.rawValue)
    var error: UnsafeMutablePointer<GError>?
    let found = secret_service_search_sync(
      service, Self.schema, table, flags, cancellable.pointer, &error)
    if let error { throw SecretServiceFailure(error) }
    defer { g_list_free_full(found) { g_object_unref($0) } }

    var items: [Item] = []
    var node = found
    while let element = node {
      if let item = element.pointee.data?.assumingMemoryBound(to: SecretItem.self) {
        // A secret that is not there is one in a locked collection: not the same as no item.
        guard let value = secret_item_get_secret(item) else { throw .locked }
        defer { secret_value_unref(UnsafeMutableRawPointer(value)) }
        items.append(Item(attributes: Self.attributes(of: item), secret: Self.text(of: value)))
      }
      node = element.pointee.next
    }
    return items
  }

  /// Stores an item in the default collection, in place of the one with the same attributes.
  func store(
    _ secret: Secret<String>, attributes: [String: String], label: String
  ) throws(SecretServiceFailure) {
    let table = Self.table(attributes)
    defer { g_hash_table_unref(table) }
    let value = secret_value_new(secret.exposed, -1, "text/plain")
    defer { secret_value_unref(value.map(UnsafeMutableRawPointer.init)) }
    var error: UnsafeMutablePointer<GError>?
    let isStored = secret_service_store_sync(
      service, Self.schema, table, SECRET_COLLECTION_DEFAULT, label, value, cancellable.pointer,
      &error)
    guard isStored != 0 else { throw SecretServiceFailure(error) }
  }

  /// Removes the items that have `attributes`.
  func clear(_ attributes: [String: String]) throws(SecretServiceFailure) {
    let table = Self.table(attributes)
    defer { g_hash_table_unref(table) }
    var error: UnsafeMutablePointer<GError>?
    secret_service_clear_sync(service, Self.schema, table, cancellable.pointer, &error)
    if let error { throw SecretServiceFailure(error) }
  }

  // MARK: - C values

  /// The schema of the items.
  ///
  /// Its name is not matched: services differ in what they make of it while they are locked.
  private nonisolated(unsafe) static let schema: UnsafeMutablePointer<SecretSchema>? = {
    let types = g_hash_table_new(g_str_hash, g_str_equal)
    for name in ["application", "kind", "id", "slot"] {
      // The schema keeps pointers to the names for as long as the process runs.
      g_hash_table_insert(
        types, g_strdup(name),
        UnsafeMutableRawPointer(bitPattern: UInt(SECRET_SCHEMA_ATTRIBUTE_STRING.rawValue)))
    }
    defer { g_hash_table_unref(types) }
    return secret_schema_newv(
      "io.github.entrance.TokenCache", SECRET_SCHEMA_DONT_MATCH_NAME, types)
  }()

  static func table(_ attributes: [String: String]) -> OpaquePointer? {
    let table = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free)
    for (name, value) in attributes {
      g_hash_table_insert(table, g_strdup(name), g_strdup(value))
    }
    return table
  }

  static func attributes(of item: UnsafeMutablePointer<SecretItem>) -> [String: String] {
    guard let table = secret_item_get_attributes(item) else { return [:] }
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

  private static func text(of value: OpaquePointer) -> Secret<String> {
    var length: gsize = 0
    guard let bytes = secret_value_get(value, &length) else { return Secret("") }
    let buffer = UnsafeRawBufferPointer(start: bytes, count: Int(length))
    return Secret(String(decoding: buffer, as: UTF8.self))
  }
}

/// A `GCancellable`: ends a call that another thread is waiting in.
final class Cancellable: @unchecked Sendable {
  // GCancellable may be used from any thread; the pointer never changes.
  let pointer = g_cancellable_new()

  deinit {
    g_object_unref(pointer)
  }

  /// Makes the call that uses this end with "cancelled".
  func cancel() {
    g_cancellable_cancel(pointer)
  }
}
