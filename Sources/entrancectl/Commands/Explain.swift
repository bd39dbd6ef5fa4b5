import ArgumentParser
import AuthCore
import EntranceKit
import FoundationEssentials
import Localization
import Sentences

/// Says what an error of any program means.
struct Explain: PlainCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: tr("Explain an error: what happened, who can solve it, and how."),
    discussion: paragraphs(
      Sentence(
        "The error can come from any program that signs in with Microsoft, such as az, Git, kubectl,"
          + " or a mail program. The explanation is part of this program: nothing is sent."),
      Sentence("Without an argument, or with '-', the error is read from standard input.")))

  @OptionGroup var outputOptions: OutputOptions

  @Argument(
    help: ArgumentHelp(
      tr("The error’s text, or its number such as 50076."), valueName: tr("error")))
  var error: [String] = []

  func perform() async throws(CommandError) {
    let text = try text()
    let reading = ErrorReading(text)
    let explanations = reading.explanations
    guard !explanations.isEmpty else {
      throw CommandError("unknownError", reading.unknown, nextStep: reading.nextStep)
    }
    try output.print(
      explanations.map(\.lines).joined(separator: [Line.empty]).map(\.self),
      ["errors": .array(explanations.map(\.json))])
  }

  private func text() throws(CommandError) -> String {
    guard error.isEmpty || error == ["-"] else { return error.joined(separator: " ") }
    let input = try Input.text(
      "-", asking: Sentence("Paste the error, then press Ctrl+D."))
    return String(decoding: input, as: UTF8.self)
  }
}

extension ErrorExplanation {
  /// What it says, for people.
  fileprivate var lines: [Line] {
    [
      Line(Sentence("{name}: {text}", ["name": name, "text": meaning])),
      Line(nextStep), Line(solver.sentence),
      Line(Sentence("More about it: {url}", ["url": source])),
    ]
  }

  /// What it says, for programs.
  fileprivate var json: JSON {
    [
      "name": JSON(name), "meaning": JSON(meaning), "nextStep": JSON(nextStep),
      "solver": JSON(solver.rawValue), "source": JSON(source),
    ]
  }
}
