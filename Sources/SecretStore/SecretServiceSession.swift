import AuthCore
import CSecret
import Gio
import Synchronization

/// A connection to the Secret Service, for one piece of work.
///
/// All calls are libsecret's synchronous ones, and can take as long as the service or the user
/// does.
final class SecretServiceSession {
  private let connection: Connection
  private let timeout: TimeLimit
  /// Whether the user may be asked; nil when they are never asked.
  private let question: Question?

  var service: UnsafeMutablePointer<SecretService> { connection.service }
  /// Ends the call in progress.
  var cancellable: Cancellable { timeout.cancellable }

  var bus: OpaquePointer? {
    g_dbus_proxy_get_connection(Self.proxy(UnsafeMutableRawPointer(service)))
  }

  private init(_ timeout: TimeLimit, _ question: Question?) throws(SecretServiceFailure) {
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
      let service = try SecretServiceFailure.check {
        secret_service_get_sync(SECRET_SERVICE_OPEN_SESSION, cancellable.pointer, &$0)
      }
      guard let service else { throw .noService }
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
    limit: Duration, _ cancellable: Cancellable, _ question: Question?,
    _ work: (SecretServiceSession) throws(SecretServiceFailure) -> Value
  ) throws(SecretServiceFailure) -> Value {
    let timeout = TimeLimit(limit, cancellable)
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
    let reply = try call(
      "CreateCollection",
      [Variant(owning: g_variant_dict_end(properties)), Variant(alias)],
      of: UnsafeMutableRawPointer(service))
    guard let prompt = Self.prompt(reply[1]) else { return }
    try ask(prompt, else: .declined)
    if try collection(alias) == nil { throw declined(.declined) }
  }

  private func collection(
    _ alias: String
  ) throws(SecretServiceFailure) -> (path: String, isLocked: Bool)? {
    let collection = try SecretServiceFailure.check {
      secret_collection_for_alias_sync(
        service, alias, SECRET_COLLECTION_NONE, cancellable.pointer, &$0)
    }
    guard let collection else { return nil }
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
    let reply = try call(
      "Unlock", [Variant(objectPaths: paths)], of: UnsafeMutableRawPointer(service))
    if let prompt = Self.prompt(reply[1]) { try ask(prompt, else: failure) }
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
    do throws(SecretServiceFailure) {
      let answer = try SecretServiceFailure.check { error in
        timeout.waitingForUser {
          secret_service_prompt_at_dbus_path_sync(
            service, prompt, cancellable.pointer, nil, &error)
        }
      }
      if let answer { return g_variant_unref(answer) }
    } catch {
      guard error == .noAnswer, !cancellable.wasGivenUp else { throw error }
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

  /// Calls a method of a proxy, and returns its reply.
  func call(
    _ method: String, _ arguments: [Variant], of object: UnsafeMutableRawPointer
  ) throws(SecretServiceFailure) -> Variant {
    let arguments = Variant(tuple: arguments)
    let reply = try SecretServiceFailure.check {
      g_dbus_proxy_call_sync(
        Self.proxy(object), method, arguments.pointer, G_DBUS_CALL_FLAGS_NONE, -1,
        cancellable.pointer, &$0)
    }
    guard let reply else { throw .noAnswer }
    return Variant(owning: reply)
  }

  /// The path of a prompt that a method returned; nil when the service needs none.
  static func prompt(_ path: Variant?) -> String? {
    let path = path?.text()
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
}
