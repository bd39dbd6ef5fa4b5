extension PublicClientApplication {
  /// Acquires a token by the device code flow (RFC 8628): the user signs in on another device with
  /// a code that `parameters.showCode` shows.
  ///
  /// Use it where no sign-in pages can be shown, such as on a server, or when the user chose it.
  /// Never start it without a request by the user, nor as an automatic fallback: people who are
  /// used to codes may also enter an attacker's (RFC 8628, section 5.4). Only the person who
  /// requested a code must enter it.
  /// - Throws: ``AuthenticationError``; ``AuthenticationError/Code/deviceCodeExpired`` when the
  ///   code was not entered in time, ``AuthenticationError/Code/userCanceled`` when the user
  ///   declined or the task was canceled.
  public func acquireToken(
    _ parameters: DeviceCodeTokenParameters
  ) async throws(AuthenticationError) -> AuthenticationResult {
    let correlationID = parameters.correlationID ?? runtime.newCorrelationID()
    log.info("Device code request", correlationID)
    do throws(AuthenticationError) {
      var parameters = parameters
      parameters.scopes = try Scopes.checked(
        parameters.scopes, for: configuration.authority.kind)
      try? await memory.checkWriting()
      let flow = DeviceCodeFlow(
        client: configuration, parameters: parameters, correlationID: correlationID)
      return try await run(flow, correlationID)
    } catch {
      throw ended(error, .deviceCode, correlationID)
    }
  }
}
