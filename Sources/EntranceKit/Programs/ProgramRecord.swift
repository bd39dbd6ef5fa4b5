public import FoundationEssentials

/// What a program was given, and what the person decided about it.
public struct ProgramRecord: Sendable, Equatable, Identifiable {
  /// What the person decided.
  public enum Decision: String, Sendable, CaseIterable {
    /// It gets tokens like those it has asked for.
    case allow
    /// It gets none.
    case deny
  }

  /// What a program was given of one account, or of an app as a whole.
  public struct Grant: Sendable, Equatable {
    /// The name of the app.
    public internal(set) var app: String
    /// The ID of the account; empty for an export.
    public let account: String
    /// The user name of the account, to show.
    public internal(set) var username: String
    /// The scopes of the tokens that it got, in alphabetical order.
    public internal(set) var scopes: [String] = []
    /// The scopes that it asked for and may not have yet, in alphabetical order.
    public internal(set) var refused: [String] = []
    /// The scopes that the person allowed, in alphabetical order.
    public internal(set) var allowed: [String] = []
    /// How often it got a token.
    public internal(set) var count = 0
    /// When it got the first one; nil when it got none.
    public internal(set) var first: Date?
    /// When it got the last one; nil when it got none.
    public internal(set) var last: Date?

    /// Whether it is the export of all tokens of the app.
    public var isExport: Bool { account.isEmpty }
  }

  /// Who asks.
  public var id: CallingProgram { program }
  /// Who asks.
  public let program: CallingProgram
  /// What the person decided; nil for nothing.
  public internal(set) var decision: Decision?
  /// What it was given, the last used first.
  public internal(set) var grants: [Grant] = []

  /// A program that got nothing yet.
  public init(_ program: CallingProgram) {
    self.program = program
  }

  /// How often it got a token.
  public var count: Int { grants.reduce(0) { $0.addingReportingOverflow($1.count).partialValue } }
  /// When it got the last one; nil when it got none.
  public var last: Date? { grants.compactMap(\.last).max() }
}

extension ProgramRecord {
  mutating func note(_ request: ProgramRequest, at date: Date) {
    change(request) { grant in
      grant.scopes = Self.joined(grant.scopes, request.scopes)
      grant.count += grant.count < Self.mostUses ? 1 : 0
      grant.first = grant.first ?? date
      grant.last = date
    }
  }

  mutating func noteRefusal(of request: ProgramRequest) {
    change(request) { grant in
      grant.refused = Self.joined(grant.refused, request.scopes)
    }
  }

  /// Finds what it was given of `app` by the app's new name.
  mutating func rename(_ app: String, to name: String) {
    // What is left of another app that had the new name is not this app's.
    grants.removeAll { $0.app == name }
    for index in grants.indices where grants[index].app == app { grants[index].app = name }
  }

  mutating func change(_ request: ProgramRequest, _ change: (inout Grant) -> Void) {
    var grant =
      grants.first { $0.isOf(request) }
      ?? Grant(app: request.app, account: request.account, username: request.username)
    grant.username = request.username
    change(&grant)
    grants.removeAll { $0.isOf(request) }
    grants.insert(grant, at: 0)
    grants = Array(grants.prefix(Self.mostGrants))
  }

  static func joined(_ scopes: [String], _ others: [String]) -> [String] {
    Array(Set(scopes).union(others).sorted().prefix(mostScopes))
  }

  /// More than any token has.
  private static let mostScopes = 200
  /// More accounts than a person has.
  private static let mostGrants = 50
  /// What JSON numbers are exact to everywhere.
  static let mostUses = 1 << 53
}

extension ProgramRecord.Grant {
  func isOf(_ request: ProgramRequest) -> Bool {
    app == request.app && account == request.account
  }
}
