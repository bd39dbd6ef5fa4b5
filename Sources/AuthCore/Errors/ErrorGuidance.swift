public import Sentences

/// What a server's error code means to the user, and what they can do.
///
/// The sentences are built in. Microsoft may change its codes at any time, so they only affect the
/// message and what the user is offered, never a flow.
public struct ErrorGuidance: Sendable, Equatable {
  /// One sentence: what happened.
  public let meaning: Sentence
  /// One sentence: what to do next.
  public let nextStep: Sentence
  /// What kind of failure it is.
  package let kind: FailureKind
  let keys: [Key]

  /// What identifies a reason: an `AADSTS` number unless it is named.
  enum Key: Hashable, ExpressibleByIntegerLiteral {
    case number(Int)
    case suberror(String)
    /// A code in the description from an Azure AD B2C user flow.
    case userFlow(String)

    init(integerLiteral number: Int) { self = .number(number) }
  }

  /// The guidance for an `AADSTS` number; nil for an unknown number.
  public init?(code: Int) {
    guard let known = ServerErrorTable.byKey[.number(code)] else { return nil }
    self = known
  }

  /// The guidance for a user flow's code, such as `AADB2C90118`; nil for an unknown code.
  package init?(userFlow code: String) {
    guard let known = ServerErrorTable.byKey[.userFlow(code)] else { return nil }
    self = known
  }

  /// The guidance for the first known number of `codes`, or else for `suberror`, or else for a user
  /// flow's code in `description`; nil when none is known.
  init?(codes: [Int], suberror: String?, description: String?) {
    var keys = codes.map(Key.number)
    if let suberror { keys.append(.suberror(suberror)) }
    if let description, description.contains("AADB2C") {
      keys += Self.userFlowCodes.filter(description.contains).map(Key.userFlow)
    }
    guard let known = keys.lazy.compactMap({ ServerErrorTable.byKey[$0] }).first else { return nil }
    self = known
  }

  init(_ kind: FailureKind, _ nextStep: Sentence, _ keys: [Key], _ meaning: Sentence) {
    self.kind = kind
    self.nextStep = nextStep
    self.keys = keys
    self.meaning = meaning
  }

  /// All numbers with guidance, in ascending order.
  public static let knownCodes: [Int] = ServerErrorTable.all.flatMap(\.keys).compactMap { key in
    if case .number(let number) = key { number } else { nil }
  }.sorted()

  /// Both sentences.
  public var sentence: Sentence { Sentence([meaning, nextStep]) }

  /// Error from a user flow when the user follows the link "Forgot your password?".
  static let passwordReset = "AADB2C90118"
  /// Error from a user flow that the user left.
  static let leftUserFlow = "AADB2C90091"

  /// All codes of user flows with guidance.
  package static let userFlowCodes = [passwordReset, leftUserFlow]
}

extension AuthenticationError {
  /// The guidance for the first known number of ``serverErrorCodes``, or else for ``suberror`` or
  /// the user flow's code in ``serverDescription``; nil when none is known, or when it would have the
  /// developers correct a request whose refresh token was refused: a sign-in replaces that.
  public var guidance: ErrorGuidance? {
    let known = ErrorGuidance(
      codes: serverErrorCodes, suberror: suberror, description: serverDescription)
    return isRefreshTokenRefused && known?.kind == .developers ? nil : known
  }
}

extension AuthenticationError {
  /// The error that a sign-in page shows instead of sending it to the app; nil when neither the
  /// connection nor the app registration is the cause, or the number is unknown.
  ///
  /// - Parameter shownCode: the `AADSTS` number.
  package init?(shownCode: Int) {
    guard let guidance = ErrorGuidance(code: shownCode) else { return nil }
    switch guidance.kind {
    case .connection, .authority, .scope, .redirectURI, .registration, .developers: break
    default: return nil
    }
    self.init(.serverError, guidance.sentence, step: .authorization)
    serverErrorCodes = [shownCode]
  }
}
