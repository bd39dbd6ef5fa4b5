import ArgumentParser
import AuthCore
import FoundationEssentials
import Glibc
import HTTPTypes
import Localization
import MicrosoftGraph
import Sentences

extension Graph {
  struct Delta: SessionCommand {
    static let configuration = CommandConfiguration(
      commandName: "delta",
      abstract: tr("Print what has changed in a collection since the last time."),
      discussion: paragraphs(
        Sentence(
          "The first time, everything is printed. The delta link, from which the service goes on,"
            + " is kept in the file of --state, which only you can read, and the next time the"
            + " changes since then are printed."),
        Sentence(
          "Deleted items have the member @removed. If the delta link has expired, the service sends"
            + " everything again, and a message says so.")))

    @OptionGroup var options: SessionOptions
    @Option(
      help: ArgumentHelp(tr("Save the delta link in this file."), valueName: tr("file")),
      completion: .file())
    var state: String
    @Argument(
      help: ArgumentHelp(
        tr("The path of the delta query, such as /users/delta."), valueName: tr("path")),
      completion: .graphPath)
    var path: String

    func validate() throws {
      try ValidationError.refuseEmpty(state, of: "--state")
      try ValidationError.refuseUnusable(path)
    }

    func perform() async throws(CommandError) {
      // The changes are printed before it is written, and once only.
      try Output.checkPlace(state, force: true)
      let session = try await GraphSession(options)
      try await session.keeping { () async throws(CommandError) in
        try await printChanges(session)
      }
    }

    private func printChanges(_ session: GraphSession) async throws(CommandError) {
      let request = GraphRequest(.get, GraphPath(path))
      var token = try kept(for: session.account)
      var delta = session.client.delta(request, since: token).makeAsyncIterator()
      var list = ItemList(output)
      var startsOver = false
      while true {
        let next: GraphChanges<JSON>?
        do throws(CommandError) {
          next = try await session.translating(sending: request) { () async throws(GraphError) in
            try await delta.next()
          }
        } catch {
          list.abandon()
          throw error
        }
        guard let page = next else { break }
        if page.startsOver {
          startsOver = true
          Output.say(
            Sentence(
              "The delta link has expired, so the service sends everything again. Deleted items are"
                + " not listed."))
        }
        try list.add(page.changes.map(Self.json))
        token = page.token ?? token
      }
      try list.finish([JSON.Member("startsOver", .bool(startsOver))])
      if let token { try keep(token, for: session.account) }
    }

    /// A change as Graph writes it.
    private static func json(_ change: GraphChange<JSON>) -> JSON {
      switch change {
      case .changed(let item): item
      case .removed(let id, let reason):
        ["id": JSON(id), "@removed": ["reason": JSON(reason)]]
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
          Sentence("The file “{path}” contains no delta link.", ["path": state]))
      }
      // The changes of one collection are not those of another.
      guard json?["path"]?.string == path, json?["account"]?.string == account?.id ?? "" else {
        throw CommandError(
          option: "--state",
          Sentence(
            "The delta link in the file “{path}” is that of another path or account.",
            ["path": state]),
          nextStep: Sentence("Use a file for each path and account."))
      }
      return GraphDeltaToken(rawValue: link)
    }

    private func keep(_ token: GraphDeltaToken, for account: Account?) throws(CommandError) {
      let json: JSON = [
        "path": JSON(path), "account": JSON(account?.id ?? ""), "deltaLink": JSON(token.rawValue),
      ]
      do throws(CommandError) {
        try Output.write(Array((json.prettyText + "\n").utf8), to: state, force: true)
      } catch {
        throw Output.reported(error)
      }
    }
  }
}
