import ArgumentParser
import AuthCore
import Localization
import Sentences

struct Doctor: ClientCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: tr("Find out why sign-ins fail."),
    discussion: paragraphs(
      Sentence(
        "Each line has a mark: ✓ works, ✗ is a problem and is followed by its solution, ! works"
          + " with a limitation, – is absent and not needed. Nothing is changed, you are not asked"
          + " for anything, and a locked keyring stays locked."),
      Sentence("The exit status is 0 only when there is no problem.")))

  @OptionGroup var common: CommonOptions

  func perform() async throws(CommandError) {
    let prompt = PassphrasePrompt(file: common.passphraseFile, asksPerson: false)
    let passphrases = try prompt.file == nil ? [] : prompt.read()
    let findings = await Examination(
      connection: common.connection, passphrases: passphrases
    ).run()
    // What was canceled would be a problem otherwise.
    guard !Task.isCancelled else {
      throw CommandError("userCanceled", Sentence("The checks were canceled."))
    }
    let problems = findings.count { $0.state == .problem }
    try output.print(
      findings.flatMap(\.lines),
      ["checks": .array(findings.map(\.json)), "problems": JSON(problems)])
    guard problems == 0 else {
      throw CommandError("problemsFound", Sentence("Problems were found."), isReported: true)
    }
  }
}
