extension WebAuthenticationRequest: CustomStringConvertible, CustomReflectable {
  /// The start URL without its query, which contains the values that the response is checked
  /// against, and the user's name.
  public var description: String {
    let address = startURL.prefix { $0 != "?" && $0 != "#" }
    return address + (address.utf8.count < startURL.utf8.count ? "?…" : "")
  }

  /// A mirror that shows only ``description``.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "startURL": description, "redirectURI": redirectURI,
        "prefersEphemeralSession": prefersEphemeralSession,
      ])
  }
}
