import FoundationEssentials
import HTTPTypes

/// Microsoft Graph, under `/v1.0` and `/beta`.
struct GraphRoutes: Sendable {
  let emulator: Emulator

  func add(to router: inout Router) {
    for version in ["v1.0", "beta"] {
      for method: HTTPRequest.Method in [.get, .post, .patch, .put, .delete] {
        router.add(method, "/\(version)/**", handler(answer))
      }
      router.post("/\(version)/$batch") { request in try await batch(request, version: version) }
    }
    GraphTransfers(emulator: emulator).add(to: &router)
    // A custom API, for services without Graph.
    router.get("/api/me", use: handler(custom))
  }

  /// Wraps the answer to a request: checks the token, and converts errors to error envelopes.
  func handler(
    _ answer: @escaping @Sendable (Request, GraphCaller) async throws(GraphError) -> Response
  ) -> @Sendable (Request) async throws -> Response {
    { request in
      let requestID = Random.guid()
      let clientRequestID = request.headers[named: "client-request-id"] ?? requestID
      let origin = await emulator.origin(for: request)
      var response: Response
      do throws(GraphError) {
        if let reply = await emulator.takeReply(of: .graph, for: request.path) {
          return reply.response
        }
        let token = try await token(of: request, origin: await emulator.origin)
        let version = request.path.split(separator: "/").first ?? "v1.0"
        let caller = GraphCaller(
          token: token, id: token.user.graphID(in: token.tenant), tenant: token.tenant,
          base: "\(origin)/\(version)", origin: origin)
        response = try await answer(request, caller)
      } catch {
        let error = await emulator.faults.edited(\.graphError, error)
        response = .json(
          error.json(requestID: requestID, clientRequestID: clientRequestID), status: error.status)
        if error.status == .unauthorized {
          response.headers[.wwwAuthenticate] =
            "Bearer realm=\"\", authorization_uri=\"\(origin)/common/oauth2/v2.0/authorize\", "
            + "client_id=\"\(Scope.graphID)\""
        }
      }
      response.headers[named: "request-id"] = requestID
      response.headers[named: "client-request-id"] = clientRequestID
      return response
    }
  }

  /// The token of a request: a bearer token, or a token with a proof for this request.
  private func token(of request: Request, origin: String) async throws(GraphError) -> AccessToken {
    let parts = (request.headers[.authorization] ?? "").split(separator: " ")
    let scheme = parts.first?.lowercased() ?? ""
    guard parts.count == 2, scheme == "bearer" || scheme == "pop" else {
      throw .invalidToken("Access token is empty.")
    }
    var text = String(parts[1])
    var keyID: String?
    if scheme == "pop" {
      let host = String(origin.split(separator: "/").last ?? "")
      guard let proof = SignedRequest(text),
        proof.isFor(
          request.method.rawValue, host: host, path: request.path, at: Date()),
        await emulator.isNew(proof: text)
      else { throw .invalidToken("The signed HTTP request is not one for this request.") }
      (text, keyID) = (proof.accessToken, proof.keyID)
    }
    guard let token = await emulator.accessToken(text) else {
      throw .invalidToken("IDX14100: JWT is not well formed, or its signature is not ours.")
    }
    guard token.resource.isEmpty else {
      throw .invalidToken("Access token validation failure. Invalid audience.")
    }
    guard token.keyID == keyID else {
      throw .invalidToken("The access token is bound to another key, or to none.")
    }
    guard token.expires > Date() else {
      throw .invalidToken("Lifetime validation failed, the token is expired.")
    }
    return token
  }

  func answer(
    _ request: Request, _ caller: GraphCaller
  ) async throws(GraphError) -> Response {
    try await emulator.answer(request, caller)
  }

  private func custom(
    _ request: Request, _ caller: GraphCaller
  ) async throws(GraphError) -> Response {
    guard caller.token.scopes.contains(.demo) else { throw .insufficientPrivileges }
    let user = await emulator.graphSet(.users(caller.tenant))[caller.id]
    return Emulator.graphResponse(with: user ?? [:], context: nil)
  }
}

extension Emulator {
  /// Answers a request to Graph: finds what the path names, checks the permission, and reads or
  /// writes.
  func answer(_ request: Request, _ caller: GraphCaller) throws(GraphError) -> Response {
    let path = request.path.dropFirst().drop { $0 != "/" }
    let target = try resolve(try GraphPathSegments.parse(path), caller)
    let writes = request.method != .get
    try authorize(target, writes: writes, caller)
    return writes ? try write(target, request, caller) : try read(target, request, caller)
  }

  /// Scheme, host and port of downloads and uploads.
  ///
  /// As with Microsoft, it is another host than Graph's, so that a program's HTTP library leaves the
  /// token out when it follows a redirect there.
  var transferOrigin: String { origin.replacing("localhost", with: "127.0.0.1") }

  /// Scheme, host and port that a request was sent to, which its links begin with.
  func origin(for request: Request) -> String {
    guard let host = request.headers[named: "Host"] else { return origin }
    let name = host.split(separator: ":").first.map(String.init) ?? ""
    return hostNames.contains(name) ? "https://\(host)" : origin
  }
}
