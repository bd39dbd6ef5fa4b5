/// The command that signs someone in as another command needs it: to its app, with its permissions.
struct SuggestedSignIn {
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
