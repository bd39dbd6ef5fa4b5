import ArgumentParser
import AuthCore
import Clients
import Connections
import Localization
import Sentences

/// The apps that people sign in with.
struct App: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: tr("List, add, check and remove the apps to sign in with."),
    subcommands: [List.self, Add.self, Check.self, Remove.self], defaultSubcommand: List.self)
}

extension App {
  struct List: EntranceCommand {
    static let configuration = CommandConfiguration(
      abstract: tr("List the apps."),
      discussion: tr("Other commands use the first one, unless --app names another."))

    @OptionGroup var outputOptions: OutputOptions

    var output: Output { Output(isJSON: outputOptions.json) }

    func perform() async throws(CommandError) {
      let apps = try CommandContext.all()
      if apps.isEmpty { output.say(Sentence("There is no app to sign in with.")) }
      let width = apps.map(\.name.plain.count).max() ?? 0
      let lines = apps.map { app in
        let padding = String(repeating: " ", count: width - app.name.plain.count)
        let (id, authority) = (app.application.clientID, app.application.authority)
        let text = "\(app.name)\(padding)  \(id)  \(authority)"
        return Line(Sentence(verbatim: text))
      }
      let own = Set(((try? ConnectionFile.load(ConnectionFiles.standard.own)) ?? []).map(\.name))
      try output.print(
        lines,
        [
          ("apps", .array(apps.map { Output.object($0.members(isOwn: own.contains($0.name))) }))
        ])
    }
  }

  struct Check: EntranceCommand {
    static let configuration = CommandConfiguration(
      abstract: tr("Ask the sign-in service whether it knows an app."),
      discussion: tr("Nobody signs in."))

    @OptionGroup var outputOptions: OutputOptions

    @Argument(
      help: ArgumentHelp(tr("The app; the default is the first one."), valueName: tr("name")))
    var name: String?

    var output: Output { Output(isJSON: outputOptions.json) }

    func perform() async throws(CommandError) {
      let app = try App.find(name)
      let check: RegistrationCheck
      do throws(AuthenticationError) {
        check = try await Client(app).application.checkRegistration()
      } catch {
        throw CommandError(error)
      }
      try output.print(
        [Line(check.sentence)],
        [("name", .string(app.name)), ("isConfirmed", .bool(check.isConfirmed))])
    }
  }

  struct Remove: EntranceCommand {
    static let configuration = CommandConfiguration(
      abstract: tr("Remove an app."),
      discussion: tr("Its accounts stay signed in: to end that, sign them out before."))

    @OptionGroup var outputOptions: OutputOptions

    @Argument(help: ArgumentHelp(tr("The app."), valueName: tr("name")))
    var name: String

    var output: Output { Output(isJSON: outputOptions.json) }

    func perform() async throws(CommandError) {
      let app = try App.find(name)
      let path = EntranceIdentity.connectionsPath
      let removed: ConnectionDocument.Removed?
      do throws(ConnectionFileError) {
        removed = try ConnectionFile.change(path) { (document) throws(ConnectionFileError) in
          try document.remove(name)
        }
      } catch {
        throw CommandError(error, path: path)
      }
      guard removed != nil else {
        throw CommandError(
          "readOnlyApp",
          Sentence(
            "The app '{name}' was set up by your administrator for everyone of this computer.",
            ["name": name]))
      }
      output.say(Sentence("Removed '{name}'.", ["name": name]))
      if outputOptions.json { try output.print([], app.members(isOwn: true)) }
    }
  }

  /// The app called `name`, or the first one.
  static func find(_ name: String?) throws(CommandError) -> Connection {
    do throws(CommandError) {
      return try CommandContext.find(name)
    } catch {
      guard error.code == "usage" else { throw error }
      var error = error
      error.message = Sentence("There is no app called '{name}'.", ["name": name ?? ""])
      throw error
    }
  }
}

extension Connection {
  /// The app, for programs.
  ///
  /// - Parameter isOwn: whether it is in the user's own file.
  func members(isOwn: Bool) -> [(name: String, value: JSON)] {
    [
      ("name", .string(name)), ("clientID", .string(application.clientID)),
      ("authority", .string("\(application.authority)")),
      ("redirectURI", .string("\(application.redirectURI)")),
      ("scopes", .array(scopes.map { .string($0) })), ("isReadOnly", .bool(!isOwn)),
    ]
  }
}
