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
    var new = Writing(
      record: record, entries: AccountEntries(of: record, in: self),
      origins: source.map { AccountEntries(of: record, in: $0) })
    let profiles = Dictionary(grouping: old?.profiles ?? [], by: \.realm)
    for profile in record.profiles where profiles[profile.realm]?.contains(profile) != true {
      let members = profile.members + [record.authorityType(of: profile)]
      new.put(members, [profile.realm], for: .profile(realm: profile.realm))
    }
    let tokens = Dictionary(grouping: old?.accessTokens ?? [], by: \.secret)
    for token in record.accessTokens where tokens[token.secret]?.contains(token) != true {
      new.put(token.members, token.keyParts(record.clientID), for: .accessToken(token))
    }
    if record.refreshToken != old?.refreshToken || old == nil {
      writeRefreshToken(&new, old, source)
    }
    let idTokens = Dictionary(grouping: old?.idTokens ?? [], by: \.realm)
    for token in record.idTokens where idTokens[token.realm]?.contains(token) != true {
      let keyParts = ["idtoken", record.clientID, token.realm, ""]
      new.put(token.members, keyParts, for: .idToken(realm: token.realm))
    }
    if old.map(record.hasMetadata) != true {
      new.put(record.metadata, [record.clientID], for: .metadata)
    }
    new.entries.write(to: &self)
    let kept = Set(record.accessTokens.map(\.secret))
    let gone = tokens.filter { !kept.contains($0.key) }
    if !gone.isEmpty {
      remove(of: record.key) { entry in
        record.accessToken(in: entry).map { gone[$0.secret]?.contains($0) == true } ?? false
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
    _ new: inout Writing, _ old: AccountRecord?, _ source: UnifiedCache?
  ) {
    let record = new.record
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
    new.put(members, keyParts, for: .refreshToken)
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
    let entry = Entry(
      members.adding(source?.appMetadata.first(where: isApp)?.members ?? []),
      as: "appmetadata-\(record.environment)-\(record.clientID)", in: .appMetadata,
      clientID: record.clientID)
    replace([], with: [entry], of: nil)
  }
}

/// What is written of a record.
private struct Writing {
  let record: AccountRecord
  var entries: AccountEntries
  /// Those of another program's cache.
  let origins: AccountEntries?

  /// Replaces all entries with the same purpose.
  ///
  /// Unknown members are kept, and copied for a token from another program's cache.
  mutating func put(
    _ members: [JSON.Member], _ keyParts: [String], for purpose: AccountEntries.Purpose
  ) {
    let (id, section) = (record.key, purpose.section)
    let found = entries.entries(for: purpose)
    var all: [JSON.Member] = [
      .init("home_account_id", .string(id.homeAccountID)),
      .init("environment", .string(record.environment)),
    ]
    if section != .account { all.append(.init("client_id", .string(record.clientID))) }
    let secret = members.first { $0.name == "secret" }?.value
    let origin =
      origins?.entries(for: purpose).lazy.compactMap(\.members)
      .first { JSON.object($0)["secret"] == secret } ?? []
    // The program that acquired the token has the right time.
    let time = origin.filter { $0.name == "last_modification_time" && $0.value != .null }
    all = all.adding(time).adding(members).adding(origin.filter { !$0.value.isEmpty })
    all = all.adding(
      (found.first?.members ?? []).filter {
        !AccountRecord.memberNames.contains($0.name) && !$0.saysBroker
      })
    let key = ([id.homeAccountID, record.environment] + keyParts).joined(separator: "-")
    let entry = UnifiedCache.Entry(
      all, as: key.lowercased(), in: section,
      clientID: section == .account ? nil : record.clientID)
    entries.put(entry, for: purpose)
  }
}

extension [JSON.Member] {
  /// These, and those of `others` with new names.
  fileprivate func adding(_ others: [JSON.Member]) -> [JSON.Member] {
    let names = Set(map(\.name))
    return self + others.filter { !names.contains($0.name) }
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
