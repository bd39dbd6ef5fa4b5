public import AuthCore
import Crypto
import CurlHTTP
import FoundationEssentials
import Synchronization

extension ScriptedAuthority {
  /// Issues a device code (RFC 8628, section 3.2).
  func deviceCode(for call: Call) -> HTTPReply {
    var response: [String: JSON] = [
      "device_code": .string("device-canary-0123456789"), "user_code": .string("BPPVYQZMA"),
      "verification_uri": .string("https://microsoft.com/devicelogin"),
      "expires_in": .number("900"), "interval": .number("5"),
      "message": .string("To sign in, use a web browser."),
    ]
    state.withLock { state in
      state.deviceCodeScopes = call.form["scope"] ?? ""
      state.edits[.deviceCode]?(&response)
    }
    return .json(response)
  }

  /// Redeems a code, a device code or a refresh token.
  ///
  /// A code needs the verifier of its challenge (RFC 7636, section 4.6).
  func tokens(for call: Call) -> HTTPReply {
    let now = state.withLock { state in
      state.serial += 1
      return state
    }
    let (person, authorization, serial, edits) = (
      now.person, now.authorization, now.serial, now.edits
    )
    let isCode = call.form["grant_type"] == "authorization_code"
    if isCode {
      let digest = SHA256.hash(data: Array((call.form["code_verifier"] ?? "").utf8))
      guard Base64URL.encode(digest) == authorization["code_challenge"],
        call.form["redirect_uri"] == authorization["redirect_uri"]
      else { return .make(400, "{\"error\": \"invalid_grant\"}") }
    }
    var claims: [String: JSON] = [
      "aud": .string(call.form["client_id"] ?? ""),
      "iss": .string("https://\(host)/\(person.tenant)/v2.0"),
      "tid": .string(person.tenant), "oid": .string(person.localObjectID),
      "sub": .string("subject-\(person.localObjectID)"), "name": .string(person.name),
      "preferred_username": .string(person.username),
      "login_hint": .string("hint-of-\(person.name.prefix(1))"),
      "iat": .number("1800000000"), "exp": .number("1800003600"),
    ]
    adapt(&claims, of: person, issuer: now.issuer, policy: now.policy)
    if isCode { claims["nonce"] = .string(authorization["nonce"] ?? "") }
    edits[.claims]?(&claims)
    var header: [String: JSON] = [
      "alg": .string(now.signingKey.algorithms[0]), "typ": .string("JWT"),
      "kid": .string(now.signingKey.id),
    ]
    edits[.header]?(&header)
    let info: [String: JSON] = [
      "uid": .string(person.objectID), "utid": .string(person.homeTenant),
    ]
    let asked = call.form["scope"] ?? state.withLock { $0.deviceCodeScopes }
    let scopes = asked.split(separator: " ").filter { $0 != "offline_access" }
    var response: [String: JSON] = [
      "token_type": .string(call.form["token_type"] ?? "Bearer"), "expires_in": .number("3600"),
      "ext_expires_in": .number("3600"), "scope": .string(scopes.joined(separator: " ")),
      "access_token": .string("access-canary-\(serial)"),
      "refresh_token": .string("refresh-canary-\(serial)"),
      "id_token": .string(now.signingKey.jwt(header, claims)),
      "client_info": .string(Base64URL.encode(JSON.object(info).compactText.utf8)),
    ]
    adapt(&response, of: person, policy: now.policy)
    edits[.tokens]?(&response)
    state.withLock { state in
      for name in ["access_token", "refresh_token", "id_token"] {
        if let secret = response[name]?.string, !secret.isEmpty { state.secrets.append(secret) }
      }
    }
    return .json(response)
  }

  /// A JWT in compact form, with arbitrary bytes as its signature.
  public static func jwt(_ header: [String: JSON], _ claims: [String: JSON]) -> String {
    [JSON.object(header).compactText, JSON.object(claims).compactText, "signature"]
      .map { Base64URL.encode($0.utf8) }.joined(separator: ".")
  }
}
