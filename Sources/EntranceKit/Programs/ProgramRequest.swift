import AuthCore

/// What a program asks for: a token of an account, or all tokens of an app.
public struct ProgramRequest: Sendable, Hashable {
  /// The program that asks.
  public var program: CallingProgram
  /// The name of the app.
  public var app: String
  /// The ID of the account; empty for all accounts, in an export.
  public var account: String
  /// The user name of the account, to show.
  public var username: String
  /// The scopes of the token; without those of OpenID Connect, which every token is requested with, unless
  /// there are no others.
  public var scopes: [String]

  /// What stands in the place of scopes for an export, and can never be one: it has a space.
  private static let export = "cache export"

  /// A request of `program` for a token.
  public init(
    program: CallingProgram, app: String, account: String, username: String, scopes: [String]
  ) {
    self.program = program
    self.app = app
    self.account = account
    self.username = username
    let rest = Scopes.withoutOpenID(scopes)
    // A request for these alone gets a token, too, so it must be allowed by something.
    self.scopes = rest.isEmpty ? scopes : rest
  }

  /// A request of `program` for all tokens of `app`, also its refresh tokens.
  public init(exporting app: String, to program: CallingProgram) {
    self.init(program: program, app: app, account: "", username: "", scopes: [Self.export])
  }
}

/// What becomes of a request.
public enum ProgramAnswer: Sendable, Equatable {
  /// The program gets the token.
  case give
  /// The person has to be asked.
  case ask
  /// The person denied this program.
  case denied
  /// The preference denies all programs.
  case allDenied
}
