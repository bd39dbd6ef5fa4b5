import ArgumentParser
import AuthCore
import Localization
import Sentences

struct SignOut: EntranceCommand {
  static let configuration = CommandConfiguration(
    abstract: tr("Sign an account out: remove it and its tokens from the keyring."),
    discussion: tr("On a shared device everyone is signed out, in the browser, too."))

  @OptionGroup var common: CommonOptions
  @OptionGroup var choice: AccountOptions
  @Flag(help: ArgumentHelp(tr("Sign out in the browser, too.")))
  var browser = false

  func perform() async throws(CommandError) {
    let workspace = try Workspace(common)
    let account = try await workspace.account(choice.account)
    let isShared = workspace.application.configuration.isSharedDevice
    let browser = browser || isShared && Surroundings.hasDisplay
    if browser {
      guard Surroundings.hasDisplay else {
        throw CommandError(
          "webAuthenticationFailed", Sentence("There is no display to open a browser on."),
          nextStep: Sentence("Leave out --browser to sign out here alone."))
      }
      output.say(
        Sentence("Signing out in the browser, too. Press Ctrl+C here to leave it signed in."))
    }
    let session = browser ? SystemBrowserSession(language: .person) : nil
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
