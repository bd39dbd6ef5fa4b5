import ArgumentParser
import AuthCore
import Localization
import Sentences

struct SignOut: EntranceCommand {
  static let configuration = CommandConfiguration(
    abstract: tr("Sign an account out: remove it and its tokens from the keyring."),
    discussion: tr("On a shared device, all accounts are signed out, also in the browser."))

  @OptionGroup var common: CommonOptions
  @OptionGroup var choice: AccountOptions
  @Flag(help: ArgumentHelp(tr("Also sign out in the browser.")))
  var browser = false

  func perform() async throws(CommandError) {
    let workspace = try Workspace(common)
    let account: Account
    do throws(CommandError) {
      account = try await workspace.account(choice.account)
    } catch {
      guard error.code == AuthenticationError.Code.accountNotFound.rawValue else { throw error }
      let count = try await workspace.forgetLost(choice.account)
      guard count > 0 else { throw error }
      return try output.print(
        [
          Line(
            .plural(
              "What was left of one account was removed.",
              "What was left of {count} accounts was removed.", count: count))
        ], [("account", .null), ("signedOutOfBrowser", .bool(false))])
    }
    let isShared = workspace.application.configuration.isSharedDevice
    let browser = browser || isShared && ProcessEnvironment.hasDisplay
    if browser {
      guard ProcessEnvironment.hasDisplay else {
        throw CommandError(
          "webAuthenticationFailed", Sentence("There is no display to open a browser on."),
          nextStep: Sentence("Omit --browser to sign out only here."))
      }
      output.say(
        Sentence("Also signing out in the browser. Press Ctrl+C here to stay signed in there."))
    }
    let session =
      browser
      ? SystemBrowserSession(language: .person, onOtherResponse: output.sayOtherResponse) : nil
    let result: SignOutResult
    do throws(AuthenticationError) {
      result = try await workspace.application.signOut(
        account, parameters: SignOutParameters(session: session))
    } catch {
      throw CommandError(error)
    }
    if let failure = result.failures.first {
      if result.removal == .done {
        output.say(Sentence("{name} is signed out of this app.", ["name": account.username]))
      }
      throw CommandError(failure)
    }
    try output.print(
      [Line(Sentence("{name} is signed out.", ["name": account.username]))],
      [
        ("account", Output.object(account.members)),
        ("signedOutOfBrowser", .bool(result.browserSession == .done)),
      ])
  }
}
