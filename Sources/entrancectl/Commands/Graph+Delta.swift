import ArgumentParser
import AuthCore
import FoundationEssentials
import Glibc
import HTTPTypes
import Localization
import MicrosoftGraph
import Sentences

extension Graph {
  struct Delta: ClientCommand {
    static let configuration = CommandConfiguration(
      abstract: tr("Print what has changed in a collection since the last time."),
      discussion: paragraphs(
        Sentence(
          "The first time, everything is printed. Where that ended is kept in the file of --state,"
            + " which only you can read, and the next time the changes since then are printed."),
        Sentence(
          "What is gone has the member @removed. If the service has forgotten the state, it sends"
            + " everything again, and a message says so.")))

    @OptionGroup var common: CommonOptions
    @OptionGroup var choice: AccountOptions
    @OptionGroup var scope: ScopeOptions
    @OptionGroup var cassette: CassetteOptions
    @Option(
      help: ArgumentHelp(tr("Keep in this file where it ended."), valueName: tr("file")),
      completion: .file())
    var state: String
    @Argument(
      help: ArgumentHelp(
        tr("The path of the delta query, such as /users/delta."), valueName: tr("path")),
      completion: .graphPath)
    var path: String

    func validate() throws {
      try ValidationError.refuseEmpty(state, of: "--state")
      try ValidationError.refusePlain(path)
    }

    func perform() async throws(CommandError) {
      let session = try await GraphSession(common, choice, scope, cassette)
      let request = GraphRequest(.get, GraphPath(stringLiteral: path))
      var token = try kept(for: session.account)
      var delta = session.client.delta(request, since: token).makeAsyncIterator()
      var list = ItemList(output)
      var startsOver = false
      while let page = try await session.translating({ () async throws(GraphError) in
        try await delta.next()
      }) {
        if page.startsOver {
          startsOver = true
          Output(isJSON: false).say(
            Sentence(
              "The service has forgotten the state, and sends everything again. What is not there"
                + " any longer is not told."))
        }
        try list.add(page.changes.map(Self.json))
        token = page.token ?? token
      }
      try list.finish([("startsOver", .bool(startsOver))])
      do throws(CommandError) {
        if let token { try keep(token, for: session.account) }
      } catch {
        try? session.checkSaved()
        throw error
      }
      try session.checkSaved()
    }

    /// A change as Graph writes it.
    private static func json(_ change: GraphChange<JSON>) -> JSON {
      switch change {
      case .changed(let item): item
      case .removed(let id, let reason):
        Output.object([
          ("id", .string(id)),
          ("@removed", Output.object([("reason", reason.map { .string($0) } ?? .null)])),
        ])
      }
    }

    // MARK: State

    /// The token of the last time; nil the first time.
    private func kept(for account: Account?) throws(CommandError) -> GraphDeltaToken? {
      guard access(state, F_OK) == 0 else { return nil }
      let json = try? JSON(parsing: try Input.read(state, of: "--state"))
      guard let link = json?["deltaLink"]?.string else {
        throw CommandError(
          option: "--state",
          Sentence("The file '{path}' contains no state of a delta query.", ["path": state]))
      }
      // The changes of one collection are not those of another.
      guard json?["path"]?.string == path, json?["account"]?.string == account?.id ?? "" else {
        throw CommandError(
          option: "--state",
          Sentence("The file '{path}' is that of another path or account.", ["path": state]),
          nextStep: Sentence("Use a file for each path and account."))
      }
      return GraphDeltaToken(rawValue: link)
    }

    private func keep(_ token: GraphDeltaToken, for account: Account?) throws(CommandError) {
      let json = Output.object([
        ("path", .string(path)), ("account", .string(account?.id ?? "")),
        ("deltaLink", .string(token.rawValue)),
      ])
      do throws(StorageFailure) {
        _ = try PrivateFile(path: state).write(
          Array((json.prettyText + "\n").utf8), replacing: true)
      } catch {
        throw Output.reported(.fileNotWritten(state, error, force: true))
      }
    }
  }
}
