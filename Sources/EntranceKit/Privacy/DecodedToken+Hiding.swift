import AuthCore

// Tokens while personal details are hidden: only claims that say nothing about a person keep their
// values.

extension TokenClaim {
  /// The claims whose values are no personal details: all others are hidden.
  private static let impersonal: Set<String> = [
    "alg", "typ", "enc", "zip", "exp", "iat", "nbf", "auth_time", "ver", "scp", "acr", "amr",
    "appidacr", "azpacr", "acct", "idtyp", "xms_cc", "hasgroups", "email_verified", "xms_edov",
    "in_corp", "signin_state", "wids",
  ]

  /// The claim without personal details.
  func hidden(by details: PersonalDetails) -> TokenClaim {
    var claim = self
    let isImpersonal = Self.impersonal.contains(name)
    // The API of an audience is in its words.
    claim.text = isImpersonal ? details.hidden(in: text) : PersonalDetails.mark
    claim.value = .string(claim.text)
    claim.parts = Self.showsParts(name) ? parts.map { $0.hidden(by: details) } : []
    return claim
  }

  /// Whether the single values of the claim called `name` are shown.
  fileprivate static func showsParts(_ name: String) -> Bool {
    impersonal.contains(name) || name == "roles"
  }
}

extension TokenClaim.Part {
  fileprivate func hidden(by details: PersonalDetails) -> Self {
    Self(name: details.hidden(in: name), words: words)
  }
}

extension TokenReading {
  /// What was read without personal details.
  func hidden(by details: PersonalDetails?) -> TokenReading {
    guard let details else { return self }
    return switch content {
    case .token(let token): TokenReading(.token(token.hidden(by: details)))
    case .encrypted(let header):
      TokenReading(.encrypted(header: header.map { $0.hidden(by: details) }))
    case .opaque, .broken: self
    }
  }
}

extension DecodedToken {
  fileprivate func hidden(by details: PersonalDetails) -> DecodedToken {
    var token = self
    token.header = header.map { $0.hidden(by: details) }
    token.claims = claims.map { $0.hidden(by: details) }
    return token
  }
}

extension TokenCard {
  /// The card without personal details.
  func hidden(by details: PersonalDetails?) -> TokenCard {
    guard let details else { return self }
    var card = self
    card.subtitle = details.hidden(in: subtitle)
    card.facts = facts.map { fact in
      Fact(
        title: fact.title, text: details.hidden(in: fact.text), verdict: fact.verdict)
    }
    card.reading = reading.hidden(by: details)
    return card
  }
}

extension TokenComparison {
  /// The differences without personal details.
  func hidden(by details: PersonalDetails?) -> TokenComparison {
    guard let details else { return self }
    return TokenComparison(
      differences: differences.map { $0.hidden(by: details) }, sameCount: sameCount)
  }
}

extension TokenComparison.Difference {
  fileprivate func hidden(by details: PersonalDetails) -> Self {
    var difference = self
    difference.before = before.map { _ in PersonalDetails.mark }
    difference.after = after.map { _ in PersonalDetails.mark }
    let showsParts = TokenClaim.showsParts(name)
    difference.addedParts = showsParts ? addedParts.map { details.hidden(in: $0) } : []
    difference.removedParts = showsParts ? removedParts.map { details.hidden(in: $0) } : []
    return difference
  }
}
