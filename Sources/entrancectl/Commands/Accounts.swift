import ArgumentParser
import AuthCore
import Localization
import Sentences

struct Accounts: ClientCommand {
  static let configuration = CommandConfiguration(
    abstract: tr("List the accounts that are signed in."),
    discussion: tr("Other commands use the first one, which signed in last."))

  @OptionGroup var common: CommonOptions

  func perform() async throws(CommandError) {
    let accounts = try await CommandContext(common).accounts()
    if accounts.isEmpty { output.say(Sentence("No account is signed in.")) }
    let width = accounts.map(\.username.plain.count).max() ?? 0
    let lines = accounts.map { account in
      let padding = String(repeating: " ", count: width - account.username.plain.count)
      let text = "\(account.username)\(padding)  \(account.id)  \(account.name ?? "")"
      return Line(Sentence(verbatim: text))
    }
    try output.print(
      lines, [("accounts", .array(accounts.map { Output.object($0.members) }))])
  }
}
