import AuthCore
import Sentences

/// Looks for the token caches of other programs; nothing in them is read.
struct CacheChecks {
  /// The programs by their presets; one can have two, for its settings.
  private static let programs = [
    (name: "Azure CLI", presets: ["az", "az-encrypted"]),
    (name: "Azure SDK for Python", presets: ["azure-identity", "azure-identity-cae"]),
    (name: "Git Credential Manager", presets: ["git-credential-manager"]),
  ]

  /// What was found of each program.
  func run() -> [Finding] {
    let findings = Self.programs.compactMap { program -> Finding? in
      let used = TokenCacheLocation.used(by: program.presets)
      guard let latest = used.first else { return nil }
      let message =
        used.count == 1
        ? Sentence(
          "{program} keeps its tokens in {place}",
          ["program": program.name, "place": Self.place(of: latest)])
        : Sentence(
          "{program} last kept its tokens in {place}; with other settings, or in another version, in"
            + " {others}",
          [
            "program": program.name, "place": Self.place(of: latest),
            "others": Self.place(of: used[1]),
          ])
      return .ok("otherCache", message)
    }
    return findings.isEmpty
      ? [
        .absent(
          "otherCache",
          Sentence(
            "There is no token cache of {names}",
            ["names": Self.programs.map(\.name).joined(separator: ", ")]))
      ] : findings
  }

  private static func place(of location: TokenCacheLocation) -> Sentence {
    switch location.known {
    case .file(let path): Sentence("the file {path}", ["path": path])
    case .keyring(let item):
      Sentence(
        "the keyring’s item “{schema}”, with the file {path}",
        ["schema": item.schema, "path": item.signalFile])
    }
  }
}
