import AuthCore
import Connections
import CurlHTTP
import EntranceKit
import Glibc

/// A program that can be set up to ask `entrancectl` for tokens.
struct ConfigurableProgram: Sendable {
  /// How it is set up.
  struct Setup {
    /// The app that it asks for; nil for the first one.
    var app: String?
    /// Whether it is to keep its passwords here, too.
    var storesPasswords = false
    /// Whether it names the scopes of the tokens.
    var namesScopes = false
  }

  /// The name of its file.
  let name: String
  /// The manual page that says how it is set up.
  let page: String
  /// Its configuration files, of which any may be missing; `~` is the home directory.
  private let files: [String]
  private let reading: Reading

  /// How its configuration tells whom it asks.
  private enum Reading {
    /// Git tells by itself.
    case git
    /// JSON of docker's, with the names of helpers.
    case docker
    /// The text has the command.
    case command
  }

  private init(_ name: String, _ page: String, _ reading: Reading, _ files: [String]) {
    (self.name, self.page, self.reading, self.files) = (name, page, reading, files)
  }

  /// All that the manual pages have a recipe for.
  static var all: [ConfigurableProgram] {
    let configuration = HomeDirectory.base("XDG_CONFIG_HOME", orHome: ".config")
    let docker = ProcessEnvironment.variable("DOCKER_CONFIG") ?? "~/.docker"
    let runtime =
      ProcessEnvironment.variable("XDG_RUNTIME_DIR").map { "\($0)/containers" }
      ?? "/run/containers/\(geteuid())"
    let kubectl = ProcessEnvironment.variable("KUBECONFIG")?.split(separator: ":").map(String.init)
    func mail(_ name: String, _ files: String...) -> ConfigurableProgram {
      ConfigurableProgram(
        name, "entrance-mail", .command,
        files.map { $0.hasPrefix("~") ? $0 : "\(configuration)/\($0)" })
    }
    return [
      ConfigurableProgram("git", "entrancectl", .git, []),
      ConfigurableProgram("kubectl", "entrancectl", .command, kubectl ?? ["~/.kube/config"]),
      ConfigurableProgram("docker", "entrancectl", .docker, ["\(docker)/config.json"]),
      ConfigurableProgram(
        "podman", "entrancectl", .docker,
        [
          "\(runtime)/auth.json", "\(configuration)/containers/auth.json", "\(docker)/config.json",
        ]),
      mail("mutt", "~/.muttrc", "~/.mutt/muttrc", "mutt/muttrc"),
      mail("neomutt", "~/.neomuttrc", "neomutt/neomuttrc", "~/.muttrc", "mutt/muttrc"),
      mail("msmtp", "~/.msmtprc", "msmtp/config"),
      mail("mbsync", "~/.mbsyncrc", "isyncrc"),
      mail("aerc", "aerc/accounts.conf"),
      mail("offlineimap", "~/.offlineimaprc", "offlineimap/config", "~/.offlineimap.py"),
      mail("getmail", "getmail/getmailrc", "~/.getmail/getmailrc", "~/.config/getmail/getmailrc"),
    ]
  }

  /// How it is set up to ask for tokens of one of `connections`; nil when it does not ask Entrance.
  func setup(_ connections: [Connection]) async -> Setup? {
    switch reading {
    case .git:
      // Git knows all its files; the pattern has it succeed only when one of them names the helper.
      let pattern = #"^credential\.(.*\.)?helper$"#
      return await ChildProcess.run(["git", "config", "--get-regexp", pattern, "entrance"])
        ? Setup() : nil
    case .docker:
      // podman knows only the helpers of single registries: containers-auth.json(5).
      return texts.lazy.compactMap { Self.docker($0, hasStore: name == "docker") }.first
    case .command:
      let names = connections.map(\.name)
      return texts.lazy.compactMap { Self.command($0, names) }.first
    }
  }

  /// The app whose tokens it gets; nil when there is none.
  func connection(_ setup: Setup, of connections: [Connection]) -> Connection? {
    if let app = setup.app { return connections.first { $0.name == app } }
    let chosen = services(setup).lazy.compactMap { $0.service.app(among: connections) }.first
    return chosen ?? ownAPI(of: connections) ?? connections.first
  }

  /// Why it gets no token, whoever is signed in; nil when there can be one.
  func obstacle(_ setup: Setup, of connections: [Connection]) -> CommandError? {
    guard ownAPI(of: connections) == nil else { return nil }
    var first: CommandError?
    for (service, name) in services(setup) {
      do throws(CommandError) {
        _ = try AppForHost(service, named: name, app: setup.app)
        return nil
      } catch {
        first = first ?? error
      }
    }
    return first
  }

  /// The services of Azure's that it asks for, and what they are called; none when it asks for any.
  private func services(_ setup: Setup) -> [(service: AzureService, name: String)] {
    switch reading {
    case .git: [(.repos, "Azure Repos")]
    case .docker: ContainerRegistry.services.map { ($0, "Azure Container Registry") }
    case .command where name == "kubectl" && !setup.namesScopes:
      [(.kubernetes, CredentialKubectl.service)]
    case .command: []
    }
  }

  /// The app whose own API can be what it asks for.
  private func ownAPI(of connections: [Connection]) -> Connection? {
    switch reading {
    case .git, .docker: AppForHost.withOwnAPI(of: connections)
    case .command: nil
    }
  }

  /// Whether it is the one that asks, by itself or by a part of it.
  func isBehind(_ program: CallingProgram) -> Bool {
    program.name == name || name == "git" && program.name.hasPrefix("git-remote-")
  }

  private var texts: [String] {
    files.compactMap { file in
      let path = file.hasPrefix("~") ? HomeDirectory.path + file.dropFirst() : file
      guard let bytes = try? FileReader(path).read(upTo: FileReader.Limit.small) else { return nil }
      return String(decoding: bytes, as: UTF8.self)
    }
  }

  private static func docker(_ text: String, hasStore: Bool) -> Setup? {
    guard let json = try? JSON(parsing: Array(text.utf8)) else { return nil }
    let helper = "entrance"
    if hasStore, json["credsStore"]?.string == helper { return Setup(storesPasswords: true) }
    let helpers = json["credHelpers"]?.object ?? []
    return helpers.contains { $0.value.string == helper } ? Setup() : nil
  }

  /// The words of a text, without marks that are around arguments and before them.
  private static func words(_ text: String) -> [Substring] {
    text.split { $0.isWhitespace || "\"'`[],()\\".contains($0) }
  }

  /// Finds the command, and the app that one of its next arguments names.
  ///
  /// - Parameter names: the names of apps, of which some have blanks.
  private static func command(_ text: String, _ names: [String]) -> Setup? {
    let lines = text.split(separator: "\n").filter { $0.first { $0 != " " && $0 != "\t" } != "#" }
    let words = words(lines.joined(separator: "\n"))
    let commands = words.indices.filter {
      words[$0] == "entrancectl" || words[$0].hasSuffix("/entrancectl")
    }
    guard let command = commands.first else { return nil }
    let next = words[command...].dropFirst().prefix(12)
    let namesScopes = next.contains { $0 == "--scope" || $0.hasPrefix("--scope=") }
    let mark = "--app="
    guard let option = next.firstIndex(where: { $0 == "--app" || $0.hasPrefix(mark) }) else {
      return Setup(namesScopes: namesScopes)
    }
    // Elements of a list in YAML have a hyphen before them.
    let rest = ([words[option].dropFirst(mark.count)] + words[(option + 1)...])
      .drop { $0.isEmpty || $0 == "-" }
    let known = names.filter { name in
      let parts = Self.words(name)
      return !parts.isEmpty && rest.starts(with: parts)
    }
    return Setup(app: known.max { $0.count < $1.count } ?? rest.first.map(String.init))
  }
}
