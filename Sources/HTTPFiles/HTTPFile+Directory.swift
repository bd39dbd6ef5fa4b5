extension HTTPFile {
  /// The folder of the file at `path`, which the files that it names are in; empty for standard
  /// input, `-`, which is in none.
  public static func directory(of path: String) -> String {
    guard path != "-" else { return "" }
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }
}
