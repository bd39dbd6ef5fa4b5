import HTTPTypes

/// The control functions of ``Emulator``, for tests in another process.
///
/// Every call is a `POST` with form fields, and returns `{}` unless stated otherwise.
///
/// | path | fields | effect |
/// |---|---|---|
/// | `/control/requests` | | returns the number of requests for each route |
/// | `/control/secrets` | | returns all codes and tokens issued so far |
/// | `/control/forget-requests` | | clears the request counts |
/// | `/control/token-lifetime` | `seconds` | sets the lifetime of access tokens |
/// | `/control/redirect-via` | `delivery` | sets how authorization responses are delivered |
/// | `/control/expire` | | expires all access tokens |
/// | `/control/expire-codes` | | expires all authorization codes |
/// | `/control/expire-device-codes` | | expires all device codes |
/// | `/control/revoke` | `username` | revokes all refresh tokens of a user |
/// | `/control/delay` | `route`, `milliseconds` | delays the replies of a route |
/// | `/control/faults` | `fault`, several times | replaces the active faults |
/// | `/control/next-token-reply` | `status`, `content-type`, `retry-after`, `body` | prepares a reply |
/// | `/control/next-graph-reply` | the same | prepares a reply of Microsoft Graph |
struct ControlRoutes: Sendable {
  let state: EmulatorState

  func add(to router: inout Router) {
    router.post("/control/requests") { _ in
      let counts = await state.requestCounts.sorted { $0.key < $1.key }
      return Response.json(.object(counts.map { ($0.key, .number($0.value)) }))
    }
    router.post("/control/secrets") { _ in
      let secrets = await state.secrets
      return Response.json(
        .object(secrets.map { ($0.kind, .array($0.values.map(JSON.string))) }))
    }
    on("forget-requests", &router) { _ in await state.forgetRequests() }
    on("expire", &router) { _ in await state.expireAccessTokens() }
    on("expire-codes", &router) { _ in await state.expireAuthorizationCodes() }
    on("expire-device-codes", &router) { _ in await state.expireDeviceCodes() }
    on("token-lifetime", &router) { form in
      await state.setTokenLifetime(try number("seconds", in: 0...86_400, form))
    }
    on("redirect-via", &router) { form in
      guard let delivery = form["delivery"].flatMap({ RedirectDelivery(rawValue: $0) }) else {
        throw HTTPError(.badRequest, message: "unknown delivery")
      }
      await state.setRedirectDelivery(delivery)
    }
    on("revoke", &router) { form in await state.revokeRefreshTokens(of: form["username"] ?? "") }
    on("faults", &router) { form in
      let faults = form.fields.filter { $0.name == "fault" }.map { Fault(named: $0.value) }
      guard !faults.contains(nil) else {
        throw HTTPError(.badRequest, message: "unknown fault")
      }
      await state.setFaults(Set(faults.compactMap { $0 }))
    }
    on("delay", &router) { form in
      let delay = Duration.milliseconds(try number("milliseconds", in: 0...3_600_000, form))
      guard let route = form["route"], route.hasPrefix("/") else {
        throw HTTPError(.badRequest, message: "route is no path; it is without the method")
      }
      await state.setDelay(delay, route: route)
    }
    on("next-token-reply", &router) { form in await state.prepareTokenReply(try reply(form)) }
    on("next-graph-reply", &router) { form in await state.prepareGraphReply(try reply(form)) }
  }

  private func reply(_ form: Form) throws -> CannedReply {
    let status = try number("status", in: 200...599, form)
    var reply = CannedReply(status: status, body: form["body"] ?? "")
    if let type = form["content-type"] { reply.headers["Content-Type"] = type }
    if let seconds = form["retry-after"] { reply.headers["Retry-After"] = seconds }
    return reply
  }

  private func on(
    _ name: String, _ router: inout Router,
    do action: @escaping @Sendable (Form) async throws -> Void
  ) {
    router.post("/control/\(name)") { request in
      try await action(try request.bodyForm())
      return Response.json([:])
    }
  }

  private func number(_ name: String, in range: ClosedRange<Int>, _ form: Form) throws -> Int {
    guard let number = form[name].flatMap({ Int($0) }), range.contains(number) else {
      throw HTTPError(
        .badRequest,
        message: "\(name) is no number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }
}
