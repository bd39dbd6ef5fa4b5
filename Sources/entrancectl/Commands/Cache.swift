import ArgumentParser
import AuthCore
import Clients
import Connections
import FoundationEssentials
import Glibc
import Localization
import SecretStore
import Sentences

struct Cache: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cache",
    abstract: tr("Show, export, and import the token cache."),
    discussion: tr(
      "Each app uses the cache in its field \"cache\", which other programs can use, too."
        + " The default is the cache of the Entrance app."),
    subcommands: [CacheShow.self, CacheExport.self, CacheImport.self])
}

struct CacheShow: ClientCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: tr("Show what the token cache contains, but no tokens."))

  @OptionGroup var common: CommonOptions

  func perform() async throws(CommandError) {
    let context = try CommandContext(common)
    let contents = try await context.contents()
    let accounts = contents.accounts
    if accounts.isEmpty { try await context.checkKeyring() }
    var lines = [Line(context.connection.cachePlace)]
    if accounts.isEmpty { lines.append(Line(Sentence("The cache contains no accounts."))) }
    for account in accounts { lines += [.empty] + account.lines }
    let unowned = contents.unownedTokenCount
    if unowned > 0 {
      lines += [.empty, Line(Sentence("Tokens without an account: {number}", ["number": unowned]))]
    }
    try output.print(
      lines,
      ["accounts": .array(accounts.map(\.json)), "tokensOfNoAccount": JSON(unowned)])
  }
}

struct CacheExport: ClientCommand {
  static let configuration = CommandConfiguration(
    commandName: "export", abstract: tr("Print the token cache, or write it to a file."),
    discussion: tr(
      "The output is JSON in the schema of all MSALs, with the tokens of all accounts: anyone who"
        + " has it can use the accounts for weeks. The cache of other programs is exported"
        + " unchanged."))

  @OptionGroup var common: CommonOptions
  @Option(
    name: [.customShort("o"), .customLong("output")],
    help: ArgumentHelp(
      tr("Write it to this file, which only you can read."), valueName: tr("file")),
    completion: .file())
  var path: String?
  @Flag(help: ArgumentHelp(tr("Overwrite an existing file.")))
  var force = false
  @Flag(help: ArgumentHelp(tr("Print the token cache even if standard output is a terminal.")))
  var terminal = false

  func validate() throws {
    try ValidationError.refuseEmpty(path, of: "--output")
    try ValidationError.refuseForce(force, without: path)
  }

  func perform() async throws(CommandError) {
    guard path != nil || terminal || isatty(STDOUT_FILENO) == 0 else {
      throw CommandError(
        "isTerminal", Sentence("The cache contains tokens, which should not be shown on a screen."),
        nextStep: Sentence(
          "Specify a file, '{command} -o FILE', or use '--terminal'.",
          ["command": SuggestedSignIn(app: common.connection).other("cache export")]))
    }
    if let path { try Output.checkPlace(path, force: force) }
    let context = try CommandContext(common)
    // It is not asked about: the question in the window is about access tokens.
    let access = ProgramAccess(asksPerson: false)
    let request = access.export(context)
    try await access.check(request)
    let contents = try await context.contents(isExport: true)
    if let path {
      try Output.write(Array(contents.text.exposed), to: path, force: force)
      if output.isJSON { try output.print(document: ["path": JSON(path)]) }
    } else {
      try output.print(text: contents.text.exposed)
    }
    await access.note(request)
  }
}

struct CacheImport: ClientCommand {
  static let configuration = CommandConfiguration(
    commandName: "import", abstract: tr("Import accounts into the token cache."),
    discussion: tr(
      "They come from a file, from standard input, or from the cache of another program. Nothing in"
        + " the token cache is lost, and of two tokens for the same purpose the newer one is kept."
        + " The source is not changed. Tokens work only with an app that has the same"
        + " client ID.")
  )

  @OptionGroup var common: CommonOptions
  @Option(
    help: ArgumentHelp(
      tr(
        "Use the cache of this program: {programs}.",
        ["programs": TokenCacheLocation.presets.joined(separator: ", ")]),
      valueName: tr("program")),
    completion: .list(TokenCacheLocation.presets), transform: CacheImport.program)
  var from: Program?
  @Argument(
    help: ArgumentHelp(
      tr("A file in the schema of all MSALs; standard input if it is - or omitted."),
      valueName: tr("file")),
    completion: .file())
  var file: String?

  func validate() throws {
    guard from == nil || file == nil else {
      throw ValidationError(Sentence("Specify a file or --from, not both."))
    }
  }

  /// A program whose cache can be read.
  struct Program {
    let name: String
    let location: TokenCacheLocation
  }

  private static func program(_ name: String) throws -> Program {
    guard let location = TokenCacheLocation.preset(name) else {
      throw ValidationError(
        Sentence(
          "The cache of “{program}” is not supported. Use {names}.",
          ["program": name, "names": TokenCacheLocation.presets.joined(separator: ", ")]))
    }
    return Program(name: name, location: location)
  }

  func perform() async throws(CommandError) {
    let context = try CommandContext(common)
    let contents = try await source()
    try await context.open(settingPassphrase: true)
    let results = try await context.storing { () async throws(AuthenticationError) in
      try await contents.merge(into: context.client.store)
    }
    let foreign = contents.foreignTokenCount
    let skipped = foreign > 0 ? [Self.skipped(foreign)] : []
    guard !results.isEmpty else { throw Self.nothingFound(skipped) }
    let sentences =
      try results.map(Self.sentence) + Self.remarks(onAppsOf: results, for: context.connection)
      + skipped
    try output.print(
      sentences.map { Line($0) },
      ["accounts": .array(results.map(Self.json)), "tokensLeftOut": JSON(foreign)])
  }

  /// What was to be imported has no account: the program before a pipe may have failed.
  private static func nothingFound(_ more: [Sentence]) -> CommandError {
    CommandError(
      "noTokenCache", Sentence([Sentence("No accounts were found.")] + more),
      nextStep: Sentence(
        "Check the program that wrote the cache: it may have failed, or no one is signed in to it."
      ))
  }

  private static func skipped(_ count: Int) -> Sentence {
    Sentence("Tokens skipped, because they cannot be used here: {number}", ["number": count])
  }

  /// Names the client IDs that no app has which uses this cache; other programs may use a shared one.
  private static func remarks(
    onAppsOf results: [UnifiedCache.ImportResult], for connection: Connection
  ) throws(CommandError) -> [Sentence] {
    guard connection.cache == nil else { return [] }
    let known = Set(
      try CommandContext.all().filter { $0.cache == nil }
        .map { $0.application.clientID.lowercased() })
    let unknown = Set(results.map { $0.clientID.lowercased() }).subtracting(known)
    return unknown.sorted().map {
      Sentence(
        "No app here has the client ID {app}, so nothing can use these tokens until you add one:"
          + " 'entrancectl app add --client-id ID'.", ["app": $0])
    }
  }

  private static func json(_ result: UnifiedCache.ImportResult) -> JSON {
    [
      "result": JSON(result.kind.rawValue), "username": JSON(result.username),
      "homeAccountID": JSON(result.homeAccountID), "clientID": JSON(result.clientID),
    ]
  }

  private static func sentence(_ result: UnifiedCache.ImportResult) -> Sentence {
    let name = result.username.isEmpty ? result.homeAccountID : result.username
    return switch result.kind {
    case .new:
      Sentence("{name} was imported, for the app {app}", ["name": name, "app": result.clientID])
    case .changed:
      Sentence(
        "{name} was updated, for the app {app}",
        ["name": name, "app": result.clientID])
    case .unchanged:
      Sentence(
        "{name} was already up to date, for the app {app}", ["name": name, "app": result.clientID])
    }
  }

  /// What is imported.
  private func source() async throws(CommandError) -> UnifiedCache {
    if let from { return try await Self.cache(of: from) }
    return try Self.cache(inFile: file == "-" ? nil : file)
  }

  private static func cache(of program: Program) async throws(CommandError) -> UnifiedCache {
    let contents = try await reporting { () async throws(AuthenticationError) in
      try await UnifiedCache(of: program.location.store)
    }
    guard !contents.isEmpty else {
      throw CommandError(
        "noTokenCache",
        Sentence(
          "“{program}” has no token cache here, or it is empty.", ["program": program.name]),
        nextStep: Sentence(
          "Sign in with that program first, or specify its file instead of '--from'."))
    }
    return contents
  }

  /// - Parameter path: nil for standard input.
  private static func cache(inFile path: String?) throws(CommandError) -> UnifiedCache {
    let text = try Input.text(
      path ?? "-", asking: Sentence("Paste the cache, then press Ctrl+D."))
    do throws(JSONError) {
      return try UnifiedCache(Secret(text))
    } catch {
      throw CommandError(
        "noTokenCache",
        path.map {
          Sentence(
            "The file “{path}” is not a token cache: {reason}, line {line}.",
            ["path": $0, "reason": error.reason, "line": error.line])
        }
          ?? Sentence(
            "Standard input is not a token cache: {reason}, line {line}.",
            ["reason": error.reason, "line": error.line]))
    }
  }
}
