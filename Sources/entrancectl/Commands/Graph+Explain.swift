import ArgumentParser
import AuthCore
import Connections
import HTTPTypes
import Localization
import MicrosoftGraph
import Sentences

extension Graph {
  /// Tells which permissions a request needs, without a network.
  struct Explain: ClientCommand {
    static let configuration = CommandConfiguration(
      commandName: "explain",
      abstract: tr("Show which permissions a request to Microsoft Graph needs."),
      discussion: paragraphs(
        Sentence(
          "The answer comes from Microsoft’s table of permissions, which is part of this program:"
            + " nothing is sent. If an account is signed in, its stored tokens are checked, too."),
        Sentence("The placeholders of Microsoft’s documentation can stay in the path."),
        Sentence(
          "For an .http file, the least privileged permissions for all its requests together are"
            + " shown.")))

    @OptionGroup var common: CommonOptions
    @OptionGroup var choice: AccountOptions
    @Argument(
      help: ArgumentHelp(
        tr("GET, POST, PUT, PATCH, or DELETE; or an .http file."), valueName: tr("method")),
      completion: .methodOrFile)
    var method: String

    @Argument(
      help: ArgumentHelp(tr("What to request: a path or a complete URL."), valueName: tr("path")),
      completion: .graphPath)
    var path: String?

    func validate() throws {
      guard path != nil else {
        guard method.contains(where: { "./".contains($0) }) else {
          throw ValidationError(Sentence("Specify a method and a path, or an .http file."))
        }
        return
      }
      guard GraphMethod.named(method) != nil else {
        throw ValidationError(GraphMethod.refusal(method))
      }
    }

    func perform() async throws(CommandError) {
      guard let path, let method = GraphMethod.named(method) else {
        return try await explainFile(method)
      }
      try await explain(method, path)
    }

    private func explain(
      _ method: HTTPRequest.Method, _ path: String
    ) async throws(CommandError) {
      let caller = try await Caller(common, choice)
      let graphPath = GraphPath(url: path)
      let kind = caller.kind
      guard let permissions = GraphPermissions.least(for: method, graphPath, account: kind) else {
        throw Self.unknown(GraphPermissions.accountKinds(for: method, graphPath))
      }
      let answer = caller.answer(permissions.missing(from: caller.scopes))
      let members = [
        JSON.Member("method", JSON(method.rawValue)), JSON.Member("path", JSON(path)),
        JSON.Member("accountKind", JSON(kind.rawValue)),
        JSON.Member("least", .array(permissions.least.map(\.json))),
        JSON.Member("higher", .array(permissions.higher.map(\.json))),
      ]
      try output.print(permissions.lines + answer.lines, .object(members + answer.members))
    }

    /// The error of a request that the table does not have for this account.
    static func unknown(_ kinds: [GraphPermissions.AccountKind]) -> CommandError {
      guard !kinds.isEmpty else {
        return CommandError(
          "unknownRequest",
          Sentence(
            "Microsoft’s table of {date} does not have this request.",
            ["date": GraphPermissions.date]),
          nextStep: Sentence(
            "Check the method and the path, or look for it in the Microsoft Graph reference."))
      }
      return CommandError("unsupportedAccount", GraphPermissions.refusal(of: kinds))
    }
  }

  /// The account that would make a request, and what its stored tokens are good for.
  struct Caller {
    /// Nil when no one is signed in.
    var account: Account?
    /// Whether it is known who is signed in.
    var isKnown = true
    var scopes: [String] = []
    /// The host of the API; empty when it is not known.
    private(set) var host = ""
    private let connection: String?

    init(_ options: CommonOptions, _ choice: AccountOptions) async throws(CommandError) {
      connection = options.connection
      var opened: CommandContext?
      do throws(CommandError) {
        let context = try CommandContext(options)
        opened = context
        host = try await GraphSession.api(of: context).host
        account = try await context.account(choice.account)
      } catch {
        // Nobody has to be signed in to ask, unless someone is named.
        let isNamed = options.connection != nil || choice.account != nil
        switch error.code {
        case "noApp" where !isNamed: break
        case "accountNotFound" where choice.account == nil:
          isKnown = await opened?.keyringAbsence == nil
        case "storageUnavailable" where !isNamed:
          isKnown = false
          Output.warn(error.message)
        default: throw error
        }
        return
      }
      guard let context = opened else { return }
      let clientID = context.connection.application.clientID.lowercased()
      scopes = try await context.contents().accounts
        .filter { $0.homeAccountID == account?.id }
        .flatMap(\.apps).filter { $0.clientID.lowercased() == clientID }
        .flatMap(\.accessTokens).flatMap(\.scopes)
    }

    var kind: GraphPermissions.AccountKind { account?.isPersonal == true ? .personal : .work }

    /// What is said about the account: for people, and for programs.
    ///
    /// - Parameter permissions: those that the tokens do not have, if someone is signed in.
    func answer(_ permissions: [String]) -> (lines: [Line], members: [JSON.Member]) {
      let missing = account == nil ? nil : permissions
      let command = missing.flatMap { $0.isEmpty ? nil : self.command($0) }
      let members = [
        JSON.Member("account", account?.json ?? .null),
        JSON.Member("missing", JSON(missing)),
        JSON.Member("command", JSON(command)),
        JSON.Member("tableDate", JSON(GraphPermissions.date)),
      ]
      return (lines(missing, command), members)
    }

    private func lines(_ missing: [String]?, _ command: String?) -> [Line] {
      var lines: [Line] = []
      if let account, let missing {
        let name = account.username
        lines.append(
          Line(
            missing.isEmpty
              ? Sentence("{account} has what is needed.", ["account": name])
              : Sentence(
                "{account} does not have: {permissions}",
                ["account": name, "permissions": missing.joined(separator: ", ")])))
      } else if isKnown {
        lines.append(Line(Sentence("No account is signed in.")))
      }
      if let command {
        lines.append(Line(Sentence("To get it, run '{command}'.", ["command": command])))
      }
      return lines
    }

    /// The command that asks for `permissions`.
    private func command(_ permissions: [String]) -> String {
      let cloud = account.map { GraphCloud(of: $0) } ?? .global
      return SuggestedSignIn(app: connection, scopes: permissions.map(cloud.scope)).text
    }
  }
}

extension GraphPermissions {
  /// What the table says, for people.
  fileprivate var lines: [Line] {
    func list(_ grants: [Grant]) -> String { grants.map(\.permission).joined(separator: ", ") }
    var lines = [
      Line(
        least.count == 1
          ? Sentence("Least privileged permission: {permission}", ["permission": list(least)])
          : Sentence("One of these permissions: {permissions}", ["permissions": list(least)]))
    ]
    for grant in least where !grant.alsoRequires.isEmpty {
      let others = grant.alsoRequires.joined(separator: ", ")
      lines.append(
        Line(
          grant.alsoRequires.count == 1
            ? Sentence(
              "{permission} also requires {other}",
              ["permission": grant.permission, "other": others])
            : Sentence(
              "{permission} also requires one of: {others}",
              ["permission": grant.permission, "others": others])))
    }
    if !higher.isEmpty {
      lines.append(
        Line(Sentence("Any of these also works: {permissions}", ["permissions": list(higher)])))
    }
    return lines
  }
}

extension GraphPermissions.Grant {
  /// The permission, for programs.
  var json: JSON {
    ["permission": JSON(permission), "alsoRequires": JSON(alsoRequires)]
  }
}
