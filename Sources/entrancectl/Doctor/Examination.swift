import AuthCore
import Connections
import EntranceKit
import Sentences

/// All checks, in the order in which one stands on another.
struct Examination {
  /// The connection to look at; the first one when nil.
  let connection: String?
  /// What is tried as the passphrase of the encrypted files; empty when none is given.
  let passphrases: [Secret<String>]

  func run() async -> [Finding] {
    let (finding, found) = connectionCheck()
    let desktop = DesktopChecks()
    let signIn = SuggestedSignIn(app: connection)
    let storage = await StorageChecks(
      connection: found, signIn: signIn, passphrases: passphrases)
    let files = ConnectionFiles.standard
    var findings = [finding]
    findings += ([files.own] + files.system).compactMap(ConnectionFile.exposure).map {
      Finding(name: "appsFile", state: .warning, message: $0)
    }
    findings += files.systemFaults().map { fault in
      let error = CommandError(fault.error, path: fault.path)
      return Finding(
        name: "appsFile", state: .problem, message: error.message,
        advice: Sentence("Ask your administrator to correct it."))
    }
    findings += [
      await desktop.sessionBus(isNeeded: storage.needsKeyring), storage.keyring(),
      storage.storage(),
    ]
    findings += CacheChecks().run() + (await programs())
    // Without the apps, it is not known what a program would get.
    if let connections = try? CommandContext.all() {
      findings += await ProgramChecks(
        policy: ProgramList.standard.policy(Administration.programPolicy),
        records: ProgramList.standard.all(), connections: connections
      ).run()
    }
    findings += [
      await desktop.broker(found), desktop.webKit(), await desktop.sandbox(),
      desktop.browser(signIn),
    ]
    let network = NetworkChecks(connection: found)
    findings += [network.authorities(), await network.proxy()]
    findings += await network.signInService()
    return findings
  }

  /// Which programs get no tokens, because the person or a preference says so, or have to ask, because
  /// the list is damaged.
  private func programs() async -> [Finding] {
    if Administration.programPolicy == .deny {
      return [
        .warning(
          "programs", Sentence("Programs get no tokens of your accounts."), ProgramPolicy.advice)
      ]
    }
    let faults = await ProgramList.standard.faults().map { fault in
      Finding.warning("programs", fault.sentence, fault.advice)
    }
    let denied = await ProgramList.standard.all().filter { $0.decision == .deny }
    guard let first = denied.first else { return faults }
    return faults + [
      Finding.warning(
        "programs",
        Sentence(
          "You denied these programs access to your accounts: {names}.",
          ["names": denied.map(\.program.name).joined(separator: ", ")]),
        denied.count == 1
          ? first.program.allowing
          : Sentence("To allow one, run 'entrancectl programs allow PROGRAM'."))
    ]
  }

  private func connectionCheck() -> (Finding, Connection?) {
    do throws(CommandError) {
      let connection = try CommandContext.find(connection)
      let finding = Finding.ok(
        "app",
        Sentence(
          "App “{name}”: client {id} at {authority}",
          [
            "name": connection.name, "id": connection.application.clientID,
            "authority": "\(connection.application.authority)",
          ]))
      return (finding, connection)
    } catch {
      return (
        Finding(
          name: "app", state: .problem, message: error.message, advice: error.nextStep), nil
      )
    }
  }
}
