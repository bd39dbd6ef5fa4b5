extension WebAuthenticationRequest: CustomStringConvertible, CustomReflectable {
  /// Where the pages are, without the query of their URL: that holds what the answer is held against, and
  /// who signs in or out.
  public var description: String {
    let address = startURL.prefix { $0 != "?" && $0 != "#" }
    return address + (address.utf8.count < startURL.utf8.count ? "?…" : "")
  }

  /// A mirror that shows no more than ``description``.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "startURL": description, "redirectURI": redirectURI,
        "prefersEphemeralSession": prefersEphemeralSession,
      ])
  }
}
