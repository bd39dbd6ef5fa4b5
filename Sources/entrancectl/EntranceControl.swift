import ArgumentParser
import AuthCore
import Connections
import CurlHTTP
import Glibc
import Localization
import SecretStore
import Sentences

/// The command line of Entrance.
@main
struct EntranceControl: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "entrancectl",
    abstract: tr("Sign in with Microsoft, get tokens, and call Microsoft Graph."),
    discussion: paragraphs(
      Sentence(
        "Apps and accounts are those of Entrance: apps in $XDG_CONFIG_HOME/entrance/apps.json (or"
          + " ~/.config/entrance/apps.json), accounts in the keyring. Without a keyring, accounts are"
          + " kept in encrypted files, and commands ask for their passphrase on the terminal."
      ),
      Sentence(
        "Results go to standard output, everything else to standard error. With --json, standard"
          + " output contains one JSON document, even when a command fails."),
      Sentence(
        "The exit status is 0 on success, 64 for an invalid command line, 66 when someone would have"
          + " to be asked in spite of --no-input, 75 when the command may succeed later, 77 when"
          + " someone must sign in first, 78 when the program that asks was not allowed, and 1 for any"
          + " other failure. After a signal it is 128 and"
          + " the signal’s number.")),
    version: PublicClientApplication.sdkVersion,
    subcommands: [
      SignIn.self, Token.self, Accounts.self, SignOut.self, Cache.self, Graph.self,
      HTTP.self, Credential.self, Run.self, Programs.self, Device.self, Doctor.self, Explain.self,
      App.self,
    ])

  static func main() async {
    // Before anything changes what is ignored.
    _ = Signals.ignored
    // Whoever reads the output may stop, and the program still has to clear up.
    signal(SIGPIPE, SIG_IGN)
    StandardStreams.reserve()
    ProcessEnvironment.clean()
    Administration.silenceDconf()
    ProcessMemory.forbidDumps()
    let work = Task { await perform() }
    let signals = Signals.interrupt(work)
    let status = await work.value
    // A token that was renewed, also in the background or before the signal, must not get lost.
    await PendingTokenRequests.finish()
    withExtendedLifetime(signals) {}
    // At once, for nothing is left to be written, and libraries may have threads of their own.
    status.end()
  }

  private static func perform() async -> ExitStatus {
    let catalog = MessageCatalog(directory: DataDirectories().locale)
    // With --json, errors in the command line are part of the JSON, which is always in English.
    if !requestsJSON { Localization.use(catalog) }
    if let argument = damagedArgument {
      let error = CommandError(
        usage: Sentence("The argument “{text}” is not UTF-8 text.", ["text": argument]),
        nextStep: Sentence("If it is the name of a file, rename the file, or make a link to it."))
      return end(with: error, Output(isJSON: requestsJSON))
    }
    let command: any ParsableCommand
    do {
      command = try parseAsRoot(arguments)
    } catch {
      return end(with: error)
    }
    Localization.use(catalog)
    guard let command = command as? any EntranceCommand else {
      // The root command, or that for help: both show help.
      var command = command
      do {
        try command.run()
        return .success
      } catch {
        return end(with: error)
      }
    }
    do throws(CommandError) {
      try await command.perform()
      try Output.close()
      return .success
    } catch {
      return end(with: error, command.output)
    }
  }

  /// Says why the work failed.
  ///
  /// If a signal interrupted it, that is what ends the program.
  private static func end(with error: CommandError, _ output: Output) -> ExitStatus {
    var error = error
    if let signal = Signals.interruption { error.exitStatus = .interrupted(signal) }
    output.report(error)
    return error.exitStatus
  }

  /// The arguments; other programs run this one by the name that they look for.
  private static var arguments: [String] {
    let name = CommandLine.arguments.first?.split(separator: "/").last.map(String.init)
    return (helpers[name ?? ""] ?? []) + CommandLine.arguments.dropFirst()
  }

  /// The first argument that is not UTF-8: as a text it has other bytes, and would name another file.
  ///
  /// Those of a program to run are passed on byte for byte.
  private static var damagedArgument: String? {
    var words = ProcessEnvironment.words.dropFirst()
    if arguments.first == "run" { words = words.prefix(while: { $0 != Array("--".utf8) }) }
    let damaged = words.first { String(validating: $0, as: UTF8.self) == nil }
    return damaged.map { String(decoding: $0, as: UTF8.self) }
  }

  /// The commands by the names that git, docker and Azure's libraries look for.
  private static let helpers = [
    "git-credential-entrance": ["credential", "git"],
    "docker-credential-entrance": ["credential", "docker"],
    "azd": ["credential", "azd"],
  ]

  /// Whether the command line requests JSON, before it is parsed.
  ///
  /// What is behind `--` is another program's.
  static var requestsJSON: Bool {
    let words = CommandLine.arguments.prefix { $0 != "--" }
    return words.contains("--json") || words.contains("--format=json")
      || zip(words, words.dropFirst()).contains { $0 == "--format" && $1 == "json" }
  }

  /// What is wrong with the command line, in lines of which no argument can be one.
  private static func usage(_ error: any Error) -> String {
    let plain = arguments.map(\.plain)
    guard plain != arguments else { return fullMessage(for: error) }
    do {
      _ = try parseAsRoot(plain)
    } catch {
      return fullMessage(for: error)
    }
    // Only as it was written is it wrong.
    let lines = [message(for: error).plain, help(about: error)]
    return lines.compactMap(\.self).joined(separator: "\n")
  }

  /// How to get help about the command, which the parser says in the last line of an error.
  private static func help(about error: any Error) -> String? {
    let line = fullMessage(for: error).split(separator: "\n").last?.drop { $0 == " " }
    return line.flatMap { $0.hasPrefix("See '") ? String($0) : nil }
  }

  /// Says what the parser has to say: help that was asked for, or what is wrong with the command line.
  private static func end(with error: any Error) -> ExitStatus {
    let status = ExitStatus(exitCode(for: error))
    let text = status == .success ? ShortForms.added(to: fullMessage(for: error)) : usage(error)
    do throws(CommandError) {
      switch (status, requestsJSON) {
      case (.success, _):
        try Output(isJSON: false).print(raw: (text + "\n").utf8)
        try Output.close()
      case (_, true):
        Output(isJSON: true).report(
          CommandError(
            "usage", Sentence(verbatim: message(for: error)),
            nextStep: help(about: error).map { Sentence(verbatim: $0) }, exitStatus: status))
      case (_, false):
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
          Output.say(Sentence(verbatim: String(line)))
        }
      }
      return status
    } catch {
      return end(with: error, Output(isJSON: false))
    }
  }
}
