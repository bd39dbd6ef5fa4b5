/// The `client_info` of a token response, which identifies the account in all tenants.
struct ClientInfo: Sendable, Equatable {
  /// The account's ID in its home tenant.
  var uid: String
  /// The home tenant's ID.
  var utid: String

  /// Parses base64url-encoded JSON with `uid` and `utid`; nil for anything else.
  init?(_ text: String) {
    guard let data = Base64URL.decode(text), let json = try? JSON(parsing: data),
      let uid = json["uid"]?.string, let utid = json["utid"]?.string, !uid.isEmpty,
      !utid.isEmpty
    else { return nil }
    self.uid = uid
    self.utid = utid
  }

  /// The ID of the account in the cache: `uid.utid`, in lower case.
  var homeAccountID: HomeAccountID {
    HomeAccountID(objectID: uid.lowercased(), tenantID: utid.lowercased())
  }
}
