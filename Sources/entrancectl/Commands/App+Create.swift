import ArgumentParser
import AuthCore
import Connections
import EntranceKit
import Localization
import MicrosoftGraph
import Sentences

extension App {
  struct Create: ClientCommand {
    static let configuration = CommandConfiguration(
      commandName: "create",
      abstract: tr(
        "Register an app in Microsoft Entra ID, or print the command that does."),
      discussion: paragraphs(
        Sentence(
          "The command is one line for Azure CLI, in which you have signed in with 'az login'. To"
            + " register an app and add it at once: 'entrancectl app create | sh | entrancectl app"
            + " add -'."),
        Sentence(
          "With --json, it is what to send to Microsoft Graph: the body of POST /applications, with"
            + " the permission Application.ReadWrite.All."),
        Sentence(
          "With --account, that is sent, and the app is added. First, grant the permission:"
            + " 'entrancectl sign-in --scope Application.ReadWrite.All'. It is used for nothing else,"
            + " and can be removed at myapps.microsoft.com, or by an administrator."),
        Sentence(
          "Each of these takes a work or school account that may register apps. A personal account"
            + " alone cannot.")))

    @OptionGroup var common: CommonOptions

    @Option(
      help: ArgumentHelp(
        tr(
          "Register the app for this account, by its user name or ID, which is signed in to another"
            + " app of its organization."), valueName: tr("name")))
    var account: String?

    @OptionGroup var input: InputOptions

    func validate() throws {
      try ValidationError.refuseEmpty(account, of: "--account")
      guard account == nil else { return }
      for (name, isThere) in [
        ("--app", common.connection != nil), ("--passphrase-file", common.passphraseFile != nil),
        ("--no-input", input.noInput),
      ] where isThere {
        throw ValidationError(
          Sentence("{option} needs {other}.", ["option": name, "other": "--account"]))
      }
    }

    func perform() async throws(CommandError) {
      guard let account else {
        return try output.print(
          [Line(Sentence(verbatim: AppRegistration.azureCLI))], AppRegistration.resource)
      }
      let path = EntranceIdentity.connectionsPath
      // What cannot be written down is not created.
      guard ConnectionFile.isEditable(path) else {
        throw CommandError("readOnlyApps", Sentence("{path} cannot be changed.", ["path": path]))
      }
      let context = try CommandContext(common, asksPerson: !input.noInput)
      let choice = ScopeChoice(
        [], of: "--scope", or: [AppRegistrationRequest.scope(at: context.connection)])
      let known = try await context.account(account, for: choice)
      if let obstacle = AppRegistrationRequest.obstacle(
        to: known, of: context.application, at: context.connection)
      {
        throw CommandError("accountCannotRegister", obstacle)
      }
      let session = try await GraphSession(context, account, choice)
      try await session.keeping { () async throws(CommandError) in
        let clientID: String
        do throws(AppRegistrationRequest.Failure) {
          clientID = try await AppRegistrationRequest.create(with: session.client)
        } catch {
          throw Self.refusal(error, signIn: context.signIn(with: choice))
        }
        let draft = AppRegistrationRequest.draft(
          clientID, of: known, like: context.connection, session.client)
        let added = try Self.add(draft, to: path)
        try App.sayAdded(added.name)
        try output.print([Line(Sentence(verbatim: clientID))], added.json(draft, isOwn: true))
      }
    }

    private static func add(
      _ draft: ConnectionDraft, to path: String
    ) throws(CommandError) -> Connection {
      do throws(ConnectionFileError) {
        return try ConnectionFile.change(path) { (document) throws(ConnectionFileError) in
          var draft = draft
          draft.name = document.freeName(
            like: draft.name, besides: ConnectionFiles.standard.systemNames)
          try document.add(draft)
          return try draft.connection()
        }
      } catch {
        var failure = CommandError(error, path: path)
        failure.message = Sentence([
          Sentence("The app with the client ID {id} was created.", ["id": draft.clientID]),
          failure.message,
        ])
        var command = AdvisedCommand(
          name: "app add",
          options: [
            (name: "--client-id", value: draft.clientID),
            (name: "--authority", value: draft.authority),
          ])
        for (name, value) in [("--api", draft.api), ("--ca-file", draft.caFile)]
        where !value.isEmpty {
          command.options.append((name: name, value: value))
        }
        failure.nextStep = Sentence("Add it: '{command}'.", ["command": command.text])
        failure.add("clientID", draft.clientID)
        throw failure
      }
    }

    private static func refusal(
      _ failure: AppRegistrationRequest.Failure, signIn: SuggestedSignIn
    ) -> CommandError {
      // What the sign-in service said is known better there.
      if let cause = failure.error.cause as? CommandError { return cause }
      var error = CommandError(failure.error, signIn: signIn)
      error.message = failure.sentence
      if failure.mayExist {
        // The same command could create another one.
        error.code = "appMayExist"
        error.exitStatus = .failure
        error.nextStep = nil
      } else if failure.isForbidden {
        error.nextStep = Sentence(
          "Ask an administrator to register the app: 'man entrancectl' has the steps.")
      }
      return error
    }
  }
}
