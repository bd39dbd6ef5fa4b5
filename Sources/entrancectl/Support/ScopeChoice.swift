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
