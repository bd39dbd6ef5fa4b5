import CurlHTTP

/// What calls report: to the log, and to the server if telemetry is on.
extension PublicClientApplication {
  /// Sends a form, with the telemetry of its call.
  func send(
    _ request: TokenRequest, step: AuthenticationError.Step = .token, _ call: Telemetry.Call
  ) async throws(AuthenticationError) -> HTTPReply {
    let reply = try await network.send(
      request, step: step, telemetry: telemetry.fields(call))
    telemetry.answered(by: reply)
    return reply
  }

  /// Reports the error of a call, and returns it for the caller.
  nonisolated func ended(
    _ error: AuthenticationError, _ api: Telemetry.API, _ correlationID: String
  ) -> AuthenticationError {
    switch error.code {
    // Not failures: the user canceled, or must act.
    case .userCanceled, .interactionRequired, .deviceCodeExpired, .webAuthenticationTimedOut:
      log.info("The request ended: \(error)", correlationID)
    default:
      log.error("The request failed: \(error)", correlationID)
    }
    telemetry.failed(api, correlationID, error)
    return error.naming(correlationID)
  }

  /// Logs that tokens arrived, and why they could not be stored.
  func report(
    _ grant: TokenGrant, of account: Account, _ storageFailure: AuthenticationError?,
    _ correlationID: String
  ) {
    log.info(
      """
      Tokens for \(personal: account.username), account \(identifier: account.id), \
      tenant \(identifier: grant.tenantID), access token \(secret: grant.response.accessToken) \
      good for \(public: grant.response.expiresIn) s
      """, correlationID)
    if grant.clockDifference != nil {
      log.warning("This device's clock differs from the sign-in service's clock", correlationID)
    }
    if let storageFailure {
      log.error("The tokens will be lost when the app ends: \(storageFailure)", correlationID)
    }
  }
}
