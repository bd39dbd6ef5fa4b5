import FoundationEssentials

/// A parser of input from outside: libFuzzer searches for bytes that break it, and the tests replay
/// those in `Corpora`.
enum FuzzTarget: String, CaseIterable, Sendable {
  case authenticationChallenge
  case brokerReply
  case busAddress
  case cassette
  case connections
  case credentialKey
  case deviceCode
  case distinguishedName
  case encryptedFile
  case fieldCompletion
  case graphError
  case graphPermissions
  case gunzip
  case httpDate
  case httpFile
  case httpImport
  case idToken
  case json
  case jsonPath
  case jsonWriter
  case keyringItem
  case loopbackRequest
  case number
  case openIDConfiguration
  case pastedAddress
  case pauses
  case profilePhoto
  case programList
  case redirect
  case responseHead
  case searchResultID
  case storedRecord
  case systemProcess
  case tokenCache
  case tokenReading
  case tokenResponse

  /// Parses `bytes`.
  ///
  /// - Throws: ``BrokenProperty`` when the parser did not trap, but returned a wrong result.
  func read(_ bytes: [UInt8]) throws {
    switch self {
    case .authenticationChallenge: try readAuthenticationChallenge(bytes)
    case .brokerReply: try readBrokerReply(bytes)
    case .busAddress: try readBusAddress(bytes)
    case .cassette: try readCassette(bytes)
    case .connections: try readConnections(bytes)
    case .credentialKey: try readCredentialKey(bytes)
    case .deviceCode: try readDeviceCode(bytes)
    case .distinguishedName: try readDistinguishedName(bytes)
    case .encryptedFile: try readEncryptedFile(bytes)
    case .fieldCompletion: try readFields(bytes)
    case .graphError: try readGraphError(bytes)
    case .graphPermissions: try readGraphPermissions(bytes)
    case .gunzip: try readGzip(bytes)
    case .httpDate: try readHTTPDate(bytes)
    case .httpFile: try readHTTPFile(bytes)
    case .httpImport: try readHTTPImport(bytes)
    case .idToken: try readIDToken(bytes)
    case .json: try readJSON(bytes)
    case .jsonPath: try readJSONPath(bytes)
    case .jsonWriter: try readJSONWriter(bytes)
    case .keyringItem: try readKeyringItem(bytes)
    case .loopbackRequest: try readLoopbackRequest(bytes)
    case .number: try readNumber(bytes)
    case .openIDConfiguration: try readOpenIDConfiguration(bytes)
    case .pastedAddress: try readPastedAddress(bytes)
    case .pauses: try readPauses(bytes)
    case .profilePhoto: try readProfilePhoto(bytes)
    case .programList: try readProgramList(bytes)
    case .redirect: try readRedirect(bytes)
    case .responseHead: try readResponseHead(bytes)
    case .searchResultID: try readSearchResultID(bytes)
    case .storedRecord: try readStoredRecord(bytes)
    case .systemProcess: try readSystemProcess(bytes)
    case .tokenCache: try readTokenCache(bytes)
    case .tokenReading: try readToken(bytes)
    case .tokenResponse: try readTokenResponse(bytes)
    }
  }

  /// Throws unless a guarantee of the parser holds.
  func expect(_ holds: Bool, _ property: String) throws {
    if !holds { throw BrokenProperty(target: self, property: property) }
  }

  /// The current time for all targets.
  static let now = Date(timeIntervalSince1970: 1_800_000_000)
}

/// A guarantee that a parser did not meet.
struct BrokenProperty: Error {
  let target: FuzzTarget
  let property: String
}
