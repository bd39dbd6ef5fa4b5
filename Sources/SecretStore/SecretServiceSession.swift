import AuthCore
import CSecret
import Dispatch
import Synchronization

/// A connection to the Secret Service, for one piece of work.
///
/// All calls are libsecret's synchronous ones and can take as long as the service or the person does.
final class SecretServiceSession {
  private let connection: Connection
  private let patience: Patience
  /// Whether the person may be asked; nil where nobody ever is.
  private let question: Question?

  var service: UnsafeMutablePointer<SecretService> { connection.service }
  var cancellable: UnsafeMutablePointer<GCancellable>? { patience.cancellable.pointer }

  var bus: OpaquePointer? {
    g_dbus_proxy_get_connection(Self.proxy(UnsafeMutableRawPointer(service)))
  }

  private init(_ patience: Patience, _ question: Question?) throws(SecretServiceFailure) {
    connection = try Connection(patience.cancellable)
    self.patience = patience
    self.question = question
  }

  /// libsecret's connection, which it uses for all for as long as someone has it.
  private final class Connection: @unchecked Sendable {
    // GObject counts references from any thread; the pointer never changes.
    let service: UnsafeMutablePointer<SecretService>

    /// Connects, with an encrypted session: secrets do not cross the bus in the clear.
    init(_ cancellable: Cancellable) throws(SecretServiceFailure) {
      var error: UnsafeMutablePointer<GError>?
      guard
        let service = secret_service_get_sync(
          SECRET_SERVICE_OPEN_SESSION, cancellable.pointer, &error)
      else { throw SecretServiceFailure(error) }
      self.service = service
    }

    deinit { g_object_unref(service) }
  }

  /// The connection that is kept from one piece of work to the next.
  private static let kept = Mutex<Connection?>(nil)

  /// Does `work` with a session.
  ///
  /// A service that was started anew does not know the session it had before, so a failure is tried once
  /// more with a new one.
  /// - Parameters:
  ///   - limit: how long the service may take to answer.
  ///   - cancellable: ends the work before that.
  ///   - question: whether the person may be asked; nil where nobody ever is.
  static func using<Value>(
    limit: DispatchTimeInterval, _ cancellable: Cancellable, _ question: Question?,
    _ work: (SecretServiceSession) throws(SecretServiceFailure) -> Value
  ) throws(SecretServiceFailure) -> Value {
    let patience = Patience(limit, cancellable)
    do throws(SecretServiceFailure) {
      let session = try SecretServiceSession(patience, question)
      kept.withLock { $0 = session.connection }
      return try work(session)
    } catch {
      guard !error.isAnswer else { throw error }
      kept.withLock { $0 = nil }
      secret_service_disconnect()
      return try work(try SecretServiceSession(patience, question))
    }
  }

  // MARK: - Collections

  /// Whether a collection is locked; nil when it is not there.
  ///
  /// Looking opens nothing, and asks nobody.
  func isLocked(_ alias: String) throws(SecretServiceFailure) -> Bool? {
    try collection(alias)?.isLocked
  }

  /// Opens a collection, asking the person where the service wants it.
  ///
  /// - Returns: whether it is there.
  func openCollection(_ alias: String) throws(SecretServiceFailure) -> Bool {
    guard let (path, isLocked) = try collection(alias) else { return false }
    guard isLocked else { return true }
    try open([path])
    if try collection(alias)?.isLocked != false { throw declined(.locked) }
    return true
  }

  /// Has the service make a collection, for which it asks the person.
  func createCollection(
    _ alias: String, label: String
  ) throws(SecretServiceFailure) {
    let properties = g_variant_dict_new(nil)
    g_variant_dict_insert_value(
      properties, "org.freedesktop.Secret.Collection.Label", g_variant_new_string(label))
    defer { g_variant_dict_unref(properties) }
    let reply = try Self.call(
      UnsafeMutableRawPointer(service), "CreateCollection",
      [g_variant_dict_end(properties), g_variant_new_string(alias)], cancellable)
    defer { g_variant_unref(reply) }
    guard let prompt = Self.prompt(reply, at: 1) else { return }
    try ask(prompt, else: .declined)
    if try collection(alias) == nil { throw declined(.declined) }
  }

  private func collection(
    _ alias: String
  ) throws(SecretServiceFailure) -> (path: String, isLocked: Bool)? {
    var error: UnsafeMutablePointer<GError>?
    let collection = secret_collection_for_alias_sync(
      service, alias, SECRET_COLLECTION_NONE, cancellable, &error)
    guard let collection else {
      if let error { throw SecretServiceFailure(error) }
      return nil
    }
    defer { g_object_unref(collection) }
    return (Self.path(of: collection), secret_collection_get_locked(collection) != 0)
  }

  // MARK: - Questions

  /// Opens collections or items.
  ///
  /// The service is asked even when nobody else may be: it opens what it can by itself, and what it said
  /// of a lock a moment ago may not be so any more.
  func open(_ paths: [String]) throws(SecretServiceFailure) {
    let builder = Self.variantBuilder("ao")
    for path in paths { g_variant_builder_add_value(builder, g_variant_new_object_path(path)) }
    let reply = try Self.call(
      UnsafeMutableRawPointer(service), "Unlock", [g_variant_builder_end(builder)], cancellable)
    g_variant_builder_unref(builder)
    defer { g_variant_unref(reply) }
    if let prompt = Self.prompt(reply, at: 1) { try ask(prompt, else: .locked) }
  }

  /// Lets the service ask the person what it wants to ask.
  ///
  /// What they have said shows in what can be done now: libsecret hands on the answer in the same way.
  /// - Throws: `failure` when they may not be asked, or do not answer.
  func ask(_ prompt: String, else failure: SecretServiceFailure) throws(SecretServiceFailure) {
    guard let question, question.mayBeAsked else {
      dismiss(prompt)
      throw failure
    }
    var error: UnsafeMutablePointer<GError>?
    let answer = patience.waitingForPerson {
      secret_service_prompt_at_dbus_path_sync(service, prompt, cancellable, nil, &error)
    }
    if let answer { return g_variant_unref(answer) }
    if let error {
      let problem = SecretServiceFailure(error)
      guard problem == .noAnswer, !patience.cancellable.wasGivenUp else { throw problem }
    }
    throw declined(failure)
  }

  /// Takes in that the person has declined, which is told as `failure`.
  func declined(_ failure: SecretServiceFailure) -> SecretServiceFailure {
    question?.decline()
    return failure
  }

  /// Tells the service that its question will not be asked.
  private func dismiss(_ prompt: String) {
    // Nothing depends on the answer, and nobody waits for it.
    g_dbus_connection_call(
      bus, "org.freedesktop.secrets", prompt, "org.freedesktop.Secret.Prompt", "Dismiss", nil, nil,
      G_DBUS_CALL_FLAGS_NO_AUTO_START, -1, nil, nil, nil)
  }

  // MARK: - C values

  /// Calls a method of a proxy, and gives its reply, which the caller lets go of.
  static func call(
    _ object: UnsafeMutableRawPointer, _ method: String, _ arguments: [OpaquePointer?],
    _ cancellable: UnsafeMutablePointer<GCancellable>?
  ) throws(SecretServiceFailure) -> OpaquePointer? {
    var error: UnsafeMutablePointer<GError>?
    let reply = g_dbus_proxy_call_sync(
      proxy(object), method, g_variant_new_tuple(arguments, gsize(arguments.count)),
      G_DBUS_CALL_FLAGS_NONE, -1, cancellable, &error)
    if let error { throw SecretServiceFailure(error) }
    return reply
  }

  /// The path of a prompt in a reply; nil when the service has nothing to ask.
  static func prompt(_ reply: OpaquePointer?, at index: Int) -> String? {
    guard let reply, g_variant_n_children(reply) > index else { return nil }
    let child = g_variant_get_child_value(reply, gsize(index))
    defer { g_variant_unref(child) }
    let path = g_variant_get_string(child, nil).map { String(cString: $0) }
    return path == "/" ? nil : path
  }

  static func path(of object: UnsafeMutableRawPointer) -> String {
    g_dbus_proxy_get_object_path(proxy(object)).map { String(cString: $0) } ?? "/"
  }

  static func path(of object: UnsafeMutablePointer<some Any>) -> String {
    path(of: UnsafeMutableRawPointer(object))
  }

  private static func proxy(_ object: UnsafeMutableRawPointer) -> UnsafeMutablePointer<GDBusProxy> {
    object.assumingMemoryBound(to: GDBusProxy.self)
  }

  private static func variantBuilder(_ type: String) -> UnsafeMutablePointer<GVariantBuilder>? {
    let type = g_variant_type_new(type)
    defer { g_variant_type_free(type) }
    return g_variant_builder_new(type)
  }
}
