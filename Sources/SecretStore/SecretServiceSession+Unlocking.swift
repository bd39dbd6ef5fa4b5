import CSecret
import Gio
import Synchronization

/// Unlocking: the service asks the user, unless they may not be asked (``UnlockPrompt``).
extension SecretServiceSession {
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

  /// Finds a collection with two calls: libsecret's own function also makes a proxy of it, which
  /// takes nine messages.
  private func collection(
    _ alias: String
  ) throws(SecretServiceFailure) -> (path: String, isLocked: Bool)? {
    let found = try SecretServiceFailure.check {
      secret_service_read_alias_dbus_path_sync(service, alias, cancellable.pointer, &$0)
    }
    guard let found else { return nil }
    defer { g_free(found) }
    let path = String(cString: found)
    let property = Variant(tuple: [Variant("org.freedesktop.Secret.Collection"), Variant("Locked")])
    defer { withExtendedLifetime(property) {} }
    let reply = try SecretServiceFailure.check {
      g_dbus_connection_call_sync(
        bus, "org.freedesktop.secrets", path, "org.freedesktop.DBus.Properties", "Get",
        property.pointer, nil, G_DBUS_CALL_FLAGS_NONE, -1, cancellable.pointer, &$0)
    }
    guard let reply else { throw .noAnswer }
    return (path, Variant(owning: reply)[0]?[0]?.value() ?? true)
  }

  // MARK: - The prompt

  /// How long the user may take to answer.
  private static let promptLimit = Duration.seconds(120)

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
  var withheld: SecretServiceFailure { unlockPrompt == nil ? .locked : .declined }

  /// Lets the service show its prompt to the user.
  ///
  /// The answer shows in what is possible afterwards: libsecret reports consent and refusal the
  /// same way.
  /// - Throws: `failure` when the user may not be asked, or does not answer.
  func ask(_ prompt: String, else failure: SecretServiceFailure) throws(SecretServiceFailure) {
    guard let unlockPrompt, unlockPrompt.mayBeAsked else {
      dismiss(prompt)
      throw failure
    }
    do throws(SecretServiceFailure) {
      let answer = try SecretServiceFailure.check { error in
        timeout.waitingForUser(atMost: Self.promptLimit) {
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
    unlockPrompt?.decline()
    return failure
  }

  /// Tells the service that its prompt will not be shown.
  private func dismiss(_ prompt: String) {
    // Nothing depends on the reply, so it is not awaited.
    g_dbus_connection_call(
      bus, "org.freedesktop.secrets", prompt, "org.freedesktop.Secret.Prompt", "Dismiss", nil, nil,
      G_DBUS_CALL_FLAGS_NO_AUTO_START, -1, nil, nil, nil)
  }
}

/// Whether the user may be asked to unlock a keyring: until they decline.
///
/// A prompt that was not waited for does not count as declined.
final class UnlockPrompt: Sendable {
  private let isDeclined = Atomic(false)

  var mayBeAsked: Bool { !isDeclined.load(ordering: .relaxed) }

  /// Records that the user declined or did not answer.
  func decline() { isDeclined.store(true, ordering: .relaxed) }

  /// Allows asking again.
  func allow() { isDeclined.store(false, ordering: .relaxed) }
}
