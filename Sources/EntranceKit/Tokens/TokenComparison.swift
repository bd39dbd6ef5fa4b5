import AuthCore
import Localization
public import Sentences

/// The differences between two tokens, claim by claim.
public struct TokenComparison: Sendable, Equatable {
  /// A claim that differs.
  public struct Difference: Sendable, Equatable {
    /// How a claim differs.
    public enum Kind: Sendable, CaseIterable {
      /// Only the second token has it.
      case added
      /// Only the first token has it.
      case removed
      /// Both have it, with different values.
      case changed

      /// The kind in words.
      public var sentence: Sentence {
        switch self {
        case .added: Sentence("Added")
        case .removed: Sentence("Removed")
        case .changed: Sentence("Changed")
        }
      }
    }

    /// How it differs.
    public let kind: Kind
    /// The name of the claim.
    public let name: String
    /// Its value in the first token; nil when it has none.
    public internal(set) var before: String?
    /// Its value in the second token; nil when it has none.
    public internal(set) var after: String?
    /// The single values that only the second token has, such as permissions.
    public internal(set) var addedParts: [String]
    /// The single values that only the first token has.
    public internal(set) var removedParts: [String]

    /// What differs, in lines.
    public var lines: [Sentence] {
      guard addedParts.isEmpty, removedParts.isEmpty else {
        return [
          addedParts.isEmpty
            ? nil
            : Sentence("Added: {values}", ["values": addedParts.joined(separator: ", ")]),
          removedParts.isEmpty
            ? nil
            : Sentence("Removed: {values}", ["values": removedParts.joined(separator: ", ")]),
        ].compactMap(\.self)
      }
      return switch kind {
      case .added, .removed: [after ?? before].compactMap(\.self).map { Sentence(verbatim: $0) }
      case .changed:
        [
          Sentence("Before: {value}", ["value": before ?? ""]),
          Sentence("Now: {value}", ["value": after ?? ""]),
        ]
      }
    }
  }

  /// The claims that differ: in the order of the second token, then those that only the first has.
  public let differences: [Difference]
  /// How many claims are the same in both.
  public let sameCount: Int

  init(differences: [Difference], sameCount: Int) {
    self.differences = differences
    self.sameCount = sameCount
  }

  /// Compares two tokens.
  public init(_ first: DecodedToken, _ second: DecodedToken) {
    let before = Dictionary(first.claims.map { ($0.name, $0) }) { one, _ in one }
    let after = Set(second.claims.map(\.name))
    var differences: [Difference] = []
    var sameCount = 0
    for claim in second.claims {
      guard let old = before[claim.name] else {
        differences.append(Difference(.added, nil, claim))
        continue
      }
      if old.isSame(as: claim) {
        sameCount += 1
      } else {
        differences.append(Difference(.changed, old, claim))
      }
    }
    differences += first.claims.filter { !after.contains($0.name) }
      .map { Difference(.removed, $0, nil) }
    self.differences = differences
    self.sameCount = sameCount
  }
}

extension TokenComparison.Difference {
  fileprivate init(_ kind: Kind, _ before: TokenClaim?, _ after: TokenClaim?) {
    self.kind = kind
    name = after?.name ?? before?.name ?? ""
    self.before = before?.text
    self.after = after?.text
    let (old, new) = (before?.parts.map(\.name) ?? [], after?.parts.map(\.name) ?? [])
    let (oldSet, newSet) = (Set(old), Set(new))
    let hasBoth = kind == .changed && !old.isEmpty && !new.isEmpty
    addedParts = hasBoth ? new.filter { !oldSet.contains($0) } : []
    removedParts = hasBoth ? old.filter { !newSet.contains($0) } : []
  }
}

extension TokenClaim {
  /// Whether both have the same value; the order of several values does not matter.
  fileprivate func isSame(as other: TokenClaim) -> Bool {
    if value == other.value { return true }
    return !parts.isEmpty && parts.count < Self.mostParts
      && parts.map(\.name).sorted() == other.parts.map(\.name).sorted()
  }
}
