import ArgumentParser
import AuthCore
import Connections
import FoundationEssentials
import Localization
import Sentences

extension App {
  struct Add: PlainCommand {
    static let configuration = CommandConfiguration(
      commandName: "add",
      abstract: tr("Add an app."),
      discussion: paragraphs(
        Sentence(
          "The file is an entry of apps.json, a configuration of another program, what 'az ad app"
            + " show' prints, or a text copied from the Microsoft Entra admin center; '-' is standard"
            + " input. Options take the place of what it says."),
        Sentence(
          "An administrator’s apps for everyone of the computer are in"
            + " /etc/xdg/entrance/apps.json.")))

    @OptionGroup var outputOptions: OutputOptions

    @Option(help: ArgumentHelp(tr("The application (client) ID."), valueName: tr("ID")))
    var clientID: String?

    @Option(help: ArgumentHelp(tr("The name of the app."), valueName: tr("name")))
    var name: String?

    @Option(
      help: ArgumentHelp(
        tr(
          "Who signs people in: a URL, or an organization’s domain or ID; the default is everyone"
            + " with a Microsoft account."), valueName: tr("authority")))
    var authority: String?

    @Option(
      help: ArgumentHelp(
        tr(
          "The kind of the service: entra, externalID, b2c, adfs, or oidc for another OpenID Connect"
            + " provider; the default follows from the authority."), valueName: tr("kind")),
      completion: .list(Authority.Kind.allCases.map(\.rawValue)))
    var kind: ServiceKind?

    @Option(
      name: .customLong("scope"), parsing: .singleValue,
      help: ArgumentHelp(
        tr("Request this permission. Can be repeated."), valueName: tr("scope")))
    var scopes: [String] = []

    @Option(
      help: ArgumentHelp(
        tr("The address of the API, where its tokens are not for Microsoft Graph."),
        valueName: tr("URL")))
    var api: String?

    @Option(
      help: ArgumentHelp(
        tr("Trust the certificate authorities in this PEM file in place of the system’s."),
        valueName: tr("file")),
      completion: .file())
    var caFile: String?

    @Argument(
      help: ArgumentHelp(tr("A file that describes the app."), valueName: tr("file")),
      completion: .file())
    var file: String?

    func validate() throws {
      try ValidationError.refuseEmpty(name, of: "--name")
      try ValidationError.refuseEmpty(clientID, of: "--client-id")
      try ValidationError.refuseEmpty(authority, of: "--authority")
      for scope in scopes { try ValidationError.refuseEmpty(scope, of: "--scope") }
      try ValidationError.refuseEmpty(api, of: "--api")
      try ValidationError.refuseEmpty(caFile, of: "--ca-file")
      guard clientID != nil || file != nil else {
        throw ValidationError(Sentence("Specify --client-id, or a file that describes the app."))
      }
    }

    func perform() async throws(CommandError) {
      let described = try draft()
      let files = ConnectionFiles.standard
      let added: Connection?
      // Until then, an error is one of what was in the file before.
      var isRead = false
      do throws(ConnectionFileError) {
        added = try ConnectionFile.change(files.own) { (document) throws(ConnectionFileError) in
          isRead = true
          var draft = described
          if name == nil {
            draft.name = document.freeName(
              like: draft.name.isEmpty ? tr("My App") : draft.name, besides: files.systemNames)
          }
          try document.add(draft)
          try files.check(newName: draft.name)
          return document.connections.last
        }
      } catch {
        guard isRead, let field = error.fieldName else {
          throw CommandError(error, path: files.own)
        }
        throw refusal(error)
          ?? CommandError(
            usage: Sentence("{option}: {reason}.", ["option": field, "reason": error.reason]))
      }
      guard let added else { return }
      try App.sayAdded(added.name)
      if outputOptions.json { try output.print(document: added.json(described, isOwn: true)) }
    }

    /// What the file and the options say.
    private func draft() throws(CommandError) -> ConnectionDraft {
      var draft = ConnectionDraft()
      if let file {
        draft = try self.draft(in: file)
        // Also when the app is refused then: the cause may be what is left out.
        for remark in draft.remarks where !isChosen(remark.field) {
          let isAuthority = remark.field == ConnectionFields.shared.authority.name
          let options = isAuthority ? [Sentence("Name it with '--authority'.")] : []
          Output.warn(Sentence([remark.sentence] + options).plain)
        }
      }
      if let clientID { draft.clientID = clientID }
      if let name { draft.name = name }
      if !scopes.isEmpty { draft.scopes = scopes }
      if let api { draft.api = api }
      if let caFile {
        let isAbsolute = caFile.hasPrefix("/")
        let folder = FileManager.default.currentDirectoryPath
        draft.caFile = isAbsolute ? caFile : "\(folder)/\(caFile)"
      }
      if let kind { draft.authorityKind = kind.kind }
      if let authority {
        draft.authority = try Self.address(of: authority, kind: draft.authorityKind)
        draft.knownAuthorities = []
      }
      // Whoever enters the address of a service, or what kind it is, knows it.
      if authority != nil || kind != nil { draft = draft.trustingAuthority }
      do throws(ConnectionFileError) {
        var complete = draft
        if complete.name.isEmpty { complete.name = EntranceIdentity.name }
        _ = try complete.connection()
      } catch {
        var failure = refusal(error) ?? Self.fault(in: file ?? "-", error)
        var steps: [Sentence] = []
        // Samples have a text there that says what to enter.
        if error.fieldName == ConnectionFields.shared.clientID.name, file != nil, clientID == nil {
          steps.append(
            Sentence(
              "Replace “{text}” with the client ID of your app in the file, or add '--client-id ID'.",
              ["text": draft.clientID.shown(upTo: 200)]))
        }
        if Self.canBeOfAnotherKind(draft, error) {
          steps.append(
            Sentence(
              "If the app is registered with another service than Microsoft’s, name its kind: '--kind"
                + " oidc' or '--kind adfs'."))
        }
        failure.nextStep = steps.isEmpty ? failure.nextStep : Sentence(steps)
        throw failure
      }
      return draft
    }

    /// Whether an option takes the place of what a remark is about.
    private func isChosen(_ field: String?) -> Bool {
      switch field {
      case ConnectionFields.shared.api.name: api != nil
      case ConnectionFields.shared.authority.name: authority != nil
      case ConnectionFields.shared.scopes.name: !scopes.isEmpty
      default: false
      }
    }

    /// Whether a client ID or an address does not fit because the service is not Microsoft's.
    private static func canBeOfAnotherKind(
      _ draft: ConnectionDraft, _ error: ConnectionFileError
    ) -> Bool {
      guard draft.authorityKind == nil else { return false }
      switch error.fieldName {
      case ConnectionFields.shared.clientID.name: return true
      case ConnectionFields.shared.authority.name:
        let authority = try? Authority(draft.authority, kind: .oidc)
        return authority.map { !Authority.isServiceHost($0.environment) } ?? false
      default: return false
      }
    }

    /// The address that `--authority` means: of an organization of Microsoft Entra ID, or of another
    /// service.
    private static func address(
      of text: String, kind: Authority.Kind?
    ) throws(CommandError) -> String {
      let isAddress =
        text.contains { ":/".contains($0) } || text.lowercased() == "localhost"
        || Authority.isServiceHost(text)
      guard kind == nil || kind == .entra, !isAddress else { return text.withScheme }
      let url = "https://login.microsoftonline.com/\(text)"
      let isTenant =
        GUID.isValid(text) || text.contains(".")
        || ["common", "organizations", "consumers"].contains(text.lowercased())
      guard isTenant, (try? Authority(url)) != nil else {
        throw CommandError(
          option: "--authority",
          Sentence(
            "“{text}” is not the domain or ID of an organization, nor 'common', 'organizations' or"
              + " 'consumers'. For another service, enter its URL.", ["text": text]))
      }
      return url
    }

    /// What a file says of its app, or of the one of several that `--client-id` chooses.
    private func draft(in file: String) throws(CommandError) -> ConnectionDraft {
      let text = String(
        decoding: try Input.text(
          file, asking: Sentence("Paste what describes the app, then press Ctrl+D.")),
        as: UTF8.self)
      let found: [ConnectionDraft]
      do throws(ConnectionFileError) {
        found = try ConnectionImport.drafts(from: text)
      } catch {
        var failure = Self.fault(in: file, error)
        if error.reason == ConnectionImport.unknownIDs {
          failure.nextStep = Sentence(
            "Instead of the file, use '--client-id ID --authority ORGANIZATION'.")
        }
        throw failure
      }
      let isOne = Set(found.map { $0.clientID.lowercased() }).count == 1
      let chosen = clientID?.lowercased()
      if let draft = found.first(where: { isOne || $0.clientID.lowercased() == chosen }) {
        return draft
      }
      let names = found.map {
        $0.name.isEmpty ? $0.clientID : "\($0.name) (\($0.clientID))"
      }
      throw CommandError(
        usage: Sentence(
          "The file describes several apps: {names}.", ["names": names.joined(separator: ", ")]),
        nextStep: Sentence("Choose one of them with '--client-id ID'."))
    }

    /// An error in the file that describes the app.
    private static func fault(in file: String, _ error: ConnectionFileError) -> CommandError {
      CommandError(
        usage: Sentence(
          "There is an error in {path}: {error}.",
          ["path": Input.name(of: file), "error": error.sentence]))
    }

    /// The error of an option whose value does not fit, or that is missing; nil when it is about
    /// something else, such as what the file says.
    private func refusal(_ error: ConnectionFileError) -> CommandError? {
      guard let option = options[error.fieldName ?? ""], option.isGiven || file == nil else {
        return nil
      }
      var failure = CommandError(
        usage: Sentence("{option}: {reason}.", ["option": option.name, "reason": error.reason]))
      if let name, error.fieldName == ConnectionFields.shared.name.name {
        failure.nextStep = Self.freeing(name)
      }
      return failure
    }

    /// How to get the name of another app; nil when there is no app with it.
    private static func freeing(_ name: String) -> Sentence? {
      let files = ConnectionFiles.standard
      if let own = try? ConnectionFile.document(files.own), own.draft(of: name) != nil {
        let argument = name.hasPrefix("-") ? "-- \(name.asArgument)" : name.asArgument
        return Sentence(
          "Remove it first: '{command}', or choose another name.",
          ["command": "entrancectl app remove \(argument)"])
      }
      return files.systemNames.contains(name) ? Sentence("Choose another name.") : nil
    }

    /// The options by the fields that they set, and whether they were given.
    private var options: [String: (name: String, isGiven: Bool)] {
      [
        "clientID": (name: "--client-id", isGiven: clientID != nil),
        "name": (name: "--name", isGiven: name != nil),
        "authority": (name: "--authority", isGiven: authority != nil),
        "authorityKind": (name: "--kind", isGiven: kind != nil),
        "scopes": (name: "--scope", isGiven: !scopes.isEmpty),
        "api": (name: "--api", isGiven: api != nil),
        "caFile": (name: "--ca-file", isGiven: caFile != nil),
      ]
    }
  }
}

/// The kind of a sign-in service, as an option's value.
struct ServiceKind: ExpressibleByArgument {
  /// The kind.
  let kind: Authority.Kind

  /// Reads its name in `apps.json`.
  init?(argument: String) {
    guard let kind = Authority.Kind(rawValue: argument) else { return nil }
    self.kind = kind
  }
}
