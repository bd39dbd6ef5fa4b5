/// What a program asks for: a token of an account.
public struct ProgramRequest: Sendable, Hashable {
  /// The program that asks.
  public var program: CallingProgram
  /// The name of the app.
  public var app: String
  /// The ID of the account.
  public var account: String
  /// The user name of the account, to show.
  public var username: String
  /// The scopes of the token.
  public var scopes: [String]

  /// A request of `program`.
  public init(
    program: CallingProgram, app: String, account: String, username: String, scopes: [String]
  ) {
    self.program = program
    self.app = app
    self.account = account
    self.username = username
    self.scopes = scopes
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
