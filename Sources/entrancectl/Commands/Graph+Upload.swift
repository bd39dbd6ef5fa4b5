import ArgumentParser
import AuthCore
import FoundationEssentials
import HTTPTypes
import Localization
import MicrosoftGraph
import Sentences

extension Graph {
  struct Upload: SessionCommand {
    static let configuration = CommandConfiguration(
      commandName: "upload",
      abstract: tr("Upload a file of any size to a drive."),
      discussion: paragraphs(
        Sentence(
          "The path is that of the item, such as /me/drive/root:/Documents/a.txt: or a folder’s,"
            + " with a slash at its end: /me/drive/root:/Documents/"),
        Sentence("The new item is printed.")))

    @OptionGroup var options: SessionOptions
    @Option(
      help: ArgumentHelp(
        tr("If there is such an item: fail, replace, or rename. The default is fail."),
        valueName: tr("behavior")),
      completion: .list(behaviors.map(\.rawValue)), transform: Upload.behavior)
    var conflict: GraphConflictBehavior = .fail
    @Argument(
      help: ArgumentHelp(tr("The file to upload."), valueName: tr("file")), completion: .file())
    var file: String
    @Argument(help: ArgumentHelp(tr("Where to put it."), valueName: tr("path")))
    var path: String

    private static let behaviors: [GraphConflictBehavior] = [.fail, .replace, .rename]

    private static func behavior(_ name: String) throws -> GraphConflictBehavior {
      guard let behavior = behaviors.first(where: { $0.rawValue == name }) else {
        throw ValidationError(
          Sentence(
            "“{name}” is not a valid behavior. Use {names}.",
            ["name": name, "names": behaviors.map(\.rawValue).joined(separator: ", ")]))
      }
      return behavior
    }

    func validate() throws {
      try ValidationError.refuseUnusable(path)
      guard !Self.lacksName(path) else {
        throw ValidationError(
          Sentence(
            "“{path}” has no name for the file. Add it, as in /me/drive/root:/a.txt: or add a folder"
              + " with a slash at its end, as in /me/drive/root:/Documents/", ["path": path]))
      }
    }

    /// Whether the path is that of a drive's root, or ends where a name would begin.
    private static func lacksName(_ path: String) -> Bool {
      if hasNames(path) { return path.hasSuffix("/:") }
      return path.hasSuffix("/") || path.hasSuffix(":") || path.hasSuffix("/root")
    }

    func perform() async throws(CommandError) {
      try Input.check(file)
      let session = try await GraphSession(options)
      try await session.keeping { () async throws(CommandError) in
        try await upload(session)
      }
    }

    private func upload(_ session: GraphSession) async throws(CommandError) {
      let item = Self.item(path, for: file)
      var line = ProgressLine()
      defer { line.clear() }
      let begin = GraphRequest(.post, GraphPath(item + "/createUploadSession"))
      var isThere = false
      let response: GraphResponse
      do throws(CommandError) {
        response = try await session.translating(sending: begin) {
          () async throws(GraphError) -> GraphResponse in
          do throws(GraphError) {
            return try await session.client.upload(
              file, to: GraphPath(item), conflictBehavior: conflict
            ) { line.show($0) }
          } catch {
            isThere = error.isNameTaken
            throw error
          }
        }
      } catch {
        guard isThere else { throw error }
        var error = error
        error.nextStep = Sentence(
          "To replace it, add '--conflict replace'. To keep both, add '--conflict rename'.")
        throw error
      }
      line.clear()
      guard common.json else { return try output.print(response.body, response.jsonBody) }
      try output.print(
        document: .object([JSON.Member("status", JSON(response.status)), response.bodyMember]))
    }

    /// Whether the item is named by its place, after a colon; a complete URL has another one.
    private static func hasNames(_ path: String) -> Bool {
      path.replacing("://", with: "").contains(":/")
    }

    /// The path of the item: in a folder, with the file's name, and with the colon at its end.
    private static func item(_ path: String, for file: String) -> String {
      // Only a path by names has one.
      guard hasNames(path), !path.hasSuffix(":") else { return path }
      guard path.hasSuffix("/") else { return path + ":" }
      let name = file.split(separator: "/").last.map(String.init) ?? ""
      return path + FormEncoding.percentEncoded(name) + ":"
    }
  }
}
