import AuthCore
public import FoundationEssentials
public import Sentences

/// A JSON Web Token (RFC 7519), with each claim in words.
public struct DecodedToken: Sendable, Equatable {
  /// What the token is for.
  public enum Purpose: String, Sendable {
    /// It is sent to an API.
    case accessToken
    /// It tells the app who signed in.
    case idToken
    /// Neither, or unknown.
    case other

    /// The purpose in words.
    public var sentence: Sentence {
      switch self {
      case .accessToken: Sentence("Access token")
      case .idToken: Sentence("ID token")
      case .other: Sentence("JSON Web Token")
      }
    }
  }

  /// The fields of the header.
  public internal(set) var header: [TokenClaim]
  /// The claims, in the order of the token.
  public internal(set) var claims: [TokenClaim]
  /// How many more claims there are, which are not shown.
  public let leftOut: Int
  /// Whether it has a signature, valid or not.
  public let hasSignature: Bool
  /// What it is for, as far as its claims tell.
  public let purpose: Purpose

  /// The most claims that are shown: Entra ID's tokens have about 40.
  public static let mostClaims = 200

  /// - Parameter now: the current time.
  init(header: [TokenClaim], claims: [JSON.Member], hasSignature: Bool, at now: Date) {
    self.header = header
    self.claims = claims.prefix(Self.mostClaims).map { TokenClaim($0, at: now) }
    leftOut = max(0, claims.count - Self.mostClaims)
    self.hasSignature = hasSignature
    let names = Set(claims.map(\.name))
    let type = header.first { $0.name == "typ" }?.text.lowercased()
    purpose =
      if type == "at+jwt" || !names.isDisjoint(with: ["scp", "appid", "appidacr", "azpacr"]) {
        .accessToken
      } else if !names.isDisjoint(with: ["nonce", "at_hash", "c_hash", "preferred_username", "tfp"])
      {
        .idToken
      } else {
        // An ID token has the user's roles in the app, too.
        names.contains("roles") ? .accessToken : .other
      }
  }

  /// The claim called `name`; nil when there is none.
  public subscript(name: String) -> TokenClaim? { claims.first { $0.name == name } }

  /// The claims for the clipboard, as a JSON object; nil when some of them are left out.
  public var copiedClaims: String? {
    guard leftOut == 0, !claims.isEmpty else { return nil }
    return JSON.object(claims.map { JSON.Member($0.name, $0.value) }).prettyText
  }

  /// When it expires; nil when it does not say.
  public var expiresOn: Date? { self["exp"]?.date }

  /// When it was issued; nil when it does not say.
  public var issuedOn: Date? { self["iat"]?.date }

  /// What it allows: the app on behalf of a user (`scp`), or the app or the user itself (`roles`).
  public var permissions: [TokenClaim.Part] {
    (self["scp"]?.parts ?? []) + (self["roles"]?.parts ?? [])
  }

  /// What it is for, in words: an API, or an app; nil when it does not say.
  public var audience: Sentence? {
    guard let claim = self["aud"] else { return nil }
    return claim.words ?? Sentence(verbatim: claim.text)
  }
}
