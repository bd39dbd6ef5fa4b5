import FoundationEssentials
import HTTPTypes

/// The userinfo endpoints (OpenID Connect Core 1.0, section 5.3).
struct UserInfoRoutes: Sendable {
  let emulator: Emulator

  func add(to router: inout Router) {
    for path in Endpoint.userInfo.routes {
      router.get(path, use: userInfo)
      router.post(path, use: userInfo)
    }
  }

  private func userInfo(_ request: Request) async throws -> Response {
    let parts = (request.headers[.authorization] ?? "").split(separator: " ")
    guard parts.count == 2, parts[0].lowercased() == "bearer",
      let token = await emulator.accessToken(String(parts[1])), token.expires > Date()
    else {
      var response = Response.json(
        GraphError.invalidToken("Access token is empty, unknown or expired.").json(
          requestID: Random.guid(), clientRequestID: Random.guid()),
        status: .unauthorized)
      response.headers[.wwwAuthenticate] = "Bearer realm=\"\", error=\"invalid_token\""
      return response
    }
    let user = token.user
    var json: JSON = [
      "sub": .string(token.subject), "name": .string(user.displayName),
      "family_name": .string(user.surname), "given_name": .string(user.givenName),
    ]
    if token.scopes.contains(where: { $0.name == "email" }) {
      json["email"] = .string(user.username)
    }
    return .json(json)
  }
}
