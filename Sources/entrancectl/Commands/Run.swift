import ArgumentParser
import AuthCore
import Connections
import CurlHTTP
import FoundationEssentials
import Glibc
import Localization
import MicrosoftGraph
import Sentences

/// Runs a program, and serves it tokens.
struct Run: ClientCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: tr("Run a program with tokens of the account."),
    discussion: paragraphs(
      Sentence(
        "The program finds a managed identity, as on Azure App Service. Azure’s libraries use it by"
          + " themselves, and get tokens of the account while the program runs. Other programs get"
          + " none."),
      Sentence("The exit status is that of the program.")))

  @OptionGroup var common: CommonOptions
  @OptionGroup var choice: AccountOptions
  @OptionGroup var input: InputOptions

  @Option(
    help: ArgumentHelp(
      tr(
        "Allow tokens for this scope, such as https://vault.azure.net/.default; the default is the"
          + " app’s permissions. Can be repeated."), valueName: tr("scope")))
  var allow: [String] = []

  @Option(
    help: ArgumentHelp(
      tr(
        "Put an access token for this scope into a variable of the program, 'name=scope'. Can be"
          + " repeated."), valueName: tr("variable")))
  var env: [TokenVariable] = []

  @Argument(
    parsing: .postTerminator,
    help: ArgumentHelp(tr("The program and its arguments."), valueName: tr("program")),
    completion: .programOrFile)
  var command: [String] = []

  func validate() throws {
    guard command.first?.isEmpty == false else {
      throw ValidationError(
        Sentence("Specify a program after '--': entrancectl run -- PROGRAM."))
    }
    try ValidationError.check(allow, of: "--allow")
    for variable in env {
      try ValidationError.check([variable.scope], of: "--env")
      guard !variable.isReserved else {
        throw ValidationError(
          .value(
            of: "--env",
            Sentence(
              "“{name}” is a variable that programs need for something else.",
              ["name": variable.name])))
      }
    }
  }

  func perform() async throws(CommandError) {
    let context = try CommandContext(common, asksPerson: !input.noInput)
    let account = try await context.account(choice.account)
    let access = ProgramAccess(running: command, asksPerson: !input.noInput)
    let scopes = AllowedScopes(
      allow.isEmpty ? context.connection.scopes : allow,
      defaultResource: "https://\(GraphCloud(of: account).host)")
    guard let listener = try? LoopbackListener() else {
      throw CommandError(
        "noPort", Sentence("This computer has no free port for the program’s requests."),
        exitStatus: .tryLater)
    }
    let identity = ManagedIdentity(port: listener.port, scopes: scopes) { tokenRequest in
      let choice = ScopeChoice(
        allow.isEmpty ? [] : tokenRequest.scopes, of: "--allow", or: tokenRequest.scopes)
      do throws(CommandError) {
        return .success(
          try await Self.token(choice, tokenRequest, of: account, for: access, context))
      } catch {
        return .failure(error)
      }
    }
    var variables = identity.variables
    if let path = Self.path { variables.updateValue(path, forKey: "PATH") }
    for variable in env {
      let choice = ScopeChoice([variable.scope], of: "--env")
      let token = try await Self.token(choice, of: account, for: access, context)
      variables.updateValue(token.token, forKey: variable.name)
    }
    // It ends with this program: a token request that the program has left behind is not waited for.
    Task { await listener.serve(identity) }
    defer { listener.stop() }
    let end = try await run(variables)
    guard end != .exited(0) else { return }
    // The program has reported its own error.
    throw CommandError(
      "program", Sentence(verbatim: command[0]), exitStatus: ExitStatus(end), isReported: true)
  }

  /// The search path of the program, with the directory of our `azd` at its end; nil without one.
  ///
  /// An `azd` that the person has installed comes first.
  private static var path: String? {
    let directory = "\(DataDirectories.executableDirectory)/../libexec/entrance"
    guard access("\(directory)/azd", X_OK) == 0, let variable = getenv("PATH"),
      let path = String(validating: ChildProcess.bytes(of: variable), as: UTF8.self), !path.isEmpty
    else { return nil }
    return "\(path):\(directory)"
  }

  /// A token for the program, and when it expires.
  private static func token(
    _ choice: ScopeChoice, _ tokenRequest: ProgramTokenRequest? = nil, of account: Account,
    for access: ProgramAccess, _ context: CommandContext
  ) async throws(CommandError) -> (token: String, expiresOn: Date) {
    let request = access.request(account, choice.scopes, context)
    try await access.check(request)
    let authority = try tokenRequest?.authority(of: context.connection.application.authority)
    let result = try await context.token(
      for: account, choice, claims: tokenRequest?.claims, in: authority)
    await context.reportUnsaved()
    let token = try context.token(of: result, choice)
    await access.note(request)
    return (token, result.expiresOn)
  }

  private func run(_ variables: [String: String?]) async throws(CommandError) -> ChildProcess.End {
    let sources = Signals.handle(Signals.passed) { number in Signals.passOn(number) }
    defer { withExtendedLifetime(sources) {} }
    guard !Task.isCancelled else {
      throw CommandError(
        "userCanceled",
        Sentence("The program “{name}” was not started.", ["name": command[0]]))
    }
    let words = ProcessEnvironment.words.drop { $0 != Array("--".utf8) }.dropFirst()
    do throws(ChildProcess.StartFailure) {
      return try await ChildProcess.run(
        Array(words), environment: ProcessEnvironment.inherited, variables: variables,
        ignoring: Signals.ignored
      ) { process in
        Signals.begin(process)
      } ended: {
        Signals.end()
      }
    } catch {
      // The statuses of a shell, and of env(1).
      guard error.errno == ENOENT else {
        throw CommandError(
          "program", Sentence("The program “{name}” cannot be started.", ["name": command[0]]),
          exitStatus: .program(126))
      }
      throw CommandError(
        "program", Sentence("There is no program “{name}”.", ["name": command[0]]),
        exitStatus: .program(127))
    }
  }
}

/// An environment variable that contains an access token for the program.
struct TokenVariable: ExpressibleByArgument {
  let name: String
  let scope: String

  /// Whether a token in its place would keep the program from what it needs: other programs,
  /// libraries, files, or the tokens that it is served.
  var isReserved: Bool {
    ["PATH", "HOME", "SHELL", "USER", "LOGNAME", "PWD", "TMPDIR"].contains(name)
      || ["LD_", "XDG_"].contains { name.hasPrefix($0) }
      || ManagedIdentity.variableNames.contains(name)
  }

  init?(argument: String) {
    // POSIX, Base Definitions, section 8.1.
    guard let (name, scope) = argument.assignment, !scope.isEmpty,
      let first = name.utf8.first, !first.isDigit,
      name.utf8.allSatisfy({ $0 == UInt8(ascii: "_") || $0.isAlphanumeric })
    else { return nil }
    self.name = name
    self.scope = scope
  }
}
