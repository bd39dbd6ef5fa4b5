import CurlHTTP

extension HTTPFile {
  /// The folder of the file at `path`, which the files that it names are in; empty for standard
  /// input, `-`, which is in none.
  public static func directory(of path: String) -> String {
    guard path != "-" else { return "" }
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }
}

extension HTTPFile.Values {
  /// Reads the values of the file `.env` beside the file at `path`, if there is one.
  ///
  /// - Parameters:
  ///   - given: the variables that were given.
  ///   - hasPlaceholders: whether a variable may have no value.
  ///   - environment: the environment of the process.
  public init(
    besideFileAt path: String, given: [String: String] = [:], hasPlaceholders: Bool = false,
    environment: @escaping @Sendable (String) -> String? = { _ in nil }
  ) {
    let bytes = try? FileReader(".env", in: HTTPFile.directory(of: path))
      .read(upTo: FileReader.Limit.small)
    self.init(
      given: given, dotenv: Self.dotenv(bytes ?? []), hasPlaceholders: hasPlaceholders,
      environment: environment)
  }
}
