import AuthCore
import Connections
import Sentences

/// All checks, in the order in which one stands on another.
struct Examination {
  /// The connection to look at; the first one when nil.
  let connection: String?

  func run() async -> [Finding] {
    let (finding, connection) = connectionCheck()
    let desktop = DesktopChecks()
    let storage = await StorageChecks(connection: connection)
    let exposure = ConnectionFile.exposure(EntranceIdentity.connectionsPath)
    var findings = [finding]
    if let exposure {
      findings.append(Finding(name: "connectionsFile", state: .warning, message: exposure))
    }
    findings += [
      await desktop.sessionBus(isNeeded: storage.needsKeyring), storage.keyring(),
      storage.storage(),
    ]
    findings += [
      await desktop.broker(connection), desktop.webKit(), await desktop.sandbox(),
      desktop.browser(),
    ]
    let network = NetworkChecks(connection: connection)
    findings += [network.authorities(), await network.proxy()]
    findings += await network.signInService()
    return findings
  }

  private func connectionCheck() -> (Finding, Connection?) {
    do throws(CommandError) {
      let connection = try CommandContext.find(connection)
      let finding = Finding.ok(
        "connection",
        Sentence(
          "Connection '{name}': client {id} at {authority}",
          [
            "name": connection.name, "id": connection.application.clientID,
            "authority": "\(connection.application.authority)",
          ]))
      return (finding, connection)
    } catch {
      return (
        Finding(
          name: "connection", state: .problem, message: error.message, advice: error.nextStep), nil
      )
    }
  }
}
