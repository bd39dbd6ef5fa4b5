/// A directory of users: an organization, or the one with all personal accounts.
struct Tenant: Sendable, Hashable {
  /// The `tid` of tokens, a GUID.
  let id: String
  /// The domain that can replace the GUID in the authority's path.
  let domain: String
  /// The name of the organization.
  let displayName: String

  /// The organization of most demo users.
  static let contoso = Tenant(
    id: "f3a8c5d2-7b1e-4c69-9d04-5e2b8a7c1f60", domain: "contoso.example", displayName: "Contoso")

  /// A second organization, with one guest.
  static let fabrikam = Tenant(
    id: "0b6e9a41-3c57-4f2d-8e1a-d9c4b7f05a23", domain: "fabrikam.example",
    displayName: "Fabrikam")

  /// The tenant of personal accounts.
  ///
  /// It has the same GUID as Microsoft's.
  static let personal = Tenant(
    id: "9188040d-6c67-4c5b-b112-36a304b66dad", domain: "outlook.example",
    displayName: "Personal accounts")

  /// The External ID tenant: anyone with an email address can be a customer.
  static let customers = Tenant(
    id: "6d2f8b07-c4e1-4a35-b9f6-17a0e3d58c92", domain: "customers.example",
    displayName: "Contoso Customers")

  /// The B2C tenant.
  static let shop = Tenant(
    id: "a94c1e63-5f0b-4d78-8c2a-e6b7094d3f15", domain: "shop.example",
    displayName: "Contoso Shop")

  /// Contoso's own directory, the only one in AD FS.
  static let federation = Tenant(
    id: "adfs", domain: "contoso.example", displayName: "Contoso AD FS")

  /// The accounts of the OpenID Connect provider.
  static let realm = Tenant(id: "Contoso", domain: "contoso.example", displayName: "Contoso ID")

  /// The tenants of every emulator that a path can name.
  static let all = [contoso, fabrikam, personal, customers, shop]

  /// Whether every user has an account that exists only in this tenant.
  var hasLocalAccounts: Bool { [.customers, .shop, .federation, .realm].contains(self) }
}
