import FoundationEssentials

extension AccountRecord {
  /// The record as JSON, for a store.
  var text: Secret<Data> { text(over: nil, from: nil) }

  /// The record as JSON, for a store that has `old` of it, with all members that `source` has of
  /// new entries.
  func text(
    over old: (record: AccountRecord, text: Secret<Data>)?, from source: UnifiedCache?
  ) -> Secret<Data> {
    var cache = UnifiedCache()
    if let old, let known = try? UnifiedCache(Array(old.text.exposed)) { cache = known }
    cache.write(self, replacing: old?.record, from: source)
    return cache.text
  }

  /// The record after it has been written and read again: times are in whole seconds.
  ///
  /// Use this for comparisons with a store's record.
  var asWritten: AccountRecord {
    var record = self
    record.signedInAt = signedInAt.asWritten ?? Date(timeIntervalSince1970: 0)
    record.accessTokens = accessTokens.compactMap(\.asWritten)
    record.idTokens = idTokens.map {
      var token = $0
      token.expiresOn = token.expiresOn?.asWritten
      return token
    }
    return record
  }
}

extension UnifiedCache {
  /// Writes the differences between `record` and `old`.
  ///
  /// Everything else is left unchanged, whether it belongs to other apps or was written meanwhile.
  /// - Parameter source: another program's cache that the record comes from; its unknown members
  ///   are copied too.
  mutating func write(
    _ record: AccountRecord, replacing old: AccountRecord?, from source: UnifiedCache? = nil
  ) {
    for profile in record.profiles where old?.profiles.contains(profile) != true {
      let members = profile.members + [record.authorityType(of: profile)]
      put(members, [profile.realm], .account, record, source) {
        $0.value.flatMap(record.realm(of:)) == profile.realm
      }
    }
    for token in record.accessTokens where old?.accessTokens.contains(token) != true {
      put(token.members, token.keyParts(record.clientID), .accessToken, record, source) {
        record.accessToken(in: $0).map(token.replaces) ?? false
      }
    }
    for token in old?.accessTokens ?? []
    where !record.accessTokens.contains(where: { $0.secret == token.secret }) {
      remove(of: record.key) { record.accessToken(in: $0) == token }
    }
    if record.refreshToken != old?.refreshToken || old == nil {
      writeRefreshToken(record, old, source)
    }
    for token in record.idTokens where old?.idTokens.contains(token) != true {
      let keyParts = ["idtoken", record.clientID, token.realm, ""]
      put(token.members, keyParts, .idToken, record, source) {
        $0.isOwned(by: record.clientID) && $0.value.flatMap(record.realm(of:)) == token.realm
      }
    }
    if old.map(record.hasMetadata) != true {
      put(record.metadata, [record.clientID], .accountMetadata, record, source) {
        $0.isOwned(by: record.clientID)
      }
    }
    if old == nil { writeAppMetadata(record, source) }
  }

  /// Removes the app's data of the record's account, and the account when no other app has data of
  /// it.
  mutating func remove(_ record: AccountRecord) {
    remove(of: record.key) { $0.isOwned(by: record.clientID) }
    guard !entries(of: record.key).contains(where: { $0.section != .account }) else { return }
    remove(of: record.key) { _ in true }
  }

  private mutating func writeRefreshToken(
    _ record: AccountRecord, _ old: AccountRecord?, _ source: UnifiedCache?
  ) {
    guard let token = record.refreshToken else {
      // A later token from another program may still be valid.
      let secret = old?.refreshToken?.exposed
      remove(of: record.key) {
        $0.section == .refreshToken && $0.isOwned(by: record.clientID)
          && $0.value?["secret"]?.string == secret
      }
      return
    }
    let receivedAt = record.accessTokens.map(\.cachedAt).max() ?? record.signedInAt
    let members: [JSON.Member] = [
      .init("credential_type", .string("RefreshToken")),
      .init("secret", .string(token.exposed)),
      .init("last_modification_time", .seconds(receivedAt)),
    ]
    // A token for a family of apps is looked up by its family ID.
    let isOwn = { (entry: Entry) in
      entry.section == .refreshToken && entry.isOwned(by: record.clientID)
    }
    let known = (source?.entries(of: record.key) ?? []) + entries(of: record.key)
    let family = known.filter(isOwn).lazy
      .compactMap { $0.value?["family_id"]?.string }.first { !$0.isEmpty }
    let keyParts = ["refreshtoken", family ?? record.clientID, "", ""]
    put(members, keyParts, .refreshToken, record, source, isOwn)
  }

  private mutating func writeAppMetadata(_ record: AccountRecord, _ source: UnifiedCache?) {
    let isApp = { (entry: Entry) in
      let environment = entry.value?["environment"]?.string
      return entry.isOwned(by: record.clientID)
        && environment.map { KnownClouds.aliases(of: $0).contains(record.environment) } == true
    }
    guard !appMetadata.contains(where: isApp) else { return }
    let members: [JSON.Member] = [
      .init("client_id", .string(record.clientID)),
      .init("environment", .string(record.environment)),
    ]
    insert(
      members.adding(source?.appMetadata.first(where: isApp)?.members ?? []),
      as: "appmetadata-\(record.environment)-\(record.clientID)", in: .appMetadata,
      account: nil, clientID: record.clientID)
  }

  /// Replaces all entries of a section for which `isSame` is true.
  ///
  /// Unknown members are kept, and copied for a token from `source`.
  private mutating func put(
    _ members: [JSON.Member], _ keyParts: [String], _ section: Section, _ record: AccountRecord,
    _ source: UnifiedCache?, _ isSame: (Entry) -> Bool
  ) {
    let id = record.key
    let found = entries(of: id).filter { $0.section == section && isSame($0) }
    remove(of: id) { entry in found.contains { $0.section == entry.section && $0.key == entry.key }
    }
    var all: [JSON.Member] = [
      .init("home_account_id", .string(id.homeAccountID)),
      .init("environment", .string(record.environment)),
    ]
    if section != .account { all.append(.init("client_id", .string(record.clientID))) }
    let secret = members.first { $0.name == "secret" }?.value
    let origin =
      source?.entries(of: id).filter { $0.section == section && isSame($0) }
      .compactMap(\.members).first { JSON.object($0)["secret"] == secret } ?? []
    // The program that acquired the token has the right time.
    let time = origin.filter { $0.name == "last_modification_time" && $0.value != .null }
    all = all.adding(time).adding(members).adding(origin.filter { !$0.value.isEmpty })
    all = all.adding(
      (found.first?.members ?? []).filter {
        !AccountRecord.memberNames.contains($0.name) && !$0.saysBroker
      })
    let key = ([id.homeAccountID, record.environment] + keyParts).joined(separator: "-")
    insert(
      all, as: key.lowercased(), in: section, account: id,
      clientID: section == .account ? nil : record.clientID)
  }
}

extension [JSON.Member] {
  /// These, and those of `others` with new names.
  fileprivate func adding(_ others: [JSON.Member]) -> [JSON.Member] {
    self + others.filter { other in !contains { $0.name == other.name } }
  }
}

extension JSON {
  /// Whether it is empty, which some readers treat as an error.
  fileprivate var isEmpty: Bool { self == .null || self == .string("") }
}

extension JSON.Member {
  /// Whether it says that an identity broker keeps the account's refresh token, which can change.
  fileprivate var saysBroker: Bool {
    name == "account_source" && value == .string(AccountRecord.Profile.broker)
  }
}

extension AccountRecord {
  /// Members that describe the token itself, so that a replaced token's are never kept.
  fileprivate static let memberNames: Set<String> = [
    "cached_at", "expires_on", "ext_expires_on", "extended_expires_on", "kid", "refresh_on",
    "secret", "target", "token_type",
  ]

  /// The kind of service, in the schema's terms.
  fileprivate func authorityType(of profile: Profile) -> JSON.Member {
    let hasTenant = !homeAccountID.isSubject
    return .init(
      "authority_type",
      .string(hasTenant ? "MSSTS" : profile.realm == Self.realmOfADFS ? "ADFS" : "Other"))
  }

  /// Whether it has the same ``metadata`` as `old`.
  fileprivate func hasMetadata(of old: AccountRecord) -> Bool {
    (signedInAt, tenantIDs, proofKey) == (old.signedInAt, old.tenantIDs, old.proofKey)
  }

  fileprivate var metadata: [JSON.Member] {
    [
      .init("signed_in_at", .seconds(signedInAt)),
      .init(
        "tenant_ids",
        .object(tenantIDs.sorted { $0.key < $1.key }.map { .init($0.key, .string($0.value)) })),
    ] + (proofKey.map { [.init("proof_key", .string(Base64URL.encode($0.exposed)))] } ?? [])
  }
}

extension AccountRecord.Profile {
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
  /// The scopes in code-point order, in which other readers of the schema look them up.
  fileprivate var target: String { scopes.list.sorted().joined(separator: " ") }

  /// Whether it replaces `other`.
  func replaces(_ other: Self) -> Bool {
    other.realm == realm && other.keyID == keyID && scopes.replace(other.scopes)
  }

  /// The token after it has been written and read again; nil when it cannot be read.
  fileprivate var asWritten: Self? {
    guard let cachedAt = cachedAt.asWritten, let expiresOn = expiresOn.asWritten else { return nil }
    var token = self
    token.scopes = Scopes(joined: target)
    (token.cachedAt, token.expiresOn) = (cachedAt, expiresOn)
    token.extendedExpiresOn = (extendedExpiresOn ?? expiresOn).asWritten
    token.refreshOn = refreshOn?.asWritten
    return token
  }

  /// The parts of the entry's key after the account.
  fileprivate func keyParts(_ clientID: String) -> [String] {
    keyID == nil
      ? ["accesstoken", clientID, realm, target]
      : ["accesstoken_with_authscheme", clientID, realm, target, "pop"]
  }

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

extension Date {
  /// The time after ``JSON/seconds(_:)`` has written it; nil when it cannot be read again.
  fileprivate var asWritten: Date? { JSON.seconds(self).date }
}

extension AccountRecord.KeptIDToken {
  fileprivate var members: [JSON.Member] {
    [
      .init("credential_type", .string("IdToken")),
      .init("secret", .string(secret.exposed)),
      .init("realm", .string(realm)),
    ] + (expiresOn.map { [.init("expires_on", .seconds($0))] } ?? [])
  }
}

extension JSON {
  /// Whole seconds since 1970, as text: the schema's format for times.
  fileprivate static func seconds(_ date: Date) -> JSON {
    .string(String(Int(exactly: date.timeIntervalSince1970.rounded(.down)) ?? 0))
  }
}
