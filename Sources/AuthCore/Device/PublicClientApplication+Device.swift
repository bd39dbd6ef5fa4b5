import FoundationEssentials

/// What is known about this device.
extension PublicClientApplication {
  /// Tells what is known about this device.
  ///
  /// Nothing is sent over the network, and it never fails: what cannot be found out is not known.
  public func deviceInformation() async -> DeviceInformation {
    var device = DeviceInformation(
      mode: configuration.isSharedDevice ? .shared : .private, runtime.systemFiles)
    if let broker {
      do throws(AuthenticationError) {
        device.broker = try await brokerVersion().map { .present(version: $0) } ?? .absent
      } catch {
        device.broker = .failed(error)
      }
      // No keyring is opened for what cannot be in it.
      if broker.givesTokens {
        await memory.load()
        device.deviceID = deviceID
      }
    }
    return device
  }

  /// The `deviceid` of a token that a broker gave.
  ///
  /// Access tokens are their API's business (RFC 6749, section 1.4). Here nothing hangs on what one says but
  /// what is shown, and none but a broker's is looked at.
  private var deviceID: String? {
    for account in memory.accounts where account.isFromBroker {
      guard let record = memory.record(of: account) else { continue }
      for token in record.accessTokens.reversed() {
        let parts = token.secret.exposed.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let payload = Base64URL.decode(parts[1]),
          let id = (try? JSON(parsing: payload))?["deviceid"]?.string, GUID.isValid(id)
        else { continue }
        return id.lowercased()
      }
    }
    return nil
  }
}
