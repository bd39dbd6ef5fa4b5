/// What was asked and issued, and what tests have prepared.
extension Emulator {
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

  func delay(of route: String) -> Duration? {
    delays[route] ?? (route.hasSuffix("/token") ? faults.edited(\.tokenDelay, nil) : nil)
  }

  /// The first prepared reply of a service for a path, which is used up; nil when there is none.
  func takeReply(of service: PreparedReply.Service, for path: String = "") -> CannedReply? {
    preparedReplies.firstIndex { $0.service == service && $0.isFor(path) }
      .map { preparedReplies.remove(at: $0).reply }
  }

  /// Whether a proof of possession has not been used before.
  func isNew(proof: String) -> Bool { usedProofs.insert(proof).inserted }

  /// The access token of a bearer, even if it has expired.
  func accessToken(_ value: String) -> AccessToken? { accessTokens[value] }
}
