/// A directory of users: an organisation, or the one that holds all personal accounts.
struct Tenant: Sendable, Hashable {
  /// The GUID that tokens carry as `tid`.
  let id: String
  /// The domain that may stand in the authority's path instead of the GUID.
  let domain: String
  /// The name a person knows the organisation by.
  let displayName: String

  /// The organisation most demo users belong to.
  static let contoso = Tenant(
    id: "f3a8c5d2-7b1e-4c69-9d04-5e2b8a7c1f60", domain: "contoso.example", displayName: "Contoso")

  /// A second organisation, which has one guest.
  static let fabrikam = Tenant(
    id: "0b6e9a41-3c57-4f2d-8e1a-d9c4b7f05a23", domain: "fabrikam.example",
    displayName: "Fabrikam")

  /// The tenant of personal accounts.
  ///
  /// Its GUID is the same at Microsoft.
  static let personal = Tenant(
    id: "9188040d-6c67-4c5b-b112-36a304b66dad", domain: "outlook.example",
    displayName: "Personal accounts")

  /// Every tenant the emulator knows.
  static let all = [contoso, fabrikam, personal]
}
