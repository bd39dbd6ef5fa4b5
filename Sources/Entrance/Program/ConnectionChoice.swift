import Gtk

/// The connection that the user requested.
enum ConnectionChoice: Equatable {
  /// The identity service that comes with the program.
  case demo
  /// The first one of `connections.json`.
  case first
  /// The one of this name in `connections.json`.
  case named(String)

  /// The connection requested by the program's options.
  init(_ options: CommandLineOptions) {
    if options.contains("demo") {
      self = .demo
    } else if let name = options.value(of: "connection") {
      self = .named(name)
    } else {
      self = .first
    }
  }
}
