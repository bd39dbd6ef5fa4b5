import Glibc
import Sentences

/// The files with apps: the user's own, and those that administrators made for everyone of this
/// computer.
public struct ConnectionFiles: Sendable, Equatable {
  /// The path of the user's own file.
  public let own: String
  /// The paths of the files for everyone, those that come first win.
  public let system: [String]

  /// Names the files.
  public init(own: String, system: [String] = []) {
    (self.own, self.system) = (own, system)
  }

  /// Those that the app and the command line use: `entrance/apps.json` in the user's configuration
  /// directory, and in the system's, `$XDG_CONFIG_DIRS` or `/etc/xdg` (XDG Base Directory
  /// Specification).
  public static var standard: ConnectionFiles {
    ConnectionFiles(
      own: EntranceIdentity.connectionsPath,
      system: systemDirectories.map { "\($0)/entrance/apps.json" })
  }

  /// The directories of the system's configuration, the most important first: absolute paths of
  /// `XDG_CONFIG_DIRS`, or else `/etc/xdg`.
  private static var systemDirectories: [String] {
    let text = getenv("XDG_CONFIG_DIRS").map { String(cString: $0) } ?? ""
    let paths = text.split(separator: ":").map(String.init)
    return text.isEmpty ? ["/etc/xdg"] : paths.filter { $0.hasPrefix("/") }
  }

  /// Whether any of the files exists.
  public var exist: Bool { ([own] + system).contains { access($0, F_OK) == 0 } }

  /// All apps: the user's own, and then those for everyone whose names the user does not use.
  ///
  /// A file for everyone that cannot be used is left out, so that it takes nobody's own apps away;
  /// ``systemFaults()`` tells about it.
  /// - Throws: ``ConnectionFileError`` when the user's own file cannot be used.
  public func load() throws(ConnectionFileError) -> [Connection] {
    let connections = try ConnectionFile.load(own)
    return connections + systemConnections(except: connections.map(\.name))
  }

  /// The apps for everyone, but for those with these names.
  public func systemConnections(except names: [String]) -> [Connection] {
    var names = Set(names)
    return system.flatMap { (try? ConnectionFile.load($0)) ?? [] }
      .filter { names.insert($0.name).inserted }
  }

  /// The names of the apps for everyone.
  package var systemNames: Set<String> { Set(systemConnections(except: []).map(\.name)) }

  /// Sees whether an app of the user's own can get a name: that of an app for everyone would hide
  /// that one.
  ///
  /// - Parameter old: the name that the app had before, and may keep; nil for a new app.
  package func check(newName name: String, of old: String? = nil) throws(ConnectionFileError) {
    guard name != old, systemNames.contains(name) else { return }
    throw ConnectionFileError(
      line: nil, field: ConnectionFields.shared.name.name,
      reason: Sentence("another app has the same name"))
  }

  /// The files for everyone that cannot be used, and why.
  public func systemFaults() -> [(path: String, error: ConnectionFileError)] {
    system.compactMap { path in
      do throws(ConnectionFileError) {
        _ = try ConnectionFile.load(path)
        return nil
      } catch {
        return (path, error)
      }
    }
  }
}
