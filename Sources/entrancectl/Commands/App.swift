import ArgumentParser
import AuthCore
import Clients
import Connections
import Localization
import Sentences

/// The apps that people sign in with.
struct App: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "app",
    abstract: tr("List, add, check, and remove the apps to sign in with."),
    subcommands: [List.self, Create.self, Add.self, Check.self, Remove.self],
    defaultSubcommand: List.self)
}

extension App {
  /// Says that the app called `name` was added, how to sign in to it, and which app other commands
  /// use if that is another one.
  static func sayAdded(_ name: String) throws(CommandError) {
    Output.say(Sentence("Added “{name}”.", ["name": name]))
    let usual = try CommandContext.all().first?.name
    Output.say(
      Sentence("Sign in: '{command}'.", ["command": try SuggestedSignIn.to(name).text]))
    if let usual, usual != name {
      Output.say(Sentence("Without --app, commands use “{name}”.", ["name": usual]))
    }
  }
}

extension App {
  struct List: PlainCommand {
    static let configuration = CommandConfiguration(
      commandName: "list",
      abstract: tr("List the apps."),
      discussion: paragraphs(
        Sentence("Other commands use the first one, unless --app names another."),
        Sentence(
          "With --json, it is a file that 'entrancectl app add' and the window can read, also on"
            + " another computer.")))

    @OptionGroup var outputOptions: OutputOptions

    func perform() async throws(CommandError) {
      let apps = try CommandContext.all()
      if apps.isEmpty { Output.say(Sentence("There is no app to sign in with.")) }
      let lines = Line.table(
        apps.map { [$0.name, $0.application.clientID, "\($0.application.authority)"] })
      let files = ConnectionFiles.standard
      let own = try? ConnectionFile.document(files.own)
      let system = files.system.compactMap { try? ConnectionFile.document($0) }
      let entries = apps.map { app in
        let draft = own?.draft(of: app.name)
        return app.json(
          draft ?? system.lazy.compactMap { $0.draft(of: app.name) }.first, isOwn: draft != nil)
      }
      try output.print(lines, ["apps": .array(entries)])
    }
  }

  struct Check: PlainCommand {
    static let configuration = CommandConfiguration(
      commandName: "check",
      abstract: tr("Ask the sign-in service whether it knows an app."),
      discussion: tr("No sign-in takes place."))

    @OptionGroup var outputOptions: OutputOptions

    @Argument(
      help: ArgumentHelp(tr("The app; the default is the first one."), valueName: tr("name")),
      completion: .appName)
    var name: String?

    func perform() async throws(CommandError) {
      let app = try CommandContext.find(name, of: nil)
      let check = try await reporting(for: .to(app.name)) { () async throws(AuthenticationError) in
        try await Client(app).application.checkRegistration()
      }
      try output.print(
        [Line(check.sentence)],
        ["name": JSON(app.name), "isConfirmed": .bool(check.isConfirmed)])
    }
  }

  struct Remove: PlainCommand {
    static let configuration = CommandConfiguration(
      commandName: "remove",
      abstract: tr("Remove an app."),
      discussion: tr("The accounts of the app stay signed in: sign them out first to end that."))

    @OptionGroup var outputOptions: OutputOptions

    @Argument(
      help: ArgumentHelp(tr("The app."), valueName: tr("name")), completion: .appName)
    var name: String

    func perform() async throws(CommandError) {
      let app = try CommandContext.find(name, of: nil)
      let path = EntranceIdentity.connectionsPath
      var draft: ConnectionDraft?
      let removed: ConnectionDocument.Removed?
      do throws(ConnectionFileError) {
        removed = try ConnectionFile.change(path) { (document) throws(ConnectionFileError) in
          draft = document.draft(of: name)
          return try document.remove(name)
        }
      } catch {
        throw CommandError(error, path: path)
      }
      guard removed != nil else {
        throw CommandError(
          "readOnlyApp",
          Sentence(
            "The app “{name}” was set up by your administrator for everyone of this computer.",
            ["name": name]))
      }
      Output.say(Sentence("Removed “{name}”.", ["name": name]))
      if outputOptions.json { try output.print(document: app.json(draft, isOwn: true)) }
    }
  }
}

extension Connection {
  /// The app, for programs: an entry of `apps.json`, and whether the user can change it.
  ///
  /// - Parameters:
  ///   - draft: what the file says of it.
  ///   - isOwn: whether it is in the user's own file.
  func json(_ draft: ConnectionDraft?, isOwn: Bool) -> JSON {
    let always: [JSON.Member] = [
      JSON.Member("name", JSON(name)), JSON.Member("clientID", JSON(application.clientID)),
      JSON.Member("authority", .string("\(application.authority)")),
      JSON.Member("redirectURI", .string("\(application.redirectURI)")),
      JSON.Member("scopes", JSON(scopes)),
    ]
    let names = Set(always.map(\.name))
    let others = (draft?.json.object ?? []).filter { !names.contains($0.name) }
    return .object(always + others + [JSON.Member("isReadOnly", .bool(!isOwn))])
  }
}
