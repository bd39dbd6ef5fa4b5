public import FoundationEssentials
import Localization

/// A kept token as the Tokens page shows it, without the token itself.
public struct TokenCard: Sendable, Equatable, Identifiable {
  /// Which token it is.
  public enum ID: Sendable, Hashable {
    /// One of the access tokens, counted from 0.
    case access(Int)
    /// The ID token.
    case id
  }

  /// A line about the token.
  public struct Fact: Sendable, Equatable {
    /// What the fact means for the token.
    public enum Verdict: Sendable { case neutral, good, bad }

    /// What it is about.
    public let title: String
    /// What is so.
    public let text: String
    /// What the fact means for the token.
    public let verdict: Verdict
  }

  /// Which token it is.
  public let id: ID
  /// What it is: `Access Token`.
  public let title: String
  /// What it is for, and what it can be used for.
  public internal(set) var subtitle: String
  /// When it expires; nil when that is unknown.
  public let expiresOn: Date?
  /// When an access token was received, or an ID token was issued; nil when that is unknown.
  public let issuedOn: Date?
  /// Whether it belongs to the account and the tenant, and who has checked its signature.
  public internal(set) var facts: [Fact]
  /// What it allows.
  public let permissions: [TokenClaim.Part]
  /// What is in it.
  public internal(set) var reading: TokenReading
  /// Its beginning, if that is not secret, and its length.
  public let preview: String

  /// Whether it has expired.
  public func hasExpired(at now: Date) -> Bool { expiresOn.map { $0 <= now } ?? false }

  /// How long it is valid, or since when it is not.
  public func expiryText(at now: Date) -> String? {
    guard let expiresOn else { return nil }
    let distance = TimeInWords.distance(to: expiresOn, at: now)
    return hasExpired(at: now) ? tr("Expired {time}", ["time": distance]) : tr(distance)
  }

  /// What ``issuedOn`` is.
  public var issueTitle: String { id == .id ? tr("Issued") : tr("Received") }

  /// How long ago ``issuedOn`` was.
  public func issueText(at now: Date) -> String? {
    issuedOn.map { tr(TimeInWords.distance(to: $0, at: now)) }
  }
}
