import FoundationEssentials

extension EmulatorState {
  /// Counts a request and keeps it, in place of the oldest ones.
  func record(_ request: RecordedRequest) {
    requestCounts["\(request.method) \(request.route)", default: 0] += 1
    requests.append(request)
    recordedSize += request.size
    while requests.count > RecordedRequest.maximumCount
      || recordedSize > RecordedRequest.maximumSize
    {
      recordedSize -= requests.removeFirst().size
    }
  }

  /// All secrets issued so far, by kind.
  var secrets: [(kind: String, values: [String])] {
    [
      ("code", Array(codes.keys)), ("access_token", Array(accessTokens.keys)),
      ("refresh_token", Array(refreshTokens.keys)), ("id_token", Array(idTokens.keys)),
    ]
  }

  func forgetRequests() {
    requests = []
    recordedSize = 0
    requestCounts = [:]
  }

  func expireAccessTokens() {
    for token in accessTokens.keys { accessTokens[token]?.expires = .distantPast }
  }

  func expireAuthorizationCodes() {
    for code in codes.keys { codes[code]?.issued = .distantPast }
  }

  func revokeRefreshTokens(of username: String) {
    for (value, token) in refreshTokens where token.user.username == username {
      refreshTokens[value]?.isRevoked = true
    }
  }

  func setTokenLifetime(_ seconds: Int) { tokenLifetime = seconds }
  func setRedirectDelivery(_ delivery: RedirectDelivery) { redirectDelivery = delivery }
  func setFaults(_ faults: Set<Fault>) { self.faults = faults }
  func setDelay(_ delay: Duration, route: String) { delays[route] = delay }
  func delay(of route: String) -> Duration? {
    delays[route] ?? (route.hasSuffix("/token") ? faults.edited(\.tokenDelay, nil) : nil)
  }
  func prepareTokenReply(_ reply: CannedReply) { cannedTokenReplies.append(reply) }

  /// The prepared reply that replaces the next one, if there is any.
  func takeTokenReply() -> CannedReply? {
    cannedTokenReplies.isEmpty ? nil : cannedTokenReplies.removeFirst()
  }

  func prepareGraphReply(_ reply: CannedReply, path: String?) {
    cannedGraphReplies.append((path, reply))
  }

  func prepareTransferReply(_ reply: CannedReply) { cannedTransferReplies.append(reply) }

  func takeTransferReply() -> CannedReply? {
    cannedTransferReplies.isEmpty ? nil : cannedTransferReplies.removeFirst()
  }

  /// The first prepared reply of Graph for a path, if there is any.
  func takeGraphReply(for path: String) -> CannedReply? {
    let index = cannedGraphReplies.firstIndex { wanted, _ in
      wanted.map { path == $0 || path.hasSuffix("0\($0)") || path.hasSuffix("beta\($0)") } ?? true
    }
    return index.map { cannedGraphReplies.remove(at: $0).reply }
  }

  /// Whether a proof of possession has not been used before.
  func isNew(proof: String) -> Bool { usedProofs.insert(proof).inserted }

  /// The access token of a bearer, even if it has expired.
  func accessToken(_ value: String) -> AccessToken? { accessTokens[value] }
}
