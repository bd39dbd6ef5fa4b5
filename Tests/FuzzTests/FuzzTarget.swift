import FoundationEssentials

/// A reader of bytes that come from outside: libFuzzer looks for bytes that it cannot stand, and the tests
/// give it those in `Corpora`.
enum FuzzTarget: String, CaseIterable, Sendable {
  case authenticationChallenge
  case brokerReply
  case connections
  case deviceCode
  case graphError
  case gunzip
  case httpDate
  case idToken
  case json
  case keyringItem
  case loopbackRequest
  case openIDConfiguration
  case redirect
  case responseHead
  case storedRecord
  case tokenCache
  case tokenResponse

  /// Reads `bytes`, whatever they are.
  ///
  /// - Throws: ``BrokenPromise`` when the reader did not trap, but made something wrong of them.
  func read(_ bytes: [UInt8]) throws {
    switch self {
    case .authenticationChallenge: try readAuthenticationChallenge(bytes)
    case .brokerReply: try readBrokerReply(bytes)
    case .connections: try readConnections(bytes)
    case .deviceCode: try readDeviceCode(bytes)
    case .graphError: try readGraphError(bytes)
    case .gunzip: try readGzip(bytes)
    case .httpDate: try readHTTPDate(bytes)
    case .idToken: try readIDToken(bytes)
    case .json: try readJSON(bytes)
    case .keyringItem: try readKeyringItem(bytes)
    case .loopbackRequest: try readLoopbackRequest(bytes)
    case .openIDConfiguration: try readOpenIDConfiguration(bytes)
    case .redirect: try readRedirect(bytes)
    case .responseHead: try readResponseHead(bytes)
    case .storedRecord: try readStoredRecord(bytes)
    case .tokenCache: try readTokenCache(bytes)
    case .tokenResponse: try readTokenResponse(bytes)
    }
  }

  /// Throws unless a promise of the reader's holds.
  func expect(_ holds: Bool, _ promise: String) throws {
    if !holds { throw BrokenPromise(target: self, promise: promise) }
  }

  /// The time of all targets.
  static let now = Date(timeIntervalSince1970: 1_800_000_000)
}

/// What a reader made wrong of its bytes.
struct BrokenPromise: Error {
  let target: FuzzTarget
  let promise: String
}
