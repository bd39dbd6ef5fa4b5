import Connections

/// A command of this program, as a sentence advises it.
struct AdvisedCommand {
  /// The command, such as `app add`.
  let name: String
  /// The name of the app; nil for the first one, which is used without a name.
  var app: String?
  /// Its other options, with their values.
  var options: [(name: String, value: String)] = []

  /// The command as it is typed.
  var text: String {
    let all = (app.map { [(name: "--app", value: $0)] } ?? []) + options
    return (["entrancectl \(name)"] + all.map { Self.argument($0.name, $0.value) })
      .joined(separator: " ")
  }

  /// A value that begins with a hyphen must be in the same word, or it would be another option.
  private static func argument(_ option: String, _ value: String) -> String {
    "\(option)\(value.hasPrefix("-") ? "=" : " ")\(value.asArgument)"
  }
}

/// The command that signs someone in as another command needs it: to its app, with its permissions.
struct SuggestedSignIn {
  /// The name of the app; nil for the first one, which is used without a name.
  var app: String?
  /// The permissions; empty for those of the app.
  var scopes: [String] = []
  /// Whether it is with a device code, as for who has just tried it in this way.
  var usesDeviceCode = false

  /// The command for the app called `name`, however it was chosen.
  static func to(_ name: String) throws(CommandError) -> SuggestedSignIn {
    SuggestedSignIn(app: try CommandContext.all().first?.name == name ? nil : name)
  }

  /// The command as it is typed.
  var text: String {
    other(
      usesDeviceCode ? "sign-in --device-code" : "sign-in",
      scopes.map { (name: "--scope", value: $0) })
  }

  /// The command with a device code, or without one.
  func using(deviceCode: Bool) -> SuggestedSignIn {
    var other = self
    other.usesDeviceCode = deviceCode
    return other
  }

  /// Another command for the same app, as it is typed.
  func other(_ name: String, _ options: [(name: String, value: String)] = []) -> String {
    AdvisedCommand(name: name, app: app, options: options).text
  }
}
