/// Whose account it is, wherever it signs in: the `client_info` of a token response.
struct ClientInfo: Sendable, Equatable {
  /// The account's ID in its home tenant.
  var uid: String
  /// The home tenant's ID.
  var utid: String

  /// Reads base64url-encoded JSON with `uid` and `utid`; nil when it is anything else.
  init?(_ text: String) {
    guard let data = Base64URL.decode(text), let json = try? JSON(parsing: data),
      let uid = json["uid"]?.string, let utid = json["utid"]?.string, !uid.isEmpty,
      !utid.isEmpty
    else { return nil }
    self.uid = uid
    self.utid = utid
  }

  /// The ID under which accounts are kept: `uid.utid`, in lower case.
  var homeAccountID: HomeAccountID {
    HomeAccountID(objectID: uid.lowercased(), tenantID: utid.lowercased())
  }
}
