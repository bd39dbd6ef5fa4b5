extension String {
  /// The address with `https://`, as people leave it out; a single word is none, but for this
  /// computer's name.
  package var withScheme: String {
    let isAddress = contains { ".:/".contains($0) } || lowercased() == "localhost"
    return !isAddress || firstRange(of: "://") != nil || contains(where: \.isWhitespace)
      ? self : "https://\(self)"
  }
}
