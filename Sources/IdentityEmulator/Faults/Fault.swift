/// A fault that the emulator can simulate.
///
/// Each case has one entry in the table of faults: its name, its meaning and what it changes. An
/// enum, although later versions may add faults: programs name those that they want and need not
/// switch over all, and the compiler tells which fault has no entry.
public enum Fault: Sendable, Hashable, CaseIterable {
  // The claims of ID tokens.
  case wrongIssuer, otherTenantIssuer, otherTenant, missingIssuer, missingTenant
  case wrongAudience, missingAudience, audiencesWithoutParty, audiencesOfOther, audiencesOfClient
  case missingExpiry, oldExpiry, wrongExpiry, missingIssuedAt, oldIssuedAt, futureIssuedAt
  case missingNotBefore, futureNotBefore, wrongNonce, missingNonce
  case missingSubject, emptySubject, missingObjectID, wrongTokenHash, wrongCodeHash
  case hostileText, otherSubject

  // The signatures of ID tokens.
  case wrongSignature, algorithmNone, algorithmHMAC, unknownKeyID, unknownExtension, foreignKeySet
  case rotatedKey, keySetUnavailable, keySetGarbage

  // The contents of token responses.
  case refreshOfAnother, codeRedeemed, missingIDToken, missingAccessToken, missingRefreshToken
  case missingClientInfo, wrongTokenType, negativeLifetime, missingLifetime, fewerScopes

  // The replies of the token endpoint.
  case tokenThrottled, tokenServerError, tokenUnavailable, tokenPage, tokenTruncated
  case tokenDuplicate, tokenHuge, tokenSlow, tokenRedirect, tokenErrorOK

  // The authority's metadata.
  case discoveryForeign, discoveryInsecure, discoveryIssuer, discoveryIncomplete
  case discoveryForeignKeys, discoveryPage, discoveryNotFound, discoveryServerError
  case discoveryRedirect, noSignOut, noDeviceCode

  // The parameters of redirects.
  case wrongState, missingState, wrongResponseIssuer, missingResponseIssuer, codeTwice
  case codeWithError, emptyCode, inFragment, signOutWrongState, signOutMissingState

  // The device code flow.
  case deviceSlowDown, deviceExpired, deviceDeclined, deviceForeignPage

  // The answers of Microsoft Graph.
  case graphManyItems, graphLongText, graphHuge, transferTokenRefused

  /// The fault called `name`; nil when there is none.
  public init?(named name: String) {
    guard let fault = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = fault
  }

  /// The name that activates it.
  public var name: String { entry.name }

  /// The description, on one line.
  public var meaning: String { entry.meaning }

  /// The names that are most similar to `name`, best match first; names that contain it come before
  /// all others.
  public static func names(like name: String) -> [String] {
    allCases.map(\.name)
      .map { ($0.contains(name) ? 0 : 1, distance(from: name, to: $0), $0) }
      .sorted { $0 < $1 }.prefix(3).map(\.2)
  }

  /// The number of characters to insert, delete or replace to turn `one` into `other`
  /// (Levenshtein).
  private static func distance(from one: String, to other: String) -> Int {
    var row = Array(0...other.count)
    for (index, character) in one.enumerated() {
      var diagonal = row[0]
      row[0] = index + 1
      for (column, candidate) in other.enumerated() {
        let changed = diagonal + (character == candidate ? 0 : 1)
        diagonal = row[column + 1]
        row[column + 1] = min(changed, diagonal + 1, row[column] + 1)
      }
    }
    return row[other.count]
  }
}
