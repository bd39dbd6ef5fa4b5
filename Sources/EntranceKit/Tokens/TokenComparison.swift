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

    /// What differs, in rows of a list: each of several values, such as a permission, has its own.
    public var rows: [(title: String, text: String)] {
      let parts = addedParts.map { (Kind.added, $0) } + removedParts.map { (Kind.removed, $0) }
      guard parts.isEmpty else {
        return parts.map { kind, value in
          let meaning = PermissionMeaning.sentence(value).map { tr($0) }
          return (
            Self.title(kind, value), [name, meaning].compactMap(\.self).joined(separator: " · ")
          )
        }
      }
      let before = before.map { tr("Before: {value}", ["value": $0]) }
      let after = after.map { tr("Now: {value}", ["value": $0]) }
      let values = kind == .changed ? [before, after] : [self.after ?? self.before]
      return [(Self.title(kind, name), values.compactMap(\.self).joined(separator: "\n"))]
    }

    private static func title(_ kind: Kind, _ name: String) -> String {
      tr("{kind}: {name}", ["kind": kind.sentence, "name": name])
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
