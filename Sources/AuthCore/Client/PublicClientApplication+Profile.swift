extension PublicClientApplication {
  /// What `account` is in the tenant that its tokens come from: there it is at home, or a guest.
  ///
  /// Nil when it has not signed in to that tenant yet. Where an authority stands for many tenants, tokens
  /// come from the account's own.
  public nonisolated func tenantProfile(of account: Account) -> TenantProfile? {
    guard let known = memory.known(account),
      let realm = known.record.realm(for: configuration.authority(of: account))
    else { return nil }
    return known.account.tenantProfiles.first { $0.tenantID == realm }
  }
}
