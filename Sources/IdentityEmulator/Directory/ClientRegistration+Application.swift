/// The accounts that can sign in to an application, as Microsoft Graph names them.
enum SignInAudience: String, Sendable, CaseIterable {
  /// Those of the tenant in which it was created.
  case oneOrganization = "AzureADMyOrg"
  /// Those of any organization.
  case organizations = "AzureADMultipleOrgs"
  /// Those of any organization, and personal ones.
  case everyone = "AzureADandPersonalMicrosoftAccount"
  /// Personal ones.
  case personal = "PersonalMicrosoftAccount"
}

extension ClientRegistration {
  /// The registration of an application that Microsoft Graph has.
  ///
  /// <https://learn.microsoft.com/graph/api/resources/application>
  init(application: JSON, in tenant: Tenant) {
    func redirectURIs(_ platform: String) -> [String] {
      application[platform]?["redirectUris"]?.items?.compactMap(\.string) ?? []
    }
    self.init(
      clientID: application["appId"]?.string ?? "",
      displayName: application["displayName"]?.string ?? "",
      redirectURIs: redirectURIs("publicClient"), pageRedirectURIs: redirectURIs("spa"))
    home = tenant
    audience =
      application["signInAudience"]?.string.flatMap(SignInAudience.init(rawValue:)) ?? .everyone
    allowsPublicFlows =
      if case .bool(true)? = application["isFallbackPublicClient"] { true } else { false }
  }

  /// Refuses an authority whose accounts cannot sign in.
  func checkAudience(at authority: Authority) throws(EntraError) {
    guard let home else { return }
    let unknown = EntraError.unknownClient(clientID, tenant: authority.name)
    switch (audience, authority.audience) {
    case (.oneOrganization, .tenant(home)), (.everyone, _): break
    case (.oneOrganization, .common), (.oneOrganization, .organizations):
      throw .singleTenant(self, tenant: authority.name)
    case (.oneOrganization, _): throw unknown
    case (.organizations, .consumers): throw unknown
    case (.organizations, _): break
    case (.personal, .common), (.personal, .consumers): break
    case (.personal, _): throw unknown
    }
  }
}
