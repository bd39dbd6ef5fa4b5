import Connections
import EntranceKit
import Gtk

/// The connection that the user requested.
enum ConnectionChoice: Equatable {
  /// The identity service that comes with the program.
  case demo
  /// The one of `apps.json` that was used last, or else its first one.
  case lastUsed
  /// The one of this name in `apps.json`.
  case named(String)

  /// The connection called `name`, which any program of the user can ask for.
  ///
  /// A name that is longer than all names is shortened: it is no connection's, and is shown.
  init(name: String) {
    let limit = Connection.longestName
    let start = String(name.unicodeScalars.prefix(limit + 1))
    self = .named(start.unicodeScalars.count > limit ? start + "…" : name)
  }

  /// The connection requested by the program's options.
  init(_ options: CommandLineOptions) {
    if options.contains("demo") {
      self = .demo
    } else if let name = options.value(of: "app") {
      self.init(name: name)
    } else {
      self = .lastUsed
    }
  }

  /// The one that it means; nil when there is none in `connections`.
  func connection(of connections: [Connection], by preferences: Preferences) -> Connection? {
    switch self {
    case .demo: nil
    case .lastUsed: preferences.lastUsed(of: connections)
    case .named(let name): connections.first { $0.name == name }
    }
  }
}
