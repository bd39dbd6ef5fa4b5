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
  let timeout: TimeLimit
  /// Whether the user may be asked; nil when they are never asked.
  let unlockPrompt: UnlockPrompt?

  var service: UnsafeMutablePointer<SecretService> { connection.service }
  /// Ends the call in progress.
  var cancellable: Cancellable { timeout.cancellable }

  var bus: OpaquePointer? {
    g_dbus_proxy_get_connection(Self.proxy(UnsafeMutableRawPointer(service)))
  }

  private init(_ timeout: TimeLimit, _ unlockPrompt: UnlockPrompt?) throws(SecretServiceFailure) {
    connection = try Connection(timeout.cancellable)
    self.timeout = timeout
    self.unlockPrompt = unlockPrompt
  }

  /// libsecret's connection, which all sessions share.
  private final class Connection: @unchecked Sendable {
    // GObject counts references from any thread; the pointer never changes.
    let service: UnsafeMutablePointer<SecretService>

    /// Connects with an encrypted session, so that secrets are not sent unencrypted over the bus.
    init(_ cancellable: Cancellable) throws(SecretServiceFailure) {
      // libsecret would have GLib start a bus, as over `ssh -X`, where there is only a display.
      guard DBusConnection.sessionAddress != nil else { throw .noBus }
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
  ///   - unlockPrompt: whether the user may be asked; nil when they are never asked.
  static func using<Value>(
    limit: Duration, _ cancellable: Cancellable, _ unlockPrompt: UnlockPrompt?,
    _ work: (SecretServiceSession) throws(SecretServiceFailure) -> Value
  ) throws(SecretServiceFailure) -> Value {
    let timeout = TimeLimit(limit, cancellable)
    do throws(SecretServiceFailure) {
      let session = try SecretServiceSession(timeout, unlockPrompt)
      kept.withLock { $0 = session.connection }
      return try work(session)
    } catch {
      guard !error.isAnswer else { throw error }
      kept.withLock { $0 = nil }
      secret_service_disconnect()
      return try work(try SecretServiceSession(timeout, unlockPrompt))
    }
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

  static func path(of item: UnsafeMutablePointer<SecretItem>) -> String {
    g_dbus_proxy_get_object_path(proxy(UnsafeMutableRawPointer(item)))
      .map { String(cString: $0) } ?? "/"
  }

  private static func proxy(_ object: UnsafeMutableRawPointer) -> UnsafeMutablePointer<GDBusProxy> {
    object.assumingMemoryBound(to: GDBusProxy.self)
  }
}
