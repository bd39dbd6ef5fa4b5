/// The command that signs someone in as another command needs it: to its app, with its permissions.
struct SignInCommand {
  /// The name of the app; nil for the first one, which is used without a name.
  var app: String?
  /// The permissions; empty for those of the app.
  var scopes: [String] = []

  /// The command as it is typed.
  var text: String {
    let options =
      (app.map { [("--app", $0)] } ?? []) + scopes.map { ("--scope", $0) }
    return (["entrancectl sign-in"] + options.map { "\($0) \($1.asArgument)" })
      .joined(separator: " ")
  }
}

/// The permissions that a command asks for, and whose choice they are.
struct ScopeChoice {
  /// The permissions; empty for those of the app.
  let scopes: [String]
  /// The option that names them; nil when the app or the calling program does.
  let option: String?

  /// The permissions that `option` names, or else `others`.
  init(_ given: [String], of option: String, or others: [String] = []) {
    scopes = given.isEmpty ? others : given
    self.option = given.isEmpty ? nil : option
  }
}
