import AuthCore
import Connections
import CurlHTTP
import EntranceKit
import Sentences

/// Looks which programs are set up to ask for tokens, and what each would get.
///
/// Nothing of their files is shown but the name of an app, and none of the programs sends anything.
struct ProgramChecks {
  let policy: ProgramPolicy
  let records: [ProgramRecord]
  let connections: [Connection]

  func run() async -> [Finding] {
    var findings: [Finding] = []
    var missing: [String] = []
    for program in ConfigurableProgram.all {
      guard ProcessEnvironment.program(program.name) != nil else {
        missing.append(program.name)
        continue
      }
      findings.append(finding(program, await program.setup(connections)))
    }
    if ProcessEnvironment.program("az") != nil {
      findings.append(azureCLI())
    } else {
      missing.append("az")
    }
    if !missing.isEmpty {
      findings.append(
        .absent(
          "program",
          Sentence("Not installed: {names}", ["names": missing.joined(separator: ", ")])))
    }
    return findings
  }

  private func finding(
    _ program: ConfigurableProgram, _ setup: ConfigurableProgram.Setup?
  ) -> Finding {
    let name = program.name
    guard let setup else {
      return .absent(
        "program",
        Sentence(
          "{program} is not set up to ask Entrance; 'man {page}' shows how",
          ["program": name, "page": program.page]))
    }
    guard !setup.storesPasswords else {
      return .warning(
        "program",
        Sentence("{program} stores passwords with Entrance, which keeps none.", ["program": name]),
        CredentialDocker.advice)
    }
    let app = setup.app ?? connections.first?.name
    guard let connection = program.connection(setup, of: connections) else {
      return .warning(
        "program",
        app.map {
          Sentence(
            "{program} asks Entrance for tokens of the app “{app}”, which does not exist.",
            ["program": name, "app": $0])
        }
          ?? Sentence(
            "{program} asks Entrance for tokens, but there is no app to sign in with.",
            ["program": name]),
        Sentence(
          "Add it with '{command}', or list all with 'entrancectl app list'.",
          ["command": Self.adding(app)]))
    }
    let known = records.filter { program.isBehind($0.program) }
    let refusal = Sentence(
      "{program} asks Entrance for tokens, and gets none.", ["program": name])
    if let obstacle = program.obstacle(setup, of: connections) {
      return .warning(
        "program", refusal,
        Sentence([obstacle.message, obstacle.nextStep].compactMap(\.self)))
    }
    guard policy != .deny else { return .warning("program", refusal, ProgramPolicy.advice) }
    if let denied = known.first(where: { $0.decision == .deny }) {
      return .warning(
        "program",
        Sentence("{program} asks Entrance for tokens, and you denied it.", ["program": name]),
        denied.program.allowing)
    }
    let isAllowed = known.contains { record in
      record.decision == .allow
        && record.grants.contains { $0.app == connection.name && !$0.allowed.isEmpty }
    }
    if policy == .ask, !isAllowed {
      return .ok(
        "program",
        Sentence(
          "{program} asks Entrance for tokens of the app “{app}”; you are asked first",
          ["program": name, "app": connection.name]))
    }
    return .ok(
      "program",
      Sentence(
        "{program} gets tokens of the app “{app}” from Entrance",
        ["program": name, "app": connection.name]))
  }

  /// The command that adds an app, which has a name of its own if none is missed.
  private static func adding(_ app: String?) -> String {
    let id = (name: "--client-id", value: "ID")
    return AdvisedCommand(
      name: "app add", options: [id] + (app.map { [(name: "--name", value: $0)] } ?? [])
    ).text
  }

  /// Azure CLI asks nobody: it may have its token cache in common with an app.
  private func azureCLI() -> Finding {
    let caches = ["az", "az-encrypted"].compactMap { TokenCacheLocation.preset($0) }
    let sharing = connections.first { $0.cache.map(caches.contains) == true }
    guard let sharing else {
      return .absent(
        "program",
        Sentence(
          "{program} signs in by itself; an app with its token cache would share its tokens",
          ["program": "az"]))
    }
    return .ok(
      "program",
      Sentence(
        "{program} shares its tokens with the app “{app}”",
        ["program": "az", "app": sharing.name]))
  }
}
