import AuthCore
import Clients
import Connections
import CurlHTTP
import EntranceKit
import FoundationEssentials
import Sentences

/// The access of the program that a command gives tokens to: whether it may have them, and a note of
/// what it got.
struct ProgramAccess: Sendable {
  /// The program.
  let program: CallingProgram
  private let asksPerson: Bool
  /// Whether the person named the program on the command line, and has allowed it by that.
  private let isChosen: Bool
  private let list = ProgramList.standard

  /// The program that runs this command.
  init(asksPerson: Bool) {
    self.init(.caller(), asksPerson: asksPerson)
  }

  /// The program that this command runs, when a person typed the command; or else the one that did.
  init(running command: [String], asksPerson: Bool) {
    let caller = CallingProgram.caller()
    guard caller == .person, let name = command.first else {
      self.init(caller, asksPerson: asksPerson)
      return
    }
    let path = name.contains("/") ? name : ProcessEnvironment.program(name) ?? name
    self.init(
      CallingProgram(
        file: CallingProgram.realPath(path) ?? path, arguments: command,
        directory: FileManager.default.currentDirectoryPath),
      asksPerson: asksPerson, isChosen: true)
  }

  private init(_ program: CallingProgram, asksPerson: Bool, isChosen: Bool = false) {
    self.program = program
    self.asksPerson = asksPerson
    self.isChosen = isChosen
  }

  /// Whether the faults of the list were said: once is enough, however many tokens are given.
  private static let saidFaults = LockedValue(false)

  /// Sees whether the program may have what it asks for.
  ///
  /// - Throws: when it may not; it says how to allow it.
  func check(_ request: ProgramRequest) async throws(CommandError) {
    let faults = await list.faults()
    let isFirst = Self.saidFaults.withLock { said in
      defer { said = true }
      return !said
    }
    if isFirst { faults.forEach { Output.warn($0.sentence) } }
    var answer = await self.answer(to: request)
    if answer == .ask, asksPerson {
      if await ProgramQuestion(request).isAllowed() { return }
      answer = await self.answer(to: request)
    }
    switch answer {
    case .give: return
    case .allDenied:
      throw refusal(Sentence("Programs get no tokens of your accounts."), ProgramPolicy.advice)
    case .denied:
      throw refusal(
        Sentence("You denied “{program}” access to your accounts.", ["program": program.name]),
        program.allowing)
    case .ask:
      let nextStep =
        await list.noteRefusal(of: request)
        ? program.allowing : list.fault()?.advice ?? program.allowing
      throw refusal(
        request.account.isEmpty
          ? Sentence(
            "“{program}” has not been allowed to export the tokens of the app “{app}”.",
            ["program": program.name, "app": request.app])
          : Sentence(
            "“{program}” has not been allowed to use {account} of the app “{app}”.",
            ["program": program.name, "account": request.username, "app": request.app]),
        nextStep)
    }
  }

  private func answer(to request: ProgramRequest) async -> ProgramAnswer {
    let policy =
      await isChosen ? ProgramPolicy.allow : list.policy(Administration.programPolicy)
    return await list.record(of: program).answer(to: request, policy)
  }

  /// Notes that the program got what it asked for.
  func note(_ request: ProgramRequest) async { await list.note(request, at: Date()) }

  /// Asks for a token of `account` with `scopes`, or with those of the app.
  func request(
    _ account: Account, _ scopes: [String], _ context: CommandContext
  ) -> ProgramRequest {
    ProgramRequest(
      program: program, app: context.connection.name, account: account.id,
      username: account.username, scopes: scopes.isEmpty ? context.connection.scopes : scopes)
  }

  /// Asks for all tokens of the app.
  func export(_ context: CommandContext) -> ProgramRequest {
    ProgramRequest(exporting: context.connection.name, to: program)
  }

  private func refusal(_ message: Sentence, _ nextStep: Sentence) -> CommandError {
    CommandError("programDenied", message, nextStep: nextStep, exitStatus: .programDenied)
  }
}

extension CallingProgram {
  /// How to allow it tokens.
  var allowing: Sentence {
    Sentence(
      "To allow it, run 'entrancectl programs allow {program}'.",
      ["program": identifier.asArgument])
  }
}

extension ProgramPolicy {
  /// How to change it.
  static let advice = Sentence(
    "To change this, open Entrance and choose “Access by Programs” in the main menu. If the setting"
      + " is locked, ask your administrator.")
}

extension ProgramList {
  /// What each program was given, for the app and the command line alike.
  static var standard: ProgramList { ProgramList(path: EntranceIdentity.programsPath) }
}
