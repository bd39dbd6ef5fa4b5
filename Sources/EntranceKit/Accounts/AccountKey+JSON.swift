import AuthCore

extension AccountKey {
  /// Reads the account that an object is about; nil when it is about none.
  init?(_ json: JSON) {
    guard let account = json["account"]?.string, let cloud = json["cloud"]?.string else {
      return nil
    }
    self.init(homeAccountID: account, environment: cloud)
  }

  /// The members of an object that is about it.
  var members: [(String, JSON?)] {
    [("account", .string(homeAccountID)), ("cloud", .string(cloud))]
  }
}

extension JSON {
  /// An object with those of `members` that have a value.
  init(members: [(String, JSON?)]) {
    self = .object(members.compactMap { name, value in value.map { Member(name, $0) } })
  }
}
