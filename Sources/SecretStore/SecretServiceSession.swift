import AuthCore
import CSecret
import Dispatch
import Synchronization

/// A connection to the Secret Service, for one piece of work.
///
/// All calls are libsecret's synchronous ones, and can take as long as the service or the user
/// does.
final class SecretServiceSession {
  private let connection: Connection
  private let timeout: CallTimeout
  /// Whether the user may be asked; nil when they are never asked.
  private let question: Question?

  var service: UnsafeMutablePointer<SecretService> { connection.service }
  var cancellable: UnsafeMutablePointer<GCancellable>? { timeout.cancellable.pointer }

  var bus: OpaquePointer? {
    g_dbus_proxy_get_connection(Self.proxy(UnsafeMutableRawPointer(service)))
  }

  private init(_ timeout: CallTimeout, _ question: Question?) throws(SecretServiceFailure) {
    connection = try Connection(timeout.cancellable)
    self.timeout = timeout
    self.question = question
  }

  /// libsecret's connection, which all sessions share.
  private final class Connection: @unchecked Sendable {
    // GObject counts references from any thread; the pointer never changes.
    let service: UnsafeMutablePointer<SecretService>

    /// Connects with an encrypted session, so that secrets are not sent unencrypted over the bus.
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

  /// The connection, kept between pieces of work.
  private static let kept = Mutex<Connection?>(nil)

  /// Runs `work` with a session.
  ///
  /// A restarted service does not know the previous session, so after a failure `work` is tried
  /// once more with a new one.
  /// - Parameters:
  ///   - limit: the time limit for the service to answer.
  ///   - cancellable: ends the work earlier.
  ///   - question: whether the user may be asked; nil when they are never asked.
  static func using<Value>(
    limit: DispatchTimeInterval, _ cancellable: Cancellable, _ question: Question?,
    _ work: (SecretServiceSession) throws(SecretServiceFailure) -> Value
  ) throws(SecretServiceFailure) -> Value {
    let timeout = CallTimeout(limit, cancellable)
    do throws(SecretServiceFailure) {
      let session = try SecretServiceSession(timeout, question)
      kept.withLock { $0 = session.connection }
      return try work(session)
    } catch {
      guard !error.isAnswer else { throw error }
      kept.withLock { $0 = nil }
      secret_service_disconnect()
      return try work(try SecretServiceSession(timeout, question))
    }
  }

  // MARK: - Collections

  /// Whether a collection is locked; nil when it does not exist.
  ///
  /// The check unlocks nothing and asks nobody.
  func isLocked(_ alias: String) throws(SecretServiceFailure) -> Bool? {
    try collection(alias)?.isLocked
  }

  /// Unlocks a collection; the service may ask the user.
  ///
  /// - Returns: whether it exists.
  func openCollection(_ alias: String) throws(SecretServiceFailure) -> Bool {
    guard let (path, isLocked) = try collection(alias) else { return false }
    guard isLocked else { return true }
    try open([path])
    if try collection(alias)?.isLocked != false { throw declined(.locked) }
    return true
  }

  /// Creates a collection; the service asks the user.
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

  /// Unlocks collections or items.
  ///
  /// The service is called even when the user must not be asked: it unlocks what it can by itself,
  /// and the lock state seen before may be out of date.
  /// - Throws: `failure` when the user may not be asked, or does not answer.
  func open(
    _ paths: [String], else failure: SecretServiceFailure = .locked
  ) throws(SecretServiceFailure) {
    let builder = Self.variantBuilder("ao")
    for path in paths { g_variant_builder_add_value(builder, g_variant_new_object_path(path)) }
    let reply = try Self.call(
      UnsafeMutableRawPointer(service), "Unlock", [g_variant_builder_end(builder)], cancellable)
    g_variant_builder_unref(builder)
    defer { g_variant_unref(reply) }
    if let prompt = Self.prompt(reply, at: 1) { try ask(prompt, else: failure) }
  }

  /// Why an item cannot be read in an unlocked keyring, which asks before a program can read it: the
  /// user declined, unless they were never asked.
  var withheld: SecretServiceFailure { question == nil ? .locked : .declined }

  /// Lets the service show its prompt to the user.
  ///
  /// The answer shows in what is possible afterwards: libsecret reports consent and refusal the
  /// same way.
  /// - Throws: `failure` when the user may not be asked, or does not answer.
  func ask(_ prompt: String, else failure: SecretServiceFailure) throws(SecretServiceFailure) {
    guard let question, question.mayBeAsked else {
      dismiss(prompt)
      throw failure
    }
    var error: UnsafeMutablePointer<GError>?
    let answer = timeout.waitingForUser {
      secret_service_prompt_at_dbus_path_sync(service, prompt, cancellable, nil, &error)
    }
    if let answer { return g_variant_unref(answer) }
    if let error {
      let problem = SecretServiceFailure(error)
      guard problem == .noAnswer, !timeout.cancellable.wasGivenUp else { throw problem }
    }
    throw declined(failure)
  }

  /// Records that the user declined, and returns `failure`.
  func declined(_ failure: SecretServiceFailure) -> SecretServiceFailure {
    question?.decline()
    return failure
  }

  /// Tells the service that its prompt will not be shown.
  private func dismiss(_ prompt: String) {
    // Nothing depends on the reply, so it is not awaited.
    g_dbus_connection_call(
      bus, "org.freedesktop.secrets", prompt, "org.freedesktop.Secret.Prompt", "Dismiss", nil, nil,
      G_DBUS_CALL_FLAGS_NO_AUTO_START, -1, nil, nil, nil)
  }

  // MARK: - C values

  /// Calls a method of a proxy and returns its reply, which the caller releases.
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

  /// The path of a prompt in a reply; nil when the service needs none.
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
