import AuthCore

extension String {
  /// The name of an account, of a person or of an organization, as it is shown.
  ///
  /// A service can send one of any length, and the layout of a long one takes a time that grows with
  /// the square of its length. A mail address has at most 320 characters (RFC 5321, section 4.5.3.1).
  var shownName: String { shown(upTo: 320) }
}
