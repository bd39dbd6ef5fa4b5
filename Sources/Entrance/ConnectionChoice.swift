/// Which connection the person asked for.
enum ConnectionChoice: Equatable {
  /// The identity service that comes with the program.
  case demo
  /// The first one of `connections.json`.
  case first
  /// The one of this name in `connections.json`.
  case named(String)
}
