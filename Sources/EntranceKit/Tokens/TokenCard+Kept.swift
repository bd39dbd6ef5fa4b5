import AuthCore
import Connections
import FoundationEssentials
import Localization

/// Whose tokens are shown.
struct TokenOwner: Sendable {
  let username: String
  let clientID: String
  /// What the connection calls its API.
  let apiHost: String
}

extension TokenCard {
  /// The cards of what is kept for an account, made on another thread than the caller's.
  @concurrent
  static func cards(
    of kept: KeptTokens, _ signature: KeptTokens.Signature, owner: TokenOwner, at now: Date
  ) async -> [TokenCard] {
    kept.accessTokens.prefix(mostTokens).enumerated().map { index, token in
      TokenCard(access: token, index, of: kept, owner: owner, at: now)
    } + (kept.idToken.map { [TokenCard(id: $0, signature, of: kept, owner: owner, at: now)] } ?? [])
  }

  /// The most access tokens that are shown.
  static let mostTokens = 20

  private init(
    access token: KeptTokens.AccessToken, _ index: Int, of kept: KeptTokens, owner: TokenOwner,
    at now: Date
  ) {
    let reading = TokenReading(token.secret.exposed, at: now)
    let decoded = reading.token
    let api = decoded?.audience ?? Sentence(verbatim: owner.apiHost.plain)
    var facts: [Fact] = []
    if let decoded {
      facts = Self.ownerFacts(
        of: decoded, app: decoded["azp"] ?? decoded["appid"], kept: kept, owner: owner)
      facts.append(
        Fact(
          title: tr("Signature"), text: tr("Only {api} can check it", ["api": api]),
          verdict: .neutral))
    }
    if token.isBound {
      facts.append(
        Fact(
          title: tr("Use"), text: tr("Only with a key of this computer, which proves possession"),
          verdict: .good))
    }
    let granted = token.scopes.map {
      TokenClaim.Part(name: $0.shown(upTo: 200), words: PermissionMeaning.sentence($0))
    }
    let permissions = decoded?.permissions ?? []
    self.init(
      id: .access(index), title: tr("Access Token"), subtitle: tr("For {api}", ["api": api]),
      expiresOn: token.expiresOn, issuedOn: token.receivedOn, facts: facts,
      permissions: permissions.isEmpty ? granted : permissions, reading: reading,
      preview: LogMessage.shortened(token.secret))
  }

  private init(
    id token: Secret<String>, _ signature: KeptTokens.Signature, of kept: KeptTokens,
    owner: TokenOwner, at now: Date
  ) {
    let reading = TokenReading(token.exposed, at: now)
    var facts: [Fact] = []
    if let decoded = reading.token {
      facts = Self.ownerFacts(of: decoded, app: decoded["aud"], kept: kept, owner: owner)
      facts.append(Self.fact(signature))
    }
    self.init(
      id: .id, title: tr("ID Token"), subtitle: tr("Tells this app who signed in"),
      expiresOn: reading.token?.expiresOn, issuedOn: reading.token?.issuedOn, facts: facts,
      permissions: [], reading: reading, preview: LogMessage.shortened(token))
  }

  /// Whether it belongs to the account, the tenant and the app: one fact if all is well, else each
  /// that it tells.
  private static func ownerFacts(
    of token: DecodedToken, app: TokenClaim?, kept: KeptTokens, owner: TokenOwner
  ) -> [Fact] {
    let facts = [
      accountFact(token, kept: kept, owner: owner),
      fact(
        token["tid"], kept.tenantID, tr("Tenant"), same: tr("Issued by the account’s tenant"),
        other: { tr("Issued by another tenant: {id}", ["id": $0]) }),
      fact(
        app, owner.clientID, tr("App"), same: tr("Issued to this app"),
        other: { tr("Issued to another app: {id}", ["id": $0]) }),
    ].compactMap(\.self)
    guard facts.count == 3, facts.allSatisfy({ $0.verdict == .good }) else { return facts }
    return [
      Fact(
        title: tr("Account"),
        text: tr(
          "Belongs to {username}, issued to this app by the account’s tenant",
          ["username": owner.username.shownName]),
        verdict: .good)
    ]
  }

  private static func accountFact(
    _ token: DecodedToken, kept: KeptTokens, owner: TokenOwner
  ) -> Fact? {
    guard let id = kept.localAccountID else { return nil }
    return fact(
      token["oid"], id, tr("Account"),
      same: tr("Belongs to {username}", ["username": owner.username.shownName]),
      other: { tr("Belongs to another account: {id}", ["id": $0]) })
  }

  private static func fact(
    _ claim: TokenClaim?, _ expected: String, _ title: String, same: String,
    other: (String) -> String
  ) -> Fact? {
    guard let id = claim?.value.string else { return nil }
    let isSame = id.lowercased() == expected.lowercased()
    return Fact(
      title: title, text: isSame ? same : other(id.shown(upTo: 100)),
      verdict: isSame ? .good : .bad)
  }

  private static func fact(_ signature: KeptTokens.Signature) -> Fact {
    let (text, verdict): (String, Fact.Verdict) =
      switch signature {
      case .verified: (tr("Verified with the sign-in service’s keys"), .good)
      case .verifiedBefore: (tr("Was valid when the token was received"), .good)
      case .leftToBroker: (tr("Checked by the identity broker"), .neutral)
      case .unknown: (tr("Not checked: another program received the token"), .neutral)
      }
    return Fact(title: tr("Signature"), text: text, verdict: verdict)
  }
}
