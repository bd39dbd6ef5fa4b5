import ArgumentParser
import AuthCore
import Connections
import EntranceKit
import Localization
import Sentences

struct SignIn: ClientCommand {
  static let configuration = CommandConfiguration(
    commandName: "sign-in",
    abstract: tr("Sign in with the browser, or with a code entered on this or another device."),
    discussion: paragraphs(
      Sentence(
        "By default, the browser is used. To use a device code, add --device-code. Enter a code"
          + " only if you requested it yourself: a code from someone else signs them in to your"
          + " account."),
      Sentence(
        "The app registration needs the redirect URI http://localhost for the browser, under"
          + " “Mobile and desktop applications”.")))

  /// How to sign in.
  enum Way: String, EnumerableFlag {
    case browser, deviceCode

    static func help(for value: Way) -> ArgumentHelp? {
      switch value {
      case .browser: ArgumentHelp(tr("Sign in with the browser on this desktop (the default)."))
      case .deviceCode: ArgumentHelp(tr("Show a code to enter on this or another device."))
      }
    }
  }

  @OptionGroup var common: CommonOptions
  @Flag(exclusivity: .exclusive) var way: Way?
  @OptionGroup var scope: ScopeOptions
  @Option(
    help: ArgumentHelp(
      tr("Fill in this user name (browser only)."), valueName: tr("name")))
  var account: String?

  @Option(
    help: ArgumentHelp(
      tr(
        "What the pages ask for: select_account, login, consent, create, or if_necessary for only"
          + " what is needed."
      ),
      valueName: tr("prompt")),
    completion: .list(SignIn.prompts.map(\.name)),
    transform: SignIn.prompt)
  var prompt: Prompt?

  func validate() throws {
    try ValidationError.refuseEmpty(account, of: "--account")
    guard way == .deviceCode else { return }
    for (name, isThere) in [("--account", account != nil), ("--prompt", prompt != nil)]
    where isThere {
      throw ValidationError(
        Sentence("{option} is for the browser, not for --device-code.", ["option": name]))
    }
  }

  func perform() async throws(CommandError) {
    let context = try CommandContext(common)
    // Before anyone is asked for anything: what cannot be kept is of no use to the next command.
    try await context.open(settingPassphrase: true)
    var known = try await context.reading { await $0.ownAccounts() }
    try await context.checkStorage()
    try await context.checkWriting()
    if let account, !known.contains(where: { $0.matches(account) }) {
      // The identity broker may know it. Without one that answers, the pages sign in.
      known = try await context.reading { await $0.accounts() }
    }
    let result: AuthenticationResult
    do throws(AuthenticationError) {
      result = try await signIn(context, known)
    } catch {
      var failure = CommandError(
        error, requesting: scope.choice(),
        signIn: SuggestedSignIn(
          app: context.signIn.app, scopes: scope.scopes, usesDeviceCode: way == .deviceCode))
      if error.failureKind == .noPages, !context.connection.signInWays.contains(.code) {
        failure.nextStep = Sentence(
          "Sign in on a computer with a browser: this app does not support device codes.")
      }
      throw failure
    }
    try await context.checkStorage()
    if result.isClockWrong {
      Output.say(
        Sentence(
          "This computer’s clock differs from the sign-in service’s clock. Check the date and time."
        ))
    }
    let name = result.account.name.map { "\($0) (\(result.account.username))" }
    try output.print(
      [Line(Sentence("Signed in as {name}.", ["name": name ?? result.account.username]))],
      [
        "account": result.account.json, "tenantID": JSON(result.tenantID),
        "scopes": JSON(result.scopes), "correlationID": JSON(result.correlationID),
      ])
  }

  private func signIn(
    _ context: CommandContext, _ known: [Account]
  ) async throws(AuthenticationError) -> AuthenticationResult {
    let scopes = scope.scopes.isEmpty ? context.connection.scopes : scope.scopes
    switch way ?? .browser {
    case .deviceCode:
      var parameters = DeviceCodeTokenParameters(scopes: scopes) { Output.say($0.sentence) }
      // Programs are told how it ends.
      if !output.isJSON {
        parameters.reportOutage = { outage in
          Output.say(outage == nil ? Self.reachable : Self.unreachable)
        }
      }
      return try await context.application.acquireToken(parameters)
    case .browser:
      var parameters = InteractiveTokenParameters(
        scopes: scopes, session: try browserSession(context.connection))
      // The sign-in service takes no user name for the page on which an account is chosen.
      parameters.prompt = prompt ?? (account == nil ? .selectAccount : .promptIfNecessary)
      parameters.account = account.flatMap { name in known.first { $0.matches(name) } }
      parameters.loginHint = account
      return try await context.application.acquireToken(parameters)
    }
  }

  private static let unreachable = Sentence(
    "The sign-in service cannot be reached. Entrance keeps trying until the code expires.")
  private static let reachable = Sentence("The sign-in service can be reached again.")

  private func browserSession(
    _ connection: Connection
  ) throws(AuthenticationError) -> SystemBrowserSession {
    guard ProcessEnvironment.hasDisplay else {
      throw AuthenticationError(
        .webAuthenticationFailed, Sentence("There is no display to open a browser on."))
    }
    var words = [Sentence("Continue in the browser. Press Ctrl+C here to cancel.")]
    if let hint = connection.hint(about: try connection.loopbackRedirectURI()) {
      words.append(hint)
    }
    // Not before: an identity broker may sign the person in without it.
    return SystemBrowserSession(language: .person) {
      [words] url async throws(AuthenticationError) in
      words.forEach(Output.say)
      try await SystemBrowser.open(url)
    } onOtherResponse: {
      Output.sayOtherResponse()
    }
  }

  private static let prompts: [(name: String, prompt: Prompt)] = Prompt.allCases.map {
    ($0 == .promptIfNecessary ? "if_necessary" : $0.rawValue, $0)
  }

  private static func prompt(_ name: String) throws -> Prompt {
    guard let known = prompts.first(where: { $0.name == name }) else {
      throw ValidationError(
        Sentence(
          "“{name}” is not a valid prompt. Use {names}.",
          ["name": name, "names": prompts.map(\.name).joined(separator: ", ")]))
    }
    return known.prompt
  }
}
