import ArgumentParser
import Localization
import Sentences

// The options that several commands take.

/// What every command takes.
struct OutputOptions: ParsableArguments {
  @Flag(help: ArgumentHelp(tr("Print one JSON document, for other programs.")))
  var json = false
}

/// What every command takes that works with an app.
struct CommonOptions: ParsableArguments {
  @OptionGroup var outputOptions: OutputOptions

  var json: Bool { outputOptions.json }

  @Option(
    name: .customLong("app"),
    help: ArgumentHelp(
      tr("Use this app; the default is the first one."), valueName: tr("name")),
    completion: .appName)
  var connection: String?

  @Option(
    help: ArgumentHelp(
      tr("Read the passphrase of the encrypted files from this file instead of the terminal."),
      valueName: tr("file")),
    completion: .file())
  var passphraseFile: String?

  func validate() throws {
    try ValidationError.refuseEmpty(connection, of: "--app")
    try ValidationError.refuseEmpty(passphraseFile, of: "--passphrase-file")
  }
}

/// Whose tokens to use.
struct AccountOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      tr(
        "Use this account, by its user name or ID; the default is the account used for the latest"
          + " sign-in."),
      valueName: tr("name")))
  var account: String?

  func validate() throws {
    try ValidationError.refuseEmpty(account, of: "--account")
  }
}

/// Whether a person may be asked.
struct InputOptions: ParsableArguments {
  @Flag(
    help: ArgumentHelp(
      tr(
        "Never ask about a passphrase, the keyring, a program, or a host: end with the exit status"
          + " 66, or 78 for a program.")))
  var noInput = false
}

/// What a token is to be good for.
struct ScopeOptions: ParsableArguments {
  @Option(
    name: .customLong("scope"), parsing: .singleValue,
    help: ArgumentHelp(
      tr("Request this permission; the default is those of the app. Can be repeated."),
      valueName: tr("scope")))
  var scopes: [String] = []

  /// The permissions that were requested, or else `others`.
  func choice(or others: [String] = []) -> ScopeChoice {
    ScopeChoice(scopes, of: "--scope", or: others)
  }

  func validate() throws {
    try ValidationError.check(scopes, of: "--scope")
  }
}
