import CurlHTTP

/// What calls report: to the log, and to the server where telemetry is on.
extension PublicClientApplication {
  /// Sends a form, and tells the server what call it is part of.
  func send(
    _ request: TokenRequest, step: AuthenticationError.Step = .token, _ call: Telemetry.Call
  ) async throws(AuthenticationError) -> HTTPReply {
    let reply = try await network.send(
      request, step: step, telemetry: telemetry.fields(call))
    telemetry.answered(by: reply)
    return reply
  }

  /// The error of a call for its caller, once it is reported.
  nonisolated func ended(
    _ error: AuthenticationError, _ api: Telemetry.API, _ correlationID: String
  ) -> AuthenticationError {
    switch error.code {
    // A person's choice, or their turn.
    case .userCanceled, .interactionRequired, .deviceCodeExpired:
      log.info("The request ended: \(error)", correlationID)
    default:
      log.error("The request failed: \(error)", correlationID)
    }
    telemetry.failed(api, correlationID, error)
    return error.naming(correlationID)
  }

  /// Notes that tokens came, and why they could not be kept.
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
    if grant.disagreesWithClock {
      log.warning("This device's clock differs from the sign-in service's clock", correlationID)
    }
    if let storageFailure {
      log.error("The tokens will be lost when the app ends: \(storageFailure)", correlationID)
    }
  }
}
