public import Connections
import Localization
public import Sentences

// What happened to the connection of an open window.
extension Notice {
  static let connectionID = "connection"
  private static let systemFaultID = "system-apps"

  /// The connection was removed.
  fileprivate static func connectionGone(_ name: String) -> Self {
    Self(
      id: connectionID, style: .warning, title: tr("The App Was Removed"),
      text: tr(
        "“{name}” was removed. This window can be used until it is closed.",
        ["name": name]),
      buttons: [Button(label: tr("App_s"), action: .showConnections)],
      canBeDismissed: true)
  }

  /// The file with the connections cannot be read any more.
  fileprivate static func connectionsBroken(_ error: ConnectionFileError) -> Self {
    let edit = Button(label: tr("_Edit App…"), action: .correctConnection)
    let openFile = Button(label: tr("Open Configuration _File"), action: .openConnectionFile)
    let text =
      error.readFailure.map {
        tr(
          "The list of apps cannot be read: {reason}. This window continues to use the previous"
            + " version of the app.",
          ["reason": $0])
      }
      ?? tr(
        "There is an error in the list of apps: {reason}. This window continues to use the previous"
          + " version of the app.",
        ["reason": error.sentence])
    return Self(
      id: connectionID, style: .warning, title: tr("The List of Apps Cannot Be Read"), text: text,
      buttons: error.isInForm ? [edit, openFile] : [openFile],
      canBeDismissed: true)
  }

  /// A file with apps for everyone of this computer cannot be used.
  fileprivate static func systemFault(_ path: String, _ error: ConnectionFileError) -> Self {
    Self(
      id: systemFaultID, style: .warning,
      text: tr(
        "Apps that your administrator has set up are missing: {path} cannot be read.",
        ["path": path]),
      details: [tr(error.sentence)], canBeDismissed: true)
  }

  /// The connection was changed to something that cannot be used, in this field.
  fileprivate static func changeUnused(_ problem: String, _ field: String) -> Self {
    Self(
      id: connectionID, style: .warning, title: tr("The Change Cannot Be Used"),
      text: tr(
        "{problem} This window continues to use the previous version of the app.",
        ["problem": problem]),
      buttons: [Button(label: tr("_Edit App…"), action: .edit(at: field))],
      canBeDismissed: true)
  }
}

extension WindowModel {
  /// Says that others can change the user's own file
  /// (``Connections/ConnectionFile/exposure(_:)``), or that one for everyone cannot be used.
  public func warn(about files: ConnectionFiles) {
    if let exposure = ConnectionFile.exposure(files.own) { status.put(.exposure(tr(exposure))) }
    if let fault = files.systemFaults().first { status.put(.systemFault(fault.path, fault.error)) }
  }

  /// Says that the connection was changed to something that cannot be used, and why.
  ///
  /// - Parameters:
  ///   - problem: a whole sentence.
  ///   - field: the field of `apps.json` that has it.
  public func warn(unused problem: Sentence, in field: String) {
    status.put(.changeUnused(tr(problem), field))
    status.log(tr(problem), .failure)
  }

  /// Whether nothing is left to do here: the connection was removed, and nobody is signed in.
  public var isAbandoned: Bool {
    status.notices[Notice.connectionID] == .connectionGone(workspace.connection.name)
      && storage.loadState == .known && heading.accounts.isEmpty && status.isIdle
  }

  /// Follows a change of the file with the connections: says when the window's own cannot be found
  /// in it, and no longer says so when it can.
  ///
  /// - Parameters:
  ///   - connection: the connection, as the file had it before.
  ///   - read: reads the file.
  /// - Returns: the connection as the file has it now, maybe with another name; nil when it has none.
  public func find(
    _ connection: Connection, in read: () throws(ConnectionFileError) -> [Connection]
  ) -> Connection? {
    do throws(ConnectionFileError) {
      let all = try read()
      let sameName = all.first { $0.name == connection.name }
      // Until a new name is followed, it is found again.
      if sameName != nil { connectionNames = Set(all.map(\.name)) }
      // A copy that was there before is another app, with data of its own.
      let found =
        sameName
        ?? all.first {
          !connectionNames.contains($0.name) && $0.renamed(connection.name) == connection
        }
      guard let found else {
        status.put(.connectionGone(connection.name))
        return nil
      }
      status.remove(Notice.connectionID)
      return found
    } catch {
      status.put(.connectionsBroken(error))
      return nil
    }
  }
}

extension Connection {
  /// The same connection with another name.
  fileprivate func renamed(_ name: String) -> Connection {
    var connection = self
    connection.name = name
    return connection
  }
}
