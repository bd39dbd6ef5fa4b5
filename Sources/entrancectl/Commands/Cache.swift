import ArgumentParser
import AuthCore
import Clients
import FoundationEssentials
import Glibc
import SecretStore

struct Cache: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "See, take along and bring in what is in the token cache.",
    discussion: """
      It is the cache of the connection: the one that its member "cache" names, which other programs may use, \
      too, or else that of the Entrance app.
      """,
    subcommands: [CacheShow.self, CacheExport.self, CacheImport.self])
}

struct CacheShow: EntranceCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show what is in the token cache, but no token.")

  @OptionGroup var common: CommonOptions

  func perform() async throws(CommandError) {
    let workspace = try Workspace(common)
    let contents = try await workspace.contents()
    let accounts = contents.accounts
    var lines = [workspace.connection.cachePlace]
    if accounts.isEmpty { lines.append("It holds no account.") }
    for account in accounts { lines += [""] + account.lines }
    let unowned = contents.unownedTokenCount
    if unowned > 0 { lines += ["", "Tokens of no account: \(unowned)"] }
    try output.print(
      lines,
      [
        ("accounts", .array(accounts.map { Output.object($0.members) })),
        ("tokensOfNoAccount", .number("\(unowned)")),
      ])
  }
}

struct CacheExport: EntranceCommand {
  static let configuration = CommandConfiguration(
    commandName: "export", abstract: "Print the token cache, or write it to a file.",
    discussion: """
      It is JSON in the schema of all MSALs, with the tokens of all accounts: whoever has it can act as them \
      for weeks. What is in a cache of other programs is given as it is there.
      """)

  @OptionGroup var common: CommonOptions
  @Option(
    name: [.customShort("o"), .customLong("output")],
    help: ArgumentHelp("Write it to this file, which only you can read.", valueName: "file"))
  var path: String?
  @Flag(help: "Write over a file that is there.")
  var force = false
  @Flag(help: "Print it though standard output is a terminal.")
  var terminal = false

  func perform() async throws(CommandError) {
    guard path != nil || terminal || isatty(STDOUT_FILENO) == 0 else {
      throw CommandError(
        "isTerminal", "The cache holds tokens, which have no business on a screen.",
        nextStep: "Name a file, 'entrancectl cache export -o FILE', or insist with '--terminal'.")
    }
    let text = try await Workspace(common).contents().text
    guard let path else { return try output.print(raw: text.exposed) }
    do throws(StorageFailure) {
      _ = try PrivateFile(path: path).write([ArraySlice(text.exposed)], replacing: force)
    } catch {
      let isThere = !force && access(path, F_OK) == 0
      throw CommandError(
        "fileNotWritten",
        "The file '\(path)' was not written: \(isThere ? "it is there already" : "\(error.reason)").",
        nextStep: isThere
          ? "Name another file, or write over it with '--force'."
          : "Name a file elsewhere, or make room for it.")
    }
    try output.print([], [("path", .string(path))])
  }
}

struct CacheImport: EntranceCommand {
  static let configuration = CommandConfiguration(
    commandName: "import", abstract: "Bring accounts into the token cache.",
    discussion: """
      They come from a file, from standard input, or from the cache of another program. Nothing that is in \
      the token cache is lost, and of two tokens for the same the newer one is kept. Where the accounts come \
      from, nothing changes. Tokens are of use to a connection with the same client ID.
      """)

  @OptionGroup var common: CommonOptions
  @Option(
    help: ArgumentHelp(
      "Take the cache of this program: \(TokenCacheLocation.presets.joined(separator: ", ")).",
      valueName: "program"))
  var from: String?
  @Argument(help: "A file in the schema of all MSALs; standard input if it is - or left out.")
  var file: String?

  func validate() throws {
    guard from == nil || file == nil else {
      throw ValidationError("Name a file or a program, not both.")
    }
  }

  func perform() async throws(CommandError) {
    let workspace = try Workspace(common)
    let contents = try await source()
    try await workspace.open(settingPassphrase: true)
    let arrivals: [UnifiedCache.Arrival]
    do throws(AuthenticationError) {
      arrivals = try await contents.merge(into: workspace.client.store)
    } catch {
      throw CommandError(error)
    }
    let foreign = contents.foreignTokenCount
    var lines = arrivals.isEmpty ? ["There was no account in it."] : []
    for arrival in arrivals {
      let what =
        switch arrival.kind {
        case .new: "came in"
        case .changed: "brought something newer"
        case .unchanged: "was here already"
        }
      let name = arrival.username.isEmpty ? arrival.homeAccountID : arrival.username
      lines.append("\(name) \(what), for the app \(arrival.clientID)")
    }
    if foreign > 0 { lines.append("Tokens left out, for they are of no use here: \(foreign)") }
    try output.print(
      lines,
      [
        (
          "accounts",
          .array(
            arrivals.map {
              Output.object([
                ("result", .string($0.kind.rawValue)), ("username", .string($0.username)),
                ("homeAccountID", .string($0.homeAccountID)), ("clientID", .string($0.clientID)),
              ])
            })
        ),
        ("tokensLeftOut", .number("\(foreign)")),
      ])
  }

  /// What is to be brought in.
  private func source() async throws(CommandError) -> UnifiedCache {
    if let from {
      guard let location = TokenCacheLocation.preset(from) else {
        throw CommandError(
          "unknownProgram", "The cache of '\(from)' is not known.",
          nextStep: "Choose one of these: \(TokenCacheLocation.presets.joined(separator: ", ")).")
      }
      let contents = try await Workspace.contents(of: location.store)
      guard !contents.isEmpty else {
        throw CommandError(
          "noTokenCache", "There is no token cache of '\(from)' here, or nothing in it.",
          nextStep: "Sign in with that program first, or name its file instead of '--from'.")
      }
      return contents
    }
    let path = file == "-" ? nil : file
    let text =
      path.map { FileManager.default.contents(atPath: $0) } ?? StandardInput.readAll()
    let name = path.map { "The file '\($0)'" } ?? "Standard input"
    guard let text else { throw CommandError("unreadableFile", "\(name) cannot be read.") }
    do throws(JSONError) {
      return try UnifiedCache(Secret(text))
    } catch {
      throw CommandError(
        "noTokenCache", "\(name) is no token cache: \(error.reason), line \(error.line).")
    }
  }
}
