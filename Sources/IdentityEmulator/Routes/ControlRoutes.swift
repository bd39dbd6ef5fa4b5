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
/// | `/control/next-token-reply` | those of a reply, below | prepares a reply |
/// | `/control/next-graph-reply` | the same, `path`, `times` | prepares replies of Graph |
/// | `/control/next-transfer-reply` | as for tokens | prepares a reply to a down- or upload |
/// | `/control/enter-device-code` | `code`, `username` | signs in for another device |
/// | `/control/forget-delta` | | makes Graph refuse all delta tokens with 410 |
/// | `/control/expire-uploads` | | ends all uploads that have begun |
///
/// A reply has `status`, `body`, `content-type`, `retry-after`, and any number of `header`, each
/// like `Name: value`.
struct ControlRoutes: Sendable {
  let emulator: Emulator

  func add(to router: inout Router) {
    router.post("/control/requests") { _ in
      let counts = await emulator.requestCounts.sorted { $0.key < $1.key }
      return Response.json(.object(counts.map { ($0.key, .number($0.value)) }))
    }
    router.post("/control/secrets") { _ in
      let secrets = await emulator.secrets
      return Response.json(
        .object(secrets.map { ($0.kind, .array($0.values.map(JSON.string))) }))
    }
    on("forget-requests", &router) { _ in await emulator.forgetRequests() }
    on("expire", &router) { _ in await emulator.expireAccessTokens() }
    on("expire-codes", &router) { _ in await emulator.expireAuthorizationCodes() }
    on("expire-device-codes", &router) { _ in await emulator.expireDeviceCodes() }
    on("token-lifetime", &router) { form in
      await emulator.setTokenLifetime(try number("seconds", in: 0...86_400, form))
    }
    on("redirect-via", &router) { form in
      guard let delivery = form["delivery"].flatMap({ RedirectDelivery(rawValue: $0) }) else {
        throw HTTPError(.badRequest, message: "unknown delivery")
      }
      await emulator.setRedirectDelivery(delivery)
    }
    on("revoke", &router) { form in
      do throws(Emulator.ControlError) {
        try await emulator.revokeRefreshTokens(of: form["username"] ?? "")
      } catch {
        throw HTTPError(.badRequest, message: error.message)
      }
    }
    on("faults", &router) { form in
      let names = form.fields.filter { $0.name == "fault" }.map(\.value)
      let faults = names.compactMap(Fault.init(named:))
      guard faults.count == names.count else {
        throw HTTPError(.badRequest, message: "unknown fault")
      }
      await emulator.setFaults(Set(faults))
    }
    on("delay", &router) { form in
      let delay = Duration.milliseconds(try number("milliseconds", in: 0...3_600_000, form))
      guard let route = form["route"], route.hasPrefix("/") else {
        throw HTTPError(.badRequest, message: "route is no path; it is without the method")
      }
      await emulator.setDelay(delay, route: route)
    }
    on("next-token-reply", &router) { form in await emulator.prepareTokenReply(try reply(form)) }
    on("next-graph-reply", &router) { form in
      let times = form["times"] == nil ? 1 : try number("times", in: 1...1000, form)
      let reply = try reply(form)
      for _ in 0..<times { await emulator.prepareGraphReply(reply, for: form["path"]) }
    }
    on("next-transfer-reply", &router) { form in
      await emulator.prepareTransferReply(try reply(form))
    }
    on("enter-device-code", &router) { form in
      do throws(Emulator.SignInRefused) {
        try await emulator.enterDeviceCode(form["code"] ?? "", as: form["username"] ?? "")
      } catch {
        throw HTTPError(.badRequest, message: error.message)
      }
    }
    on("forget-delta", &router) { _ in await emulator.forgetDeltaTokens() }
    on("expire-uploads", &router) { _ in await emulator.expireUploads() }
  }

  private func reply(_ form: Form) throws -> CannedReply {
    let status = try number("status", in: 200...599, form)
    var reply = CannedReply(status: status, body: form["body"] ?? "")
    if let type = form["content-type"] { reply.headers["Content-Type"] = type }
    if let seconds = form["retry-after"] { reply.headers["Retry-After"] = seconds }
    for field in form.fields where field.name == "header" {
      let parts = field.value.split(separator: ":", maxSplits: 1)
      guard parts.count == 2, HTTPField.Name(String(parts[0])) != nil else {
        throw HTTPError(.badRequest, message: "header is not like 'Name: value'")
      }
      reply.headers[String(parts[0])] = parts[1].trimmingSpaces
    }
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
