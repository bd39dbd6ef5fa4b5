public import AuthCore

extension Person {
  /// The account of a broker that signs the user in.
  public var brokerAccount: BrokerAccount {
    BrokerAccount(
      homeAccountID: HomeAccountID(objectID: objectID, tenantID: homeTenant), environment: nil,
      tenantID: tenant, localAccountID: localObjectID, username: username, name: name,
      original: .object([]))
  }
}
