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
    guard expectation.reason == .renewal, let id = expectation.homeAccountID,
      let spentToken = expectation.spentToken, reply.response.status.kind == .successful,
      let json = try? JSON(parsing: reply.body), json.optional("error") == nil,
      let token = json["refresh_token"]?.string, !token.isEmpty, TokenText.isVisible(token)
    else { return nil }
    let authority = expectation.authority
    account = AccountKey(id, at: authority)
    self.spentToken = spentToken
    self.token = Secret(token)
    if authority.kind.hasClientInfo,
      let named = json["client_info"]?.string.flatMap(HomeAccountID.init(clientInfo:)), named != id
    {
      return nil
    }
    if let claims = json["id_token"]?.string.flatMap(IDToken.claims),
      let sub = claims["sub"]?.string
    {
      let tenantID = claims["tid"]?.string?.lowercased() ?? authority.tenant
      let isSame =
        authority.kind.hasClientInfo
        ? record(account)?.isSubject(sub, inTenant: tenantID) != false
        : HomeAccountID(subject: sub) == id
      guard isSame else { return nil }
    }
  }

  /// The refresh token of a renewal's tokens; nil for a sign-in, and when there is none.
  init?(of grant: TokenGrant) {
    guard grant.reason == .renewal, let spentToken = grant.spentToken,
      let token = grant.response.refreshToken
    else { return nil }
    account = AccountKey(grant.homeAccountID, at: grant.authority)
    self.spentToken = spentToken
    self.token = token
  }
}
