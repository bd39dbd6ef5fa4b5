import ArgumentParser
import AuthCore
import FoundationEssentials
import HTTPFiles
import Localization
import Sentences

extension HTTP {
  /// Makes a file of requests from those of another program.
  struct Import: PlainCommand {
    static let configuration = CommandConfiguration(
      commandName: "import",
      abstract: tr(
        "Make an .http file from requests of curl, Postman, Graph Explorer, or a browser."),
      discussion: paragraphs(
        Sentence(
          "The input is recognized by what is in it: curl commands, a collection that Postman exports"
            + " (version 2.1), a HAR file, as the developer tools of a browser save it, or the"
            + " samples of Microsoft’s Graph Explorer ('sample-queries.json')."),
        Sentence(
          "Secrets are left out: '{token}' is in the place of a token, so that the account’s token"
            + " is sent, and other secrets become variables without a value. What is left out is"
            + " said on standard error. Nothing is sent.", ["token": "{{$aadV2Token}}"])))

    @OptionGroup var outputOptions: OutputOptions
    @Option(
      name: [.customShort("o"), .customLong("output")],
      help: ArgumentHelp(
        tr("Write it to this file instead of standard output."), valueName: tr("file")),
      completion: .file())
    var path: String?
    @Flag(help: ArgumentHelp(tr("Overwrite an existing file.")))
    var force = false

    @Argument(
      help: ArgumentHelp(tr("The file, or - for standard input."), valueName: tr("file")),
      completion: .file())
    var file: String

    func validate() throws {
      try ValidationError.refuseEmpty(path, of: "--output")
      try ValidationError.refuseForce(force, without: path)
    }

    func perform() async throws(CommandError) {
      if let path { try Output.checkPlace(path, force: force) }
      let bytes = try Input.read(file)
      let imported: HTTPFileImport
      do throws(HTTPFileImport.Failure) {
        imported = try HTTPFileImport(Array(bytes))
      } catch {
        throw refusal(error)
      }
      if !output.isJSON { imported.remarks.forEach(Output.warn) }
      if let path {
        try Output.write(imported.file.bytes, to: path, force: force, isPrivate: false)
      }
      guard output.isJSON else {
        if path == nil { try output.print(text: imported.file.bytes) }
        return
      }
      let result =
        path.map { JSON.Member("path", JSON($0)) }
        ?? JSON.Member("text", JSON(String(decoding: imported.file.bytes, as: UTF8.self)))
      try output.print(
        document: .object([
          JSON.Member("source", JSON(imported.source.rawValue)),
          JSON.Member("requests", JSON(imported.file.requests.map { $0.name ?? "" })),
          JSON.Member("remarks", JSON(imported.remarks.map(\.description))), result,
        ]))
    }

    private func refusal(_ failure: HTTPFileImport.Failure) -> CommandError {
      let isStandardInput = file == "-"
      var error = CommandError(
        usage: Sentence([
          isStandardInput
            ? Sentence("Standard input cannot be imported.")
            : Sentence("The file “{path}” cannot be imported.", ["path": file]),
          failure.reason,
        ]))
      error.add("line", failure.line)
      error.add("column", failure.column)
      return error
    }
  }
}
