import CurlHTTP
import FoundationEssentials
import HTTPTypes

/// The refresh token in the response to a renewal, which is stored before the response is refused
/// (`PublicClientApplication+TokenExchange`), and before signing keys are asked for
/// (`PublicClientApplication+SignatureCheck`).
///
/// A service may accept each refresh token once, and end the session when it sees one again. So the
/// token that was sent may be worthless now, even if the response is refused.
struct RenewedRefreshToken: Sendable {
  /// The account that was renewed.
  let account: AccountKey
  /// The refresh token that was sent.
  let spentToken: Secret<String>
  /// The one that replaces it.
  let token: Secret<String>

  /// The refresh token in `reply`, which otherwise may be refused; nil when there is none.
  ///
  /// Nil also when the response names another account than the one that was renewed. Whether that
  /// is true or not: stored here, the refresh token might get this account the tokens of someone
  /// else, which is worse than a new sign-in. The token that was sent stays, because only the
  /// service knows whether it is used up.
  /// - Parameter record: the account's data, with the subjects by which it is known.
  init?(
    in reply: HTTPReply, to expectation: TokenGrant.Expectation,
    of record: (AccountKey) -> AccountRecord?
  ) {
    guard reply.response.status.kind == .successful, let json = try? JSON(parsing: reply.body),
      json.optional("error") == nil, let token = json["refresh_token"]?.string, !token.isEmpty,
      TokenText.isVisible(token), let renewal = Renewal(expectation)
    else { return nil }
    if renewal.hasClientInfo, let info = json["client_info"]?.string.flatMap(ClientInfo.init),
      info.homeAccountID != renewal.homeAccountID
    {
      return nil
    }
    if let claims = json["id_token"]?.string.flatMap(IDToken.claims),
      let sub = claims["sub"]?.string
    {
      let tenantID = claims["tid"]?.string?.lowercased() ?? expectation.authority.tenant
      let isSame =
        renewal.hasClientInfo
        ? record(renewal.account)?.isSubject(sub, inTenant: tenantID) != false
        : HomeAccountID(subject: sub) == renewal.homeAccountID
      guard isSame else { return nil }
    }
    account = renewal.account
    spentToken = renewal.spentToken
    self.token = Secret(token)
  }

  /// The refresh token of a renewal's tokens; nil for a sign-in, and when there is none.
  init?(of grant: TokenGrant) {
    guard grant.reason == .renewal, let spentToken = grant.spentToken,
      let token = grant.response.refreshToken
    else { return nil }
    account = AccountKey(
      homeAccountID: grant.homeAccountID.description,
      environment: grant.authority.cacheEnvironment)
    self.spentToken = spentToken
    self.token = token
  }

  /// What is known of a renewal before its response.
  private struct Renewal {
    let homeAccountID: HomeAccountID
    let account: AccountKey
    let spentToken: Secret<String>
    let hasClientInfo: Bool

    init?(_ expectation: TokenGrant.Expectation) {
      guard expectation.reason == .renewal, let id = expectation.homeAccountID,
        let spentToken = expectation.spentToken
      else { return nil }
      homeAccountID = id
      account = AccountKey(
        homeAccountID: id.description, environment: expectation.authority.cacheEnvironment)
      self.spentToken = spentToken
      hasClientInfo = expectation.authority.kind.hasClientInfo
    }
  }
}
