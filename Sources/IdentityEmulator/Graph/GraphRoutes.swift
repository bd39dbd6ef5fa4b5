import FoundationEssentials
import HTTPTypes

/// The part of Microsoft Graph that the demo calls, under `/v1.0` and `/beta`.
struct GraphRoutes: Sendable {
  let state: EmulatorState

  func add(to router: inout Router) {
    for version in ["v1.0", "beta"] {
      router.get("/\(version)/me", use: handler(needs: ["User.Read"], me))
      router.get("/\(version)/me/photo/$value", use: handler(needs: ["User.Read"], photo))
      router.get(
        "/\(version)/me/photos/96x96/$value", use: handler(needs: ["User.Read"], photo))
      router.get(
        "/\(version)/users", use: handler(needs: ["User.ReadBasic.All", "User.Read.All"], users))
      router.get(
        "/\(version)/me/messages",
        use: handler(needs: ["Mail.Read", "Mail.ReadWrite"], else: .accessDenied, messages))
      addDrive(version, to: &router)
      router.get("/\(version)/users/delta", use: handler(needs: ["User.Read.All"], usersDelta))
      router.get("/\(version)/**", use: handler(needs: [], unknown))
    }
    addTransfers(to: &router)
    let parts = router
    for version in ["v1.0", "beta"] {
      router.post("/\(version)/$batch") { request in
        try await batch(request, version: version, by: parts)
      }
    }
    // A custom API, for services without Graph.
    router.get("/api/me", use: handler(needs: [Scope.demo.name], me))
  }

  /// An authorized call.
  struct Call: Sendable {
    let request: Request
    let token: AccessToken
    let origin: String
    let users: [User]
    let faults: Set<Fault>

    /// The version component of the path.
    var base: String { "\(origin)/\(request.path.split(separator: "/").first ?? "v1.0")" }
  }

  /// Wraps a call: checks the token, and converts errors to error envelopes.
  func handler(
    needs scopes: Set<String>, else refusal: GraphError = .insufficientPrivileges,
    _ answer: @escaping @Sendable (Call) async throws -> Response
  ) -> @Sendable (Request) async throws -> Response {
    { request in
      if let reply = await state.takeGraphReply() { return reply.response }
      let requestID = Random.guid()
      let clientRequestID = request.headers[named: "client-request-id"] ?? requestID
      let origin = await state.origin
      var response: Response
      do throws(GraphError) {
        let token = try await token(of: request, origin: origin)
        guard scopes.isEmpty || token.scopes.contains(where: { scopes.contains($0.name) }) else {
          throw refusal
        }
        do {
          response = try await answer(
            Call(
              request: request, token: token, origin: origin, users: await state.users,
              faults: await state.faults))
        } catch let error as GraphError {
          throw error
        } catch {
          throw GraphError(
            status: .internalServerError, code: "generalException", message: "\(error)")
        }
      } catch {
        let error = await state.faults.edited(\.graphError, error)
        response = .json(
          error.json(requestID: requestID, clientRequestID: clientRequestID), status: error.status)
        if error.status == .unauthorized {
          response.headers[.wwwAuthenticate] =
            "Bearer realm=\"\", authorization_uri=\"\(origin)/common/oauth2/v2.0/authorize\", "
            + "client_id=\"00000003-0000-0000-c000-000000000000\""
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
        await state.isNew(proof: text)
      else { throw .invalidToken("The signed HTTP request is not one for this request.") }
      (text, keyID) = (proof.accessToken, proof.keyID)
    }
    guard let token = await state.accessToken(text) else {
      throw .invalidToken("IDX14100: JWT is not well formed, or its signature is not ours.")
    }
    guard token.keyID == keyID else {
      throw .invalidToken("The access token is bound to another key, or to none.")
    }
    guard token.expires > Date() else {
      throw .invalidToken("Lifetime validation failed, the token is expired.")
    }
    return token
  }

  // MARK: Resources

  private func me(_ call: Call) -> Response {
    var user = JSON.object(
      [("@odata.context", .string("\(call.base)/$metadata#users/$entity"))]
        + GraphUser.fields(call.token.user, in: call.token.tenant))
    call.faults.edit(\.me, &user)
    return graph(user)
  }

  private func photo(_ call: Call) throws -> Response {
    // A guest has no photo in the other organization.
    guard call.token.tenant == call.token.user.homeTenant || call.token.tenant.hasLocalAccounts,
      let color = call.token.user.photoColor
    else { throw GraphError.noPhoto }
    let image = ProfilePhoto.png(background: color)
    return Response(
      status: .ok, headers: [.contentType: "image/png", .eTag: "\"\(String(color, radix: 16))\""],
      body: image)
  }

  /// Lists the members and guests of the token's tenant.
  private func users(_ call: Call) throws -> Response {
    let tenant = call.token.tenant
    let users = call.users.filter { $0.objectID(in: tenant) != nil }
      .map { JSON.object(GraphUser.fields($0, in: tenant)) }
    return try page(users, of: call, context: "users", size: 100)
  }

  private func messages(_ call: Call) throws -> Response {
    let context = "users('\(call.token.user.graphID(in: call.token.tenant))')/messages"
    return try page(GraphMessage.all(for: call.token.user), of: call, context: context, size: 10)
  }

  private func unknown(_ call: Call) throws -> Response {
    let segment = call.request.path.split(separator: "/").last ?? ""
    throw GraphError.unknownSegment(String(segment))
  }

  // MARK: Collections

  /// One page of a collection, with the link to the next one.
  func page(_ items: [JSON], of call: Call, context: String, size: Int) throws -> Response {
    let query = call.request.queryForm
    let top = min(try option("top", query) ?? size, 1000)
    let skip = try option("skip", query) ?? 0
    var json: JSON = ["@odata.context": .string("\(call.base)/$metadata#\(context)")]
    // Graph passes over a $count of the directory that is not an advanced query.
    if query["$count"] == "true", skip == 0,
      context != "users" || call.request.headers[named: "ConsistencyLevel"] == "eventual"
    {
      json.append("@odata.count", .number(items.count))
    }
    if top > 0, skip + top < items.count {
      let path = "\(call.origin)\(call.request.path)"
      json.append("@odata.nextLink", .string("\(path)?$top=\(top)&$skip=\(skip + top)"))
    }
    json.append("value", .array(Array(items.dropFirst(skip).prefix(top))))
    return graph(json)
  }

  func option(_ name: String, _ query: Form) throws -> Int? {
    guard let text = query["$\(name)"] else { return nil }
    guard let value = Int(text), (0...1_000_000).contains(value) else {
      throw GraphError.invalidOption(name, value: text)
    }
    return value
  }

  func graph(_ json: JSON) -> Response {
    var response = Response.json(json)
    response.headers[.contentType] =
      "application/json;odata.metadata=minimal;odata.streaming=true;IEEE754Compatible=false;charset=utf-8"
    response.headers[named: "odata-version"] = "4.0"
    return response
  }
}
