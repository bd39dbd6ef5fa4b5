import AuthCore
import Connections
import CurlHTTP
import EntranceKit

/// A program that can be set up to ask `entrancectl` for tokens.
struct ConfigurableProgram: Sendable {
  /// How it is set up.
  struct Setup {
    /// The app that it asks for; nil for the first one.
    var app: String?
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
    let runtime = ProcessEnvironment.variable("XDG_RUNTIME_DIR") ?? "/run"
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
        ["\(configuration)/containers/auth.json", "\(runtime)/containers/auth.json"]),
      mail("mutt", "~/.muttrc", "~/.mutt/muttrc", "mutt/muttrc"),
      mail("neomutt", "~/.neomuttrc", "neomutt/neomuttrc", "~/.muttrc", "mutt/muttrc"),
      mail("msmtp", "~/.msmtprc", "msmtp/config"),
      mail("mbsync", "~/.mbsyncrc", "isyncrc"),
      mail("aerc", "aerc/accounts.conf"),
      mail("offlineimap", "~/.offlineimaprc", "offlineimap/config", "~/.offlineimap.py"),
      mail("getmail", "getmail/getmailrc", "~/.getmail/getmailrc", "~/.config/getmail/getmailrc"),
    ]
  }

  /// How it is set up; nil when it does not ask Entrance.
  func setup() async -> Setup? {
    switch reading {
    case .git:
      // Git knows all its files; the pattern has it succeed only when one of them names the helper.
      let pattern = #"^credential\.(.*\.)?helper$"#
      return await ChildProcess.run(["git", "config", "--get-regexp", pattern, "entrance"])
        ? Setup() : nil
    case .docker: return texts.lazy.compactMap(Self.docker).first
    case .command: return texts.lazy.compactMap(Self.command).first
    }
  }

  /// The app whose tokens it gets; nil when there is none.
  func connection(_ setup: Setup, of connections: [Connection]) -> Connection? {
    if let app = setup.app { return connections.first { $0.name == app } }
    let chosen =
      switch reading {
      case .git: GitHost.azureRepos(of: connections)
      case .docker: ContainerRegistry.app(of: connections)
      case .command: connections.first
      }
    return chosen ?? connections.first
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

  private static func docker(_ text: String) -> Setup? {
    guard let json = try? JSON(parsing: Array(text.utf8)) else { return nil }
    let helpers = [json["credsStore"]] + (json["credHelpers"]?.object ?? []).map(\.value)
    return helpers.contains { $0?.string == "entrance" } ? Setup() : nil
  }

  /// Finds the command, and the app that one of its next arguments names.
  private static func command(_ text: String) -> Setup? {
    let lines = text.split(separator: "\n").filter { $0.first { $0 != " " && $0 != "\t" } != "#" }
    let words = lines.joined(separator: "\n").split { $0.isWhitespace || "\"'`[],()".contains($0) }
    let commands = words.indices.filter {
      words[$0] == "entrancectl" || words[$0].hasSuffix("/entrancectl")
    }
    guard let command = commands.first else { return nil }
    let next = words[command...].dropFirst().prefix(12)
    guard let option = next.firstIndex(of: "--app") else { return Setup() }
    // Elements of a list in YAML have a hyphen before them.
    return Setup(app: next[(option + 1)...].first { $0 != "-" }.map(String.init))
  }
}
