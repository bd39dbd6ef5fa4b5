/// The result of a silent request.
typealias SilentOutcome = Result<AuthenticationResult, AuthenticationError>

/// Identifies equal silent requests, which share one request to the server.
struct SilentRequestKey: Hashable, Sendable {
  private let homeAccountID: HomeAccountID
  private let authority: Authority
  private let scopes: Set<String>
  private let claims: String?
  private let forceRefresh: Bool
  private let isProofOfPossession: Bool

  init(_ parameters: SilentTokenParameters, authority: Authority) {
    homeAccountID = parameters.account.homeAccountID
    self.authority = authority
    scopes = Set(parameters.scopes.map { $0.lowercased() })
    claims = parameters.claims?.json
    forceRefresh = parameters.forceRefresh
    // The token does not depend on the request that the proof is for.
    isProofOfPossession = parameters.authenticationScheme.isProofOfPossession
  }
}
