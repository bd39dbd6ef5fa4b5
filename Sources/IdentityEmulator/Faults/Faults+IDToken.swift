import FoundationEssentials

extension Set<Fault> {
  /// Text with control characters that start a new line, color a terminal, delete text or reverse
  /// its direction: CR, LF, ESC, NUL, CSI, LINE SEPARATOR and RIGHT-TO-LEFT OVERRIDE.
  static let hostileText =
    "\r\n2026-11-21T00:00:00Z FORGED \u{1B}[31m\u{0}\u{9B}2K\u{2028}\u{202E}moc"

  /// Changes the claims of an ID token.
  func edit(claims: inout JSON, isRefresh: Bool) {
    let now = Date().epochSeconds
    let day = 86_400
    let other = "https://evil.example/id"
    for fault in self {
      switch fault {
      case .wrongIssuer: claims["iss"] = .string(other)
      case .otherTenantIssuer:
        claims["iss"] = claims["iss"]?.replacing(claims["tid"], with: Tenant.fabrikam.id)
      case .otherTenant:
        let stranger = "11111111-2222-4333-8444-555555555555"
        claims["iss"] = claims["iss"]?.replacing(claims["tid"], with: stranger)
        claims["tid"] = .string(stranger)
      case .missingIssuer: claims["iss"] = nil
      case .missingTenant: claims["tid"] = nil
      case .wrongAudience: claims["aud"] = "another-application"
      case .missingAudience: claims["aud"] = nil
      case .audiencesWithoutParty, .audiencesOfOther, .audiencesOfClient:
        guard let client = claims["aud"] else { continue }
        claims["aud"] = [client, "another-application"]
        claims["azp"] = nil
        if fault == .audiencesOfOther { claims["azp"] = "another-application" }
        if fault == .audiencesOfClient { claims["azp"] = client }
      case .missingExpiry: claims["exp"] = nil
      case .oldExpiry: claims["exp"] = .number(now - day)
      case .wrongExpiry: claims["exp"] = "tomorrow"
      case .missingIssuedAt: claims["iat"] = nil
      case .oldIssuedAt: claims["iat"] = .number(now - 365 * day)
      case .futureIssuedAt: claims["iat"] = .number(now + day)
      case .missingNotBefore: claims["nbf"] = nil
      case .futureNotBefore: claims["nbf"] = .number(now + day)
      case .wrongNonce: claims["nonce"] = .string(Random.token())
      case .missingNonce: claims["nonce"] = nil
      case .missingSubject: claims["sub"] = nil
      case .emptySubject: claims["sub"] = ""
      case .missingObjectID: claims["oid"] = nil
      case .wrongTokenHash: claims["at_hash"] = .string(Random.token(bytes: 16))
      case .wrongCodeHash: claims["c_hash"] = .string(Random.token(bytes: 16))
      case .hostileText:
        for name in ["name", "preferred_username"] {
          claims[name] = .string((claims[name]?.string ?? "") + Self.hostileText)
        }
      case .otherSubject where isRefresh: claims["sub"] = .string(Random.token())
      default: break
      }
    }
  }
}

extension JSON {
  /// A text with a part of it replaced.
  fileprivate func replacing(_ part: JSON?, with other: String) -> JSON {
    .string((string ?? "").replacing(part?.string ?? "", with: other))
  }
}
