import ArgumentParser
import AuthCore
import EntranceKit
import FoundationEssentials
import Localization
import Sentences

/// The programs that got tokens.
struct Programs: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "programs",
    abstract: tr("List the programs that got tokens, and allow or deny them."),
    discussion: paragraphs(
      Sentence(
        "A program is known by the ID of its sandbox, or else by the path of its file. The list"
          + " shows what happened. It cannot stop a program that pretends to be another one."),
      Sentence(
        "The setting program-access, which is also in the app’s window Access by Programs, says"
          + " whether a new program asks first.")),
    subcommands: [List.self, Allow.self, Deny.self, Forget.self], defaultSubcommand: List.self)
}

extension Programs {
  struct List: PlainCommand {
    static let configuration = CommandConfiguration(
      commandName: "list",
      abstract: tr("List the programs, most recently used first."))

    @OptionGroup var outputOptions: OutputOptions

    func perform() async throws(CommandError) {
      let list = ProgramList.standard
      if let fault = await list.fault() { throw .programsNotRead(fault) }
      let programs = await list.all()
      let faults = await list.faults()
      for fault in faults {
        Output.warn(fault.sentence)
        Output.say(fault.advice)
      }
      if programs.isEmpty, faults.isEmpty {
        Output.say(Sentence("No program has asked for a token."))
      }
      try output.print(
        programs.flatMap(\.lines),
        [
          "policy": JSON(Administration.programPolicy.rawValue),
          "programs": .array(programs.map(\.json)),
        ])
    }
  }

  struct Allow: ProgramCommand {
    static let configuration = CommandConfiguration(
      commandName: "allow",
      abstract: tr("Allow a program to get tokens like those it has asked for."))

    @OptionGroup var outputOptions: OutputOptions
    @OptionGroup var choice: ProgramArgument

    static let decision = ProgramRecord.Decision.allow
  }

  struct Deny: ProgramCommand {
    static let configuration = CommandConfiguration(
      commandName: "deny",
      abstract: tr("Stop giving tokens to a program."),
      discussion: tr(
        "A program can use the tokens it already has until they expire, usually within about an"
          + " hour. To stop new tokens for all programs, set “Access to Tokens” to “Deny all” in"
          + " Access by Programs. To end sessions everywhere, ask an administrator to revoke"
          + " them."))

    @OptionGroup var outputOptions: OutputOptions
    @OptionGroup var choice: ProgramArgument

    static let decision = ProgramRecord.Decision.deny
  }

  struct Forget: PlainCommand {
    static let configuration = CommandConfiguration(
      commandName: "forget",
      abstract: tr("Remove a program from the list, with what was decided about it."))

    @OptionGroup var outputOptions: OutputOptions

    @Flag(help: ArgumentHelp(tr("Remove all programs.")))
    var all = false

    @Argument(
      help: ArgumentHelp(
        tr("The program, by its name, path, or ID."), valueName: tr("program")))
    var program: String?

    func validate() throws {
      guard all == (program == nil) else {
        throw ValidationError(Sentence("Specify either a program or --all."))
      }
    }

    func perform() async throws(CommandError) {
      let record: ProgramRecord? =
        if let program { try await Programs.find(program) } else { nil }
      guard await ProgramList.standard.forget(record?.program) else { throw .programsNotWritten }
      Output.say(
        record.map { Sentence("Removed “{name}” from the list.", ["name": $0.program.name]) }
          ?? Sentence("Removed all programs from the list."))
      if outputOptions.json { try output.print(document: record?.json ?? [:]) }
    }
  }

  /// The program in the list that is called `name`.
  ///
  /// - Parameter isNewAllowed: whether the path of a program that is not in the list can be used, too.
  static func find(
    _ name: String, isNewAllowed: Bool = false
  ) async throws(CommandError) -> ProgramRecord {
    // A program is known by its own path, not by that of a link.
    let path = name.contains("/") ? CallingProgram.realPath(name) : nil
    let found = await ProgramList.standard.all().filter { record in
      record.program.matches(name) || record.program.identifier == path
    }
    let exact = found.filter { [name, path].contains($0.program.identifier) }
    let matches = exact.isEmpty ? found : exact
    guard matches.count < 2 else {
      throw CommandError(
        "ambiguousProgram", Sentence("Several programs have the name “{name}”.", ["name": name]),
        nextStep: Sentence(
          "Specify one by its path or ID: {names}.",
          ["names": matches.map(\.program.identifier).joined(separator: ", ")]))
    }
    if let record = matches.first { return record }
    if isNewAllowed, let new = path ?? (name.hasPrefix("/") ? name : nil) {
      return ProgramRecord(CallingProgram(.file, new))
    }
    if let fault = await ProgramList.standard.fault() { throw .programsNotRead(fault) }
    throw CommandError(
      "programNotFound",
      Sentence("There is no program called “{name}” in the list.", ["name": name]),
      nextStep: Sentence("To list them, run 'entrancectl programs'."))
  }
}

/// The program that a command is about.
struct ProgramArgument: ParsableArguments {
  @Argument(
    help: ArgumentHelp(tr("The program, by its name, path, or ID."), valueName: tr("program")))
  var program: String
}

/// Decides about a program.
protocol ProgramCommand: PlainCommand {
  var choice: ProgramArgument { get }
  /// What is decided.
  static var decision: ProgramRecord.Decision { get }
}

extension ProgramCommand {
  func perform() async throws(CommandError) {
    // What a program may have is what it has asked for: one that never asked can only be denied.
    let found = try await Programs.find(choice.program, isNewAllowed: Self.decision == .deny)
    let program = found.program
    guard program != .person else {
      throw CommandError(
        usage: Sentence("Commands that are typed at a terminal are always allowed."))
    }
    let list = ProgramList.standard
    guard await list.decide(Self.decision, about: program) else { throw .programsNotWritten }
    let record = await list.record(of: program)
    let policy = await list.policy(Administration.programPolicy)
    switch Self.decision {
    case .deny: Output.say(Sentence("Denied “{name}”.", ["name": program.name]))
    case .allow where policy == .deny:
      Output.say(
        Sentence(
          "“{name}” is allowed, but gets no tokens as long as the setting program-access denies them"
            + " to all programs.", ["name": program.name]))
      Output.say(ProgramPolicy.advice)
    case .allow where record.grants.isEmpty && policy == .ask:
      Output.say(
        found.decision == .deny
          ? Sentence(
            "“{name}” is no longer denied. It has not asked for a token yet, and must be allowed"
              + " when it does.", ["name": program.name])
          : Sentence(
            "“{name}” has not asked for a token yet, and must be allowed when it does.",
            ["name": program.name]))
    case .allow: Output.say(Sentence("Allowed “{name}”.", ["name": program.name]))
    }
    if outputOptions.json { try output.print(document: record.json) }
  }
}

extension CommandError {
  fileprivate static var programsNotWritten: CommandError {
    CommandError(
      "notWritten",
      Sentence(
        "The list of programs cannot be written: {path}.", ["path": ProgramList.standard.path])
    )
  }

  fileprivate static func programsNotRead(_ fault: ProgramList.Fault) -> CommandError {
    CommandError("invalidPrograms", fault.sentence, nextStep: fault.advice)
  }
}

extension ProgramRecord {
  /// The lines for people: the program, and what it got of each account.
  var lines: [Line] {
    let name =
      program == .person ? Sentence("You, at a terminal") : Sentence(verbatim: program.name)
    let heading: Sentence =
      switch decision {
      case .allow: Sentence("{name}: allowed", ["name": name])
      case .deny: Sentence("{name}: denied", ["name": name])
      case nil: name
      }
    let identifier =
      program.identifier == program.name || program == .person
      ? [] : [Line(Sentence(verbatim: program.identifier), behind: "  ")]
    return [Line(heading)] + identifier + grants.map { Line($0.sentence, behind: "  ") }
  }

  /// The program, for programs.
  var json: JSON {
    [
      "program": JSON(program.identifier), "kind": JSON(program.kind.rawValue),
      "name": JSON(program.name), "decision": JSON(decision?.rawValue),
      "grants": .array(grants.map(\.json)),
    ]
  }
}

extension ProgramRecord.Grant {
  fileprivate var sentence: Sentence {
    let account = isExport ? Sentence("All accounts") : Sentence(verbatim: username)
    guard let last else {
      return Sentence(
        "{account}, {app}: was refused {scopes}",
        ["account": account, "app": app, "scopes": text(refused)])
    }
    return .plural(
      "{account}, {app}: {count} token, last {date}: {scopes}",
      "{account}, {app}: {count} tokens, last {date}: {scopes}", count: count,
      [
        "account": account, "app": app, "date": last.formatted(.iso8601),
        "scopes": text(scopes),
      ])
  }

  private func text(_ scopes: [String]) -> Sentence {
    isExport
      ? Sentence("All tokens (cache export)")
      : Sentence(verbatim: scopes.joined(separator: " "))
  }

  fileprivate var json: JSON {
    [
      "app": JSON(app), "username": JSON(isExport ? nil : username),
      "homeAccountID": JSON(isExport ? nil : account),
      "scopes": JSON(scopes), "allowed": JSON(allowed), "refused": JSON(refused),
      "count": JSON(count), "first": JSON(first), "last": JSON(last),
    ]
  }
}
