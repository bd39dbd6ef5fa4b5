extension PublicClientApplication {
  /// The profile of `account` in the tenant that its tokens come from: its home tenant, or one
  /// where it is a guest.
  ///
  /// Nil when it has not signed in to that tenant yet. With an authority for several tenants,
  /// tokens come from the account's home tenant.
  public nonisolated func tenantProfile(of account: Account) -> TenantProfile? {
    guard let known = memory.known(account),
      let realm = known.record.realm(for: configuration.authority(of: account))
    else { return nil }
    return known.account.tenantProfiles.first { $0.tenantID == realm }
  }
}
