import Sentences

/// Claims to request, in addition to those that tokens always have (OpenID Connect Core 1.0,
/// section 5.5).
///
/// ```swift
/// var claims = ClaimsRequest()
/// claims[.idToken, "nickname"] = ClaimsRequest.Claim()
/// claims[.accessToken, "acrs"] = ClaimsRequest.Claim(isEssential: true, value: .string("c1"))
/// ```
///
/// A server that requires more claims in a token sends the request itself: see
/// ``AuthenticationError/claims`` and ``AuthenticationChallenge``.
public struct ClaimsRequest: Sendable, Equatable {
  /// The token that should contain a claim.
  ///
  /// Later versions may add targets: a `switch` needs a `default`.
  public struct Target: Sendable, Hashable, CaseIterable, CustomStringConvertible {
    /// The ID token, which the app reads.
    public static let idToken = Target("id_token")
    /// The access token, which the API reads.
    public static let accessToken = Target("access_token")

    /// All targets of this version.
    public static let allCases: [Target] = [.idToken, .accessToken]

    /// The name, for logs and programs, as in the request.
    public let rawValue: String

    private init(_ rawValue: String) {
      self.rawValue = rawValue
    }

    /// The name.
    public var description: String { rawValue }
  }

  /// How a claim is requested, and with which value.
  public struct Claim: Sendable, Equatable {
    /// Whether the claim is essential.
    public var isEssential: Bool
    /// The requested value.
    public var value: JSON?
    /// The acceptable values, in order of preference.
    public var values: [JSON]?
    /// Members that are not known here, which are passed back unchanged.
    fileprivate var others: [JSON.Member] = []

    /// Requests a claim, with any value or with the given ones.
    public init(isEssential: Bool = false, value: JSON? = nil, values: [JSON]? = nil) {
      self.isEssential = isEssential
      self.value = value
      self.values = values
    }
  }

  /// The longest text that is parsed, in bytes.
  public static let maximumLength = 16_384

  private var targets: [Target: [String: Claim]] = [:]
  /// Requests for other targets, which are passed back unchanged.
  private var others: [JSON.Member] = []

  /// Creates an empty request.
  public init() {}

  /// How the claim called `name` is requested in `target`; nil when it is not.
  public subscript(target: Target, name: String) -> Claim? {
    get { targets[target]?[name] }
    set {
      targets[target, default: [:]][name] = newValue
      if targets[target]?.isEmpty == true { targets[target] = nil }
    }
  }

  /// Whether no claims are requested.
  public var isEmpty: Bool { targets.isEmpty && others.isEmpty }
}

// MARK: - JSON

extension ClaimsRequest {
  /// Parses the JSON of a claims request.
  ///
  /// - Throws: ``AuthenticationError`` with code ``AuthenticationError/Code/invalidParameter``
  ///   when it is malformed.
  public init(json text: String) throws(AuthenticationError) {
    guard text.utf8.count <= Self.maximumLength, let json = try? JSON(parsing: text.utf8),
      let members = json.sortedByName.object
    else { throw Self.invalid(Sentence("it is not a JSON object, or too long")) }
    for member in members {
      guard let target = Target.allCases.first(where: { $0.rawValue == member.name }) else {
        others.append(member)
        continue
      }
      if member.value == .null { continue }
      guard let claims = member.value.object else {
        throw Self.invalid(Sentence("“{name}” is not an object", ["name": target.rawValue]))
      }
      for claim in claims {
        self[target, claim.name] = try Claim(claim.value, named: claim.name)
      }
    }
  }

  /// The claims request as JSON on one line, with all names in ascending order.
  public var json: String {
    let members = targets.map { target, claims in
      JSON.Member(
        target.rawValue, .object(claims.map { JSON.Member($0.key, $0.value.json) }))
    }
    return JSON.object(members + others).sortedByName.compactText
  }

  fileprivate static func invalid(_ reason: Sentence) -> AuthenticationError {
    AuthenticationError(
      .invalidParameter,
      Sentence("The claims request cannot be used: {reason}.", ["reason": reason]))
  }
}

extension ClaimsRequest.Claim {
  fileprivate init(_ json: JSON, named name: String) throws(AuthenticationError) {
    self.init()
    if json == .null { return }
    guard let members = json.object else {
      throw ClaimsRequest.invalid(
        Sentence("“{name}” is neither null nor an object", ["name": name]))
    }
    for member in members {
      switch (member.name, member.value) {
      case ("essential", .bool(let isEssential)): self.isEssential = isEssential
      // Some servers send numbers: all but 0 is true.
      case ("essential", .number(let text)): isEssential = Double(text) != 0
      case ("value", let value): self.value = value
      case ("values", .array(let values)): self.values = values
      case ("essential", _), ("values", _):
        throw ClaimsRequest.invalid(
          Sentence(
            "“{member}” of “{name}” is of the wrong type", ["member": member.name, "name": name]))
      default: others.append(member)
      }
    }
  }

  fileprivate var json: JSON {
    var members = others
    if isEssential { members.append(.init("essential", .bool(true))) }
    if let value { members.append(.init("value", value)) }
    if let values { members.append(.init("values", .array(values))) }
    return members.isEmpty ? .null : .object(members)
  }
}

extension JSON {
  /// This value with the members of every object sorted by name.
  fileprivate var sortedByName: JSON {
    switch self {
    case .object(let members):
      .object(
        members.sorted { $0.name < $1.name }.map { Member($0.name, $0.value.sortedByName) })
    case .array(let elements): .array(elements.map(\.sortedByName))
    default: self
    }
  }
}

// MARK: - Capabilities

extension ClaimsRequest {
  /// The `claims` parameter of a request: the caller's claims and the app's capabilities; nil when
  /// there are none.
  static func parameter(
    _ claims: ClaimsRequest?, capabilities: [String]
  ) -> String? {
    var sent = claims ?? ClaimsRequest()
    if !capabilities.isEmpty {
      var claim = sent[.accessToken, "xms_cc"] ?? Claim()
      let known = claim.values ?? []
      claim.values = known + capabilities.map(JSON.string).filter { !known.contains($0) }
      sent[.accessToken, "xms_cc"] = claim
    }
    return sent.isEmpty ? nil : sent.json
  }
}
