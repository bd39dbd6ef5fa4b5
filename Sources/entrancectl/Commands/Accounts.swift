import ArgumentParser
import AuthCore
import Localization
import Sentences

struct Accounts: ClientCommand {
  static let configuration = CommandConfiguration(
    commandName: "accounts",
    abstract: tr("List the accounts that are signed in."),
    discussion: tr("Other commands use the first one: the account used for the latest sign-in."))

  @OptionGroup var common: CommonOptions

  func perform() async throws(CommandError) {
    let accounts = try await CommandContext(common).accounts()
    if accounts.isEmpty { Output.say(Sentence("No account is signed in.")) }
    try output.print(
      Line.table(accounts.map { [$0.username, $0.id, $0.name ?? ""] }),
      ["accounts": .array(accounts.map(\.json))])
  }
}
