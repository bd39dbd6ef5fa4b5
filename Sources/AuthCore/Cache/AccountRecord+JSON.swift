import FoundationEssentials

/// The record's text: MSAL's unified cache schema for one account, with what it has no place for beside
/// its sections.
extension AccountRecord {
  private static let version = 1

  /// The record as JSON, for the store.
  var stored: StoredRecord {
    StoredRecord(id: id, contents: Secret(Data(json.compactText.utf8)))
  }

  /// Reads what ``stored`` wrote; nil when it is something else, or of a later version.
  init?(_ stored: StoredRecord) {
    guard let json = try? JSON(parsing: stored.contents.exposed),
      json["version"]?.integer == Self.version,
      let clientID = json["client_id"]?.string,
      let homeAccountID = HomeAccountID(stored: json),
      let environment = json["environment"]?.string,
      let signedInAt = json["signed_in_at"]?.date
    else { return nil }
    self.init(
      id: stored.id, clientID: clientID, homeAccountID: homeAccountID, environment: environment,
      signedInAt: signedInAt)

    func entries(_ section: String) -> [JSON] { json[section]?.object?.map(\.value) ?? [] }
    profiles = entries("Account").compactMap(Profile.init)
    accessTokens = entries("AccessToken").compactMap(AccessToken.init)
    idTokens = entries("IdToken").compactMap(KeptIDToken.init)
    refreshToken = entries("RefreshToken").first?["secret"]?.string.map(Secret.init)
    proofKey = json["proof_key"]?.string.flatMap(Base64URL.decode).map(Secret.init)
    for member in json["tenant_ids"]?.object ?? [] {
      tenantIDs[member.name] = member.value.string
    }
  }

  private var json: JSON {
    .object(sections + (proofKey.map { [proofKeyMember($0)] } ?? []))
  }

  private func proofKeyMember(_ key: Secret<Data>) -> JSON.Member {
    .init("proof_key", .string(Base64URL.encode(key.exposed)))
  }

  private var sections: [JSON.Member] {
    [
      .init("version", .number(String(Self.version))),
      .init("client_id", .string(clientID)),
      .init("home_account_id", .string(homeAccountID.description)),
      .init("environment", .string(environment)),
      .init("signed_in_at", .seconds(signedInAt)),
      .init(
        "tenant_ids",
        .object(tenantIDs.sorted { $0.key < $1.key }.map { .init($0.key, .string($0.value)) })),
      section("Account", profiles.map { (key($0.realm), $0.members + [authorityType(of: $0)]) }),
      section(
        "AccessToken",
        accessTokens.map {
          (accessTokenKey($0), $0.members + clientMember)
        }),
      section(
        "RefreshToken",
        refreshToken.map { token in
          let members: [JSON.Member] = [
            .init("credential_type", .string("RefreshToken")),
            .init("secret", .string(token.exposed)),
          ]
          return [(key("refreshtoken", clientID, "", ""), members + clientMember)]
        } ?? []),
      section(
        "IdToken",
        idTokens.map { (key("idtoken", clientID, $0.realm, ""), $0.members + clientMember) }),
      .init(
        "AppMetadata",
        .object([
          .init(
            "appmetadata-\(environment)-\(clientID)",
            .object([
              .init("client_id", .string(clientID)), .init("environment", .string(environment)),
            ]))
        ])),
    ]
  }

  /// What kind of service it is, in the schema's words.
  private func authorityType(of profile: Profile) -> JSON.Member {
    let hasTenant = !homeAccountID.isSubject
    return .init(
      "authority_type", .string(hasTenant ? "MSSTS" : profile.realm == "adfs" ? "ADFS" : "Other"))
  }

  private var clientMember: [JSON.Member] { [.init("client_id", .string(clientID))] }

  /// A section: each entry says whose it is.
  private func section(_ name: String, _ entries: [(key: String, members: [JSON.Member])])
    -> JSON.Member
  {
    let owner: [JSON.Member] = [
      .init("home_account_id", .string(homeAccountID.description)),
      .init("environment", .string(environment)),
    ]
    return .init(name, .object(entries.map { .init($0.key, .object(owner + $0.members)) }))
  }

  private func accessTokenKey(_ token: AccessToken) -> String {
    token.keyID == nil
      ? key("accesstoken", clientID, token.realm, token.target)
      : key("accesstoken_with_authscheme", clientID, token.realm, token.target, "pop")
  }

  private func key(_ parts: String...) -> String {
    ([homeAccountID.description, environment] + parts).joined(separator: "-").lowercased()
  }
}

extension HomeAccountID {
  /// Reads the ID of a record; a subject may hold dots, so its form does not tell what it is.
  fileprivate init?(stored json: JSON) {
    guard let text = json["home_account_id"]?.string else { return nil }
    let type = json["Account"]?.object?.first?.value["authority_type"]?.string
    if type == "ADFS" || type == "Other" {
      self.init(subject: text)
    } else {
      self.init(text)
    }
  }
}

extension AccountRecord.Profile {
  fileprivate init?(_ json: JSON) {
    guard let realm = json["realm"]?.string, let username = json["username"]?.string else {
      return nil
    }
    self.init(
      realm: realm, localAccountID: json["local_account_id"]?.string ?? "", username: username,
      name: json["name"]?.string, accountSource: json["account_source"]?.string)
  }

  fileprivate var members: [JSON.Member] {
    [
      .init("realm", .string(realm)),
      .init("local_account_id", .string(localAccountID)),
      .init("username", .string(username)),
    ] + (name.map { [.init("name", .string($0))] } ?? [])
      + (accountSource.map { [.init("account_source", .string($0))] } ?? [])
  }
}

extension AccountRecord.AccessToken {
  fileprivate init?(_ json: JSON) {
    guard let realm = json["realm"]?.string, let target = json["target"]?.string,
      let secret = json["secret"]?.string, let cachedAt = json["cached_at"]?.date,
      let expiresOn = json["expires_on"]?.date
    else { return nil }
    self.init(
      realm: realm, scopes: Scopes(joined: target), secret: Secret(secret), cachedAt: cachedAt,
      expiresOn: expiresOn, extendedExpiresOn: json["extended_expires_on"]?.date,
      refreshOn: json["refresh_on"]?.date, keyID: json["kid"]?.string)
  }

  /// The scopes in code-point order, as other readers of the schema look them up.
  fileprivate var target: String { scopes.list.sorted().joined(separator: " ") }

  fileprivate var members: [JSON.Member] {
    var members: [JSON.Member] = [
      .init(
        "credential_type",
        .string(keyID == nil ? "AccessToken" : "AccessToken_With_AuthScheme")),
      .init("secret", .string(secret.exposed)),
      .init("realm", .string(realm)),
      .init("target", .string(target)),
      .init("token_type", .string(keyID == nil ? "Bearer" : "pop")),
      .init("cached_at", .seconds(cachedAt)),
      .init("expires_on", .seconds(expiresOn)),
      .init("extended_expires_on", .seconds(extendedExpiresOn ?? expiresOn)),
    ]
    if let refreshOn { members.append(.init("refresh_on", .seconds(refreshOn))) }
    if let keyID { members.append(.init("kid", .string(keyID))) }
    return members
  }
}

extension AccountRecord.KeptIDToken {
  fileprivate init?(_ json: JSON) {
    guard let realm = json["realm"]?.string, let secret = json["secret"]?.string else {
      return nil
    }
    self.init(realm: realm, secret: Secret(secret), expiresOn: json["expires_on"]?.date)
  }

  fileprivate var members: [JSON.Member] {
    [
      .init("credential_type", .string("IdToken")),
      .init("secret", .string(secret.exposed)),
      .init("realm", .string(realm)),
    ] + (expiresOn.map { [.init("expires_on", .seconds($0))] } ?? [])
  }
}

extension JSON {
  /// Whole seconds since 1970, as text: the schema's way of writing times.
  fileprivate static func seconds(_ date: Date) -> JSON {
    .string(String(Int(date.timeIntervalSince1970.rounded(.down))))
  }

  /// The time that ``seconds(_:)`` wrote.
  fileprivate var date: Date? { integer.map { Date(timeIntervalSince1970: Double($0)) } }
}
