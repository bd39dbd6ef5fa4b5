import ArgumentParser
import AuthCore
import EntranceKit
import FoundationEssentials
import Glibc
import Localization
import Sentences

/// The programs that got tokens.
struct Programs: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: tr("List the programs that got tokens, and allow or deny them."),
    discussion: paragraphs(
      Sentence(
        "A program is known by the ID of its sandbox, or else by the path of its file. A program"
          + " outside of a sandbox can pass for another one: that list tells what happened, and does"
          + " not keep out a program that wants to deceive you."),
      Sentence(
        "The setting program-access, which is also in the app's window Access by Programs, says whether"
          + " a new program asks first.")),
    subcommands: [List.self, Allow.self, Deny.self, Forget.self], defaultSubcommand: List.self)
}

extension Programs {
  struct List: EntranceCommand {
    static let configuration = CommandConfiguration(
      abstract: tr("List the programs, the one that was used last first."))

    @OptionGroup var outputOptions: OutputOptions

    var output: Output { Output(isJSON: outputOptions.json) }

    func perform() async throws(CommandError) {
      let programs = await ProgramBook.standard.all()
      if programs.isEmpty { output.say(Sentence("No program has asked for a token.")) }
      try output.print(
        programs.flatMap(\.lines),
        [
          ("policy", .string(Administration.programPolicy.rawValue)),
          ("programs", .array(programs.map { Output.object($0.members) })),
        ])
    }
  }

  struct Allow: ProgramCommand {
    static let configuration = CommandConfiguration(
      abstract: tr("Allow a program tokens like those that it has asked for."))

    @OptionGroup var outputOptions: OutputOptions
    @OptionGroup var choice: ProgramArgument

    func change(_ record: ProgramRecord) async -> Bool {
      await ProgramBook.standard.decide(.allow, about: record.program)
    }

    func sentence(_ name: String) -> Sentence { Sentence("Allowed '{name}'.", ["name": name]) }
  }

  struct Deny: ProgramCommand {
    static let configuration = CommandConfiguration(
      abstract: tr("Give a program no more tokens."),
      discussion: tr(
        "Tokens that it got are good until they expire, mostly for an hour. To end the access of all"
          + " programs at once, sign the account out."))

    @OptionGroup var outputOptions: OutputOptions
    @OptionGroup var choice: ProgramArgument

    func change(_ record: ProgramRecord) async -> Bool {
      await ProgramBook.standard.decide(.deny, about: record.program)
    }

    func sentence(_ name: String) -> Sentence { Sentence("Denied '{name}'.", ["name": name]) }
  }

  struct Forget: EntranceCommand {
    static let configuration = CommandConfiguration(
      abstract: tr("Remove a program from the list, with what was decided about it."))

    @OptionGroup var outputOptions: OutputOptions

    @Flag(help: ArgumentHelp(tr("Remove all programs.")))
    var all = false

    @Argument(
      help: ArgumentHelp(
        tr("The program, by its name, path or ID."), valueName: tr("program")))
    var program: String?

    var output: Output { Output(isJSON: outputOptions.json) }

    func validate() throws {
      guard all == (program == nil) else {
        throw ValidationError(Sentence("Specify either a program or --all."))
      }
    }

    func perform() async throws(CommandError) {
      let record: ProgramRecord? =
        if let program { try await Programs.find(program) } else { nil }
      guard await ProgramBook.standard.forget(record?.program) else { throw .programsNotWritten }
      output.say(
        record.map { Sentence("Forgot '{name}'.", ["name": $0.program.name]) }
          ?? Sentence("Forgot all programs."))
      if outputOptions.json { try output.print([], record?.members ?? []) }
    }
  }

  /// The program in the list that is called `name`.
  ///
  /// - Parameter isNewAllowed: whether the path of a program that is not in the list can be used, too.
  static func find(
    _ name: String, isNewAllowed: Bool = false
  ) async throws(CommandError) -> ProgramRecord {
    // A program is known by its own path, not by that of a link.
    let path = name.contains("/") ? realPath(name) : nil
    let found = await ProgramBook.standard.all().filter { record in
      record.program.matches(name) || record.program.identifier == path
    }
    let exact = found.filter { [name, path].contains($0.program.identifier) }
    let matches = exact.isEmpty ? found : exact
    guard matches.count < 2 else {
      throw CommandError(
        "ambiguousProgram", Sentence("Several programs have the name '{name}'.", ["name": name]),
        nextStep: Sentence(
          "Specify one by its path or ID: {names}.",
          ["names": matches.map(\.program.identifier).joined(separator: ", ")]))
    }
    if let record = matches.first { return record }
    if isNewAllowed, let new = path ?? (name.hasPrefix("/") ? name : nil) {
      return ProgramRecord(CallingProgram(.file, new))
    }
    throw CommandError(
      "programNotFound",
      Sentence("There is no program called '{name}' in the list.", ["name": name]),
      nextStep: Sentence("To list them, run 'entrancectl programs'."))
  }

  /// The path of the file that `path` leads to; nil when there is none.
  private static func realPath(_ path: String) -> String? {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return String(cString: real)
  }
}

/// The program that a command is about.
struct ProgramArgument: ParsableArguments {
  @Argument(
    help: ArgumentHelp(tr("The program, by its name, path or ID."), valueName: tr("program")))
  var program: String
}

/// Decides about a program.
protocol ProgramCommand: EntranceCommand {
  var outputOptions: OutputOptions { get }
  var choice: ProgramArgument { get }
  /// Keeps the decision; returns whether that succeeded.
  func change(_ record: ProgramRecord) async -> Bool
  /// What was done.
  func sentence(_ name: String) -> Sentence
}

extension ProgramCommand {
  var output: Output { Output(isJSON: outputOptions.json) }

  func perform() async throws(CommandError) {
    let record = try await Programs.find(choice.program, isNewAllowed: true)
    guard record.program != .person else {
      throw CommandError(
        "usage", Sentence("Commands that are typed at a terminal are always allowed."),
        exitStatus: .usage)
    }
    guard await change(record) else { throw .programsNotWritten }
    output.say(sentence(record.program.name))
    if outputOptions.json {
      try output.print([], await ProgramBook.standard.record(of: record.program).members)
    }
  }
}

extension CommandError {
  fileprivate static var programsNotWritten: CommandError {
    CommandError(
      "notWritten",
      Sentence(
        "The list of programs cannot be written: {path}.", ["path": ProgramBook.standard.path])
    )
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
  var members: [(name: String, value: JSON)] {
    [
      ("program", .string(program.identifier)),
      ("kind", .string(program.kind.rawValue)),
      ("name", .string(program.name)),
      ("decision", decision.map { .string($0.rawValue) } ?? .null),
      ("grants", .array(grants.map { Output.object($0.members) })),
    ]
  }
}

extension ProgramRecord.Grant {
  fileprivate var sentence: Sentence {
    let asked = refused.joined(separator: " ")
    guard let last else {
      return Sentence(
        "{account}, {app}: was refused {scopes}",
        ["account": username, "app": app, "scopes": asked])
    }
    return .plural(
      "{account}, {app}: {count} token, last {date}: {scopes}",
      "{account}, {app}: {count} tokens, last {date}: {scopes}", count: count,
      [
        "account": username, "app": app, "date": last.formatted(.iso8601),
        "scopes": scopes.joined(separator: " "),
      ])
  }

  fileprivate var members: [(name: String, value: JSON)] {
    func texts(_ texts: [String]) -> JSON { .array(texts.map { .string($0) }) }
    func date(_ date: Date?) -> JSON { date.map { .string($0.formatted(.iso8601)) } ?? .null }
    return [
      ("app", .string(app)), ("username", .string(username)), ("homeAccountID", .string(account)),
      ("scopes", texts(scopes)), ("allowed", texts(allowed)), ("refused", texts(refused)),
      ("count", .number("\(count)")), ("first", date(first)), ("last", date(last)),
    ]
  }
}
