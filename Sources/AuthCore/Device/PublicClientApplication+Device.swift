import FoundationEssentials

/// Information about this device.
extension PublicClientApplication {
  /// Describes this device.
  ///
  /// It sends nothing over the network and never fails: unknown values are nil.
  public func deviceInformation() async -> DeviceInformation {
    var device = DeviceInformation(
      mode: configuration.isSharedDevice ? .shared : .private, runtime.systemFiles)
    if let broker {
      do throws(AuthenticationError) {
        device.broker = try await brokerVersion().map { .present(version: $0) } ?? .absent
      } catch {
        device.broker = .failed(error)
      }
      // Without tokens from a broker there is no device ID, so the store need not be opened.
      if broker.givesTokens {
        await memory.load()
        device.deviceID = deviceID
      }
    }
    return device
  }

  /// The `deviceid` of a token from a broker.
  ///
  /// Access tokens are opaque to clients (RFC 6749, section 1.4), so the value is only displayed,
  /// and only read from a broker's tokens.
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
