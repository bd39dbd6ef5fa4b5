import ArgumentParser
import AuthCore
import Localization
import Sentences

struct Doctor: EntranceCommand {
  static let configuration = CommandConfiguration(
    abstract: tr("Find out what keeps sign-ins from working."),
    discussion: paragraphs(
      Sentence(
        "Each line is marked: ✓ is well, ✗ is in the way and comes with what to do, ! works and should be"
          + " known, – is not there and need not be. Nothing is changed, nobody is asked for anything, and the"
          + " keyring stays locked if it is."),
      Sentence("The exit status is 0 only when nothing is in the way.")))

  @OptionGroup var common: CommonOptions

  func perform() async throws(CommandError) {
    let findings = await Examination(connection: common.connection).run()
    let problems = findings.count { $0.state == .problem }
    let members: [(name: String, value: JSON)] = [
      ("checks", .array(findings.map { Output.object($0.members) })),
      ("problems", .number("\(problems)")),
    ]
    try output.print(findings.flatMap(\.lines), members)
    guard problems == 0 else {
      var error = CommandError("problemsFound", Sentence("Something is in the way."))
      error.isReported = true
      throw error
    }
  }
}
