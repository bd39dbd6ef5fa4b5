import ArgumentParser
import AuthCore

struct SignOut: EntranceCommand {
  static let configuration = CommandConfiguration(
    abstract: "Sign an account out: remove it and its tokens from the keyring.",
    discussion: "On a shared device everyone is signed out, in the browser, too.")

  @OptionGroup var common: CommonOptions
  @OptionGroup var choice: AccountOptions
  @Flag(help: "Sign out in the browser, too.")
  var browser = false

  func perform() async throws(CommandError) {
    let workspace = try Workspace(common)
    let account = try await workspace.account(choice.account)
    let isShared = workspace.application.configuration.isSharedDevice
    let browser = browser || isShared && Surroundings.hasDisplay
    if browser {
      guard Surroundings.hasDisplay else {
        throw CommandError(
          "webAuthenticationFailed", "There is no display to open a browser on.",
          nextStep: "Leave out --browser to sign out here alone.")
      }
      output.say("Signing out in the browser, too. Press Ctrl+C here to leave it signed in.")
    }
    let result: SignOutResult
    do throws(AuthenticationError) {
      result = try await workspace.application.signOut(
        account, parameters: SignOutParameters(session: browser ? SystemBrowserSession() : nil))
    } catch {
      throw CommandError(error)
    }
    if let failure = result.failures.first {
      if result.removal == .done { output.say("\(account.username) is signed out of this app.") }
      throw CommandError(failure)
    }
    try output.print(
      ["\(account.username) is signed out."],
      [
        ("account", Output.object(account.members)),
        ("signedOutOfBrowser", .bool(result.browserSession == .done)),
      ])
  }
}
