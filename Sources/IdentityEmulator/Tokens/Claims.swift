import JWTKit

/// The claims of an ID token, version 2.0.
struct IDTokenClaims: JWTPayload {
  let ver = "2.0"
  let iss: String
  let sub: String
  let aud: String
  let exp: Int
  let iat: Int
  let nbf: Int
  let name: String
  let preferredUsername: String
  let oid: String
  let tid: String
  let nonce: String?
  let email: String?
  let loginHint: String
  /// The tenant that vouches for a guest.
  let idp: String?
  let rh: String
  let uti: String

  enum CodingKeys: String, CodingKey {
    case ver, iss, sub, aud, exp, iat, nbf, name, oid, tid, nonce, email, idp, rh, uti
    case preferredUsername = "preferred_username"
    case loginHint = "login_hint"
  }

  /// Nothing to check: the emulator signs these claims and never takes them back.
  func verify(using algorithm: some JWTAlgorithm) {}
}

/// The claims of an access token for Graph.
struct AccessTokenClaims: JWTPayload {
  let aud: String
  let iss: String
  let iat: Int
  let nbf: Int
  let exp: Int
  let appDisplayName: String
  let appid: String
  let appidacr = "0"
  let familyName: String
  let givenName: String
  let idtyp = "user"
  let name: String
  let oid: String
  let rh: String
  let scp: String
  let sub: String
  let tid: String
  let uniqueName: String
  let upn: String
  let uti: String
  let ver = "1.0"

  enum CodingKeys: String, CodingKey {
    case aud, iss, iat, nbf, exp, appid, appidacr, idtyp, name, oid, rh, scp, sub, tid, upn, uti
    case ver
    case appDisplayName = "app_displayname"
    case familyName = "family_name"
    case givenName = "given_name"
    case uniqueName = "unique_name"
  }

  /// Nothing to check: Graph looks its tokens up.
  func verify(using algorithm: some JWTAlgorithm) {}
}
