extension PublicClientApplication {
  /// Acquires a token by the device code flow (RFC 8628): the person signs in on another device, where they
  /// enter a code that `parameters.showCode` shows.
  ///
  /// It is for where no pages can be shown, such as on a server, and for when the person chose it. Never
  /// begin it unasked, nor because another way failed: people who get used to codes enter those of others
  /// too (RFC 8628, section 5.4). A code must be entered only by who asked for it.
  /// - Throws: ``AuthenticationError``; ``AuthenticationError/Code/deviceCodeExpired`` when the person was
  ///   not done in time, ``AuthenticationError/Code/userCanceled`` when they declined or the task was
  ///   cancelled.
  public func acquireToken(
    _ parameters: DeviceCodeTokenParameters
  ) async throws(AuthenticationError) -> AuthenticationResult {
    let correlationID = parameters.correlationID ?? runtime.newCorrelationID()
    log.info("Device code request", correlationID)
    do throws(AuthenticationError) {
      try Scopes.check(parameters.scopes)
      let flow = DeviceCodeFlow(
        client: configuration, parameters: parameters, correlationID: correlationID)
      return try await run(flow, correlationID)
    } catch {
      throw ended(error, .deviceCode, correlationID)
    }
  }
}
