import ArgumentParser
import AuthCore
import Localization
import Sentences

struct SignOut: ClientCommand {
  static let configuration = CommandConfiguration(
    commandName: "sign-out",
    abstract: tr("Sign out: remove an account and its tokens from this computer."),
    discussion: tr("On a shared device, all accounts are signed out, also in the browser."))

  @OptionGroup var common: CommonOptions
  @OptionGroup var choice: AccountOptions
  @Flag(help: ArgumentHelp(tr("Also sign out in the browser.")))
  var browser = false

  func perform() async throws(CommandError) {
    let context = try CommandContext(common)
    let account: Account
    do throws(CommandError) {
      account = try await context.account(choice.account)
    } catch {
      guard error.code == AuthenticationError.Code.accountNotFound.rawValue else { throw error }
      return try await signNobodyOut(context, orThrow: error)
    }
    let session = try browserSession(context.application.configuration)
    let result = try await reporting(for: context.signIn) { () async throws(AuthenticationError) in
      try await context.application.signOut(
        account, parameters: SignOutParameters(session: session))
    }
    if let failure = result.failures.first {
      if result.removal == .done {
        Output.say(Sentence("{name} is signed out of this app.", ["name": account.username]))
      }
      guard failure.step == .storage else {
        throw CommandError(failure, signIn: context.signIn)
      }
      throw await context.storageError(failure)
    }
    try output.print(
      [Line(Sentence("{name} is signed out.", ["name": account.username]))],
      [
        "account": account.json,
        "signedOutOfBrowser": .bool(result.browserSession == .done),
      ])
  }

  /// Removes what is left of accounts that the store has lost; there may be nothing to do.
  ///
  /// - Throws: `error` when others are signed in, or when someone can be whom this does not reach: in the
  ///   browser, or in a keyring that is not found.
  private func signNobodyOut(
    _ context: CommandContext, orThrow error: CommandError
  ) async throws(CommandError) {
    let count = try await context.removeLostAccounts(choice.account)
    let isNobodyHere = try await context.reading { await $0.accounts() }.isEmpty
    // Who is in a keyring that is not found stays signed in.
    let canBeHidden = await context.keyringAbsence != nil
    guard count > 0 || isNobodyHere && !browser && !canBeHidden else {
      var error = error
      // To sign in is not what the person wants.
      if isNobodyHere { error.nextStep = nil }
      throw error
    }
    try output.print(
      [
        Line(
          count == 0
            ? Sentence("No account is signed in.")
            : .plural(
              "What was left of one account was removed.",
              "What was left of {count} accounts was removed.", count: count))
      ], ["account": .null, "signedOutOfBrowser": false])
  }

  /// The browser to sign out in; nil for none.
  private func browserSession(
    _ configuration: PublicClientApplicationConfiguration
  ) throws(CommandError) -> SystemBrowserSession? {
    let hasDisplay = ProcessEnvironment.hasDisplay
    guard browser || configuration.isSharedDevice && hasDisplay else { return nil }
    guard hasDisplay else {
      throw CommandError(
        "webAuthenticationFailed", Sentence("There is no display to open a browser on."),
        nextStep: Sentence("Omit --browser to sign out only here."))
    }
    Output.say(
      Sentence("Also signing out in the browser. Press Ctrl+C here to stay signed in there."))
    return SystemBrowserSession(language: .person, onOtherResponse: Output.sayOtherResponse)
  }
}
