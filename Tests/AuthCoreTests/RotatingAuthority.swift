import AuthCore
import CurlHTTP
import FoundationEssentials
import HTTPTypes
import TestSupport

/// A service that accepts each refresh token once, and ends the session when it sees one again, as
/// RFC 9700, section 4.14.2, describes.
final class RotatingAuthority: HTTPTransport {
  /// The moments of a renewal at which a test can do something.
  enum Moment: Sendable, CaseIterable {
    /// The request is on its way, and the refresh token is not used up yet.
    case sent
    /// The refresh token is used up, and the answer is on its way.
    case answered
    /// The signing keys are asked for.
    case keys
  }

  private struct State {
    var valid: String?
    var isEnded = false
    var meanwhile: [Moment: @Sendable () async -> Void] = [:]
  }

  let usual: ScriptedAuthority
  private let state = LockedValue(State())

  init(_ usual: ScriptedAuthority) { self.usual = usual }

  /// Whether a refresh token was sent twice.
  var sawReuse: Bool { state.withLock { $0.isEnded } }

  /// The only refresh token that it accepts.
  var valid: String? { state.withLock { $0.valid } }

  /// Calls `body` at `moment` from now on.
  func at(_ moment: Moment, _ body: @escaping @Sendable () async -> Void) {
    state.withLock { $0.meanwhile[moment] = body }
  }

  private func pass(_ moment: Moment) async throws(HTTPError) {
    await state.withLock { $0.meanwhile[moment] }?()
    // As libcurl's client does.
    if Task.isCancelled { throw HTTPError(.cancelled, host: usual.host, message: "Canceled.") }
  }

  func execute(
    _ request: HTTPRequest, body: Data, limits: HTTPLimits
  ) async throws(HTTPError) -> HTTPReply {
    let form = FormEncoding.parse(String(decoding: body, as: UTF8.self)) ?? []
    let isRenewal = form.contains { $0.name == "grant_type" && $0.value == "refresh_token" }
    if request.path?.hasSuffix("/keys") == true { try await pass(.keys) }
    guard isRenewal else {
      return note(try await usual.execute(request, body: body, limits: limits))
    }
    try await pass(.sent)
    let sent = form.first { $0.name == "refresh_token" }?.value
    let isAccepted = state.withLock { state in
      if state.valid != sent { state.isEnded = true }
      return !state.isEnded
    }
    guard isAccepted else { return .make(400, "{\"error\": \"invalid_grant\"}") }
    let reply = note(try await usual.execute(request, body: body, limits: limits))
    try await pass(.answered)
    return reply
  }

  /// Accepts the refresh token in `reply` from now on.
  private func note(_ reply: HTTPReply) -> HTTPReply {
    if let token = (try? JSON(parsing: reply.body))?["refresh_token"]?.string {
      state.withLock { $0.valid = token }
    }
    return reply
  }
}
