import ArgumentParser
import AuthCore
import Connections
import CurlHTTP
import FoundationEssentials
import Glibc
import Localization
import MicrosoftGraph
import Sentences

/// Runs a program that gets its tokens from here.
struct Run: ClientCommand {
  static let configuration = CommandConfiguration(
    abstract: tr("Run a program with tokens of the account."),
    discussion: paragraphs(
      Sentence(
        "The program finds a managed identity, as on Azure App Service. Azure's libraries use it by"
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
          + " app's permissions. Can be repeated."), valueName: tr("scope")))
  var allow: [String] = []

  @Option(
    help: ArgumentHelp(
      tr(
        "Put an access token for this scope into a variable of the program, 'name=scope'. Can be"
          + " repeated."), valueName: tr("variable")))
  var env: [TokenVariable] = []

  @Argument(
    parsing: .postTerminator,
    help: ArgumentHelp(tr("The program and its arguments."), valueName: tr("program")))
  var command: [String] = []

  func validate() throws {
    guard command.first?.isEmpty == false else {
      throw ValidationError(
        Sentence("Specify a program after '--': entrancectl run -- PROGRAM."))
    }
  }

  func perform() async throws(CommandError) {
    let context = try CommandContext(common, asksPerson: !input.noInput)
    let account = try await context.account(choice.account)
    let recipient = Recipient(running: command, asksPerson: !input.noInput)
    let scopes = AllowedScopes(
      allow.isEmpty ? context.connection.scopes : allow,
      defaultResource: "https://\(GraphCloud(of: account).host)")
    guard let listener = try? LoopbackListener() else {
      throw CommandError(
        "noPort", Sentence("This computer has no free port for the program's requests."),
        exitStatus: .tryLater)
    }
    let identity = ManagedIdentity(port: listener.port, scopes: scopes) { scopes in
      do throws(CommandError) {
        try await recipient.check(account, scopes, context)
        let result = try await context.token(
          for: account, ScopeChoice(allow.isEmpty ? [] : scopes, of: "--allow", or: scopes))
        try? context.checkSaved(result)
        let token = try Token.token(of: result)
        await recipient.note(account, scopes, context)
        return .success((token, result.expiresOn))
      } catch {
        return .failure(error)
      }
    }
    var variables = identity.variables
    for variable in env {
      try await recipient.check(account, [variable.scope], context)
      let result = try await context.token(
        for: account, ScopeChoice([variable.scope], of: "--env"))
      try? context.checkSaved(result)
      variables.updateValue(try Token.token(of: result), forKey: variable.name)
      await recipient.note(account, [variable.scope], context)
    }
    async let serving = listener.serve(identity)
    defer { listener.stop() }
    let end = try await run(variables)
    listener.stop()
    _ = await serving
    guard end != .exited(0) else { return }
    var error = CommandError("program", Sentence(verbatim: command[0]), exitStatus: ExitStatus(end))
    // The program said itself what went wrong.
    error.isReported = true
    throw error
  }

  private func run(_ variables: [String: String?]) async throws(CommandError) -> ChildProcess.End {
    do throws(ChildProcess.StartFailure) {
      return try await ChildProcess.run(
        command, variables: variables, ignoring: Signals.ignored
      ) { process in
        Signals.receiver.withLock { $0 = { Signals.pass($0, to: process) } }
      } ended: {
        Signals.receiver.withLock { $0 = nil }
      }
    } catch {
      // The statuses of a shell, and of env(1).
      guard error.errno == ENOENT else {
        throw CommandError(
          "program", Sentence("The program '{name}' cannot be started.", ["name": command[0]]),
          exitStatus: .program(126))
      }
      throw CommandError(
        "program", Sentence("There is no program '{name}'.", ["name": command[0]]),
        exitStatus: .program(127))
    }
  }
}

/// A variable that a program gets an access token in.
struct TokenVariable: ExpressibleByArgument {
  let name: String
  let scope: String

  init?(argument: String) {
    let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    // POSIX, Base Definitions, section 8.1.
    guard parts.count == 2, !parts[1].isEmpty, let first = parts[0].utf8.first,
      !(0x30...0x39).contains(first),
      parts[0].utf8.allSatisfy({ $0 == UInt8(ascii: "_") || Self.isAlphanumeric($0) })
    else { return nil }
    name = String(parts[0])
    scope = String(parts[1])
  }

  private static func isAlphanumeric(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x41...0x5a).contains(byte) || (0x61...0x7a).contains(byte)
  }
}
