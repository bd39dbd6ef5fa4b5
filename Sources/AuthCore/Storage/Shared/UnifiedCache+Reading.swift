import FoundationEssentials

extension UnifiedCache {
  /// The records: one for each account and app.
  var records: [AccountRecord] {
    accountKeys.flatMap { account in
      let apps = index(of: account)
      guard apps.count > 1 else {
        return apps.compactMap { record($0.account, clientID: $0.clientID) }
      }
      // There can be very many.
      let entries = entries(of: account)
      let profiles = entries.filter { $0.section == .account }.compactMap(\.value)
      let owned = Dictionary(grouping: entries.filter { $0.section != .account }) {
        $0.clientID?.caseless
      }
      var last: AccountRecord?
      return apps.compactMap {
        let record = AccountRecord(
          self, of: account, clientID: $0.clientID, id: $0.id, profiles: profiles,
          owned: owned[$0.clientID.caseless] ?? [], like: last)
        last = record ?? last
        return record
      }
    }
  }

  func record(_ account: AccountKey, clientID: String) -> AccountRecord? {
    AccountRecord(
      self, of: account, clientID: clientID, id: Self.id(account, clientID: clientID))
  }

  func record(id: String) -> AccountRecord? {
    accountKeys.lazy.filter { id.hasPrefix($0.homeAccountID) }.flatMap(index).first { $0.id == id }
      .flatMap { record($0.account, clientID: $0.clientID) }
  }

  /// The accounts and apps that have records.
  var index: [RecordEntry] { accountKeys.flatMap(index) }

  private func index(of account: AccountKey) -> [RecordEntry] {
    clientIDs(of: account).map {
      RecordEntry(id: Self.id(account, clientID: $0), account: account, clientID: $0)
    }
  }

  private static func id(_ account: AccountKey, clientID: String) -> String {
    "\(account.homeAccountID) \(account.cloud) \(clientID)"
  }
}

extension AccountRecord {
  /// Reads the data of an account for the app with `clientID`; nil when there is none.
  ///
  /// Tokens for special purposes are skipped, such as those with requested claims. A token that is
  /// bound to a key has the key's ID, and can be used only with that key.
  init?(_ cache: UnifiedCache, of account: AccountKey, clientID: String, id: String) {
    let entries = cache.entries(of: account)
    self.init(
      cache, of: account, clientID: clientID, id: id,
      profiles: entries.filter { $0.section == .account }.compactMap(\.value),
      owned: entries.filter { $0.section != .account && $0.isOwned(by: clientID) })
  }

  /// - Parameters:
  ///   - accounts: the account's profiles.
  ///   - owned: what the app has of the account.
  ///   - other: the record of another app, with the same profiles.
  fileprivate init?(
    _ cache: UnifiedCache, of account: AccountKey, clientID: String, id: String,
    profiles accounts: [JSON], owned: [UnifiedCache.Entry], like other: AccountRecord? = nil
  ) {
    let isOwn = cache.other("client_id")?.string.map { caselessEqual($0, clientID) } ?? false
    guard isOwn || !owned.isEmpty else { return nil }
    func objects(_ section: UnifiedCache.Section) -> [JSON] {
      owned.filter { $0.section == section }.compactMap(\.value)
    }
    let metadata = objects(.accountMetadata).first
    let tokens = objects(.accessToken)
    let identities = objects(.idToken)
    let refreshTokens = objects(.refreshToken).filter { !$0.isOnBehalfOfAnother }
    guard
      let environment = [accounts, tokens, refreshTokens].lazy.joined()
        .compactMap({ $0["environment"]?.string }).first
    else { return nil }
    self.init(
      id: id, clientID: clientID,
      homeAccountID: HomeAccountID(
        stored: account.homeAccountID, type: accounts.first?["authority_type"]?.string),
      environment: environment, signedInAt: .distantPast)
    let known = metadata?["tenant_ids"] ?? (isOwn ? cache.other("tenant_ids") : nil)
    for member in known?.object ?? [] { tenantIDs[member.name] = member.value.string }
    learnTenantIDs(from: identities)
    idTokens = identities.compactMap { KeptIDToken($0, of: self) }
    if let other, other.homeAccountID == homeAccountID, other.tenantIDs == tenantIDs {
      profiles = other.profiles
    } else {
      profiles = accounts.compactMap { Profile($0, of: self) }
    }
    accessTokens = tokens.compactMap { AccessToken($0, of: self) }
    // Some programs keep one for each set of scopes; the latest is used.
    let latest = refreshTokens.enumerated().max {
      ($0.element.modifiedAt, $0.offset) < ($1.element.modifiedAt, $1.offset)
    }
    refreshToken = latest?.element["secret"]?.string.map(Secret.init)
    proofKey = (metadata?["proof_key"] ?? cache.other("proof_key"))?.string
      .flatMap(Base64URL.decode).map(Secret.init)
    signedInAt =
      (metadata?["signed_in_at"] ?? cache.other("signed_in_at"))?.date
      ?? accessTokens.map(\.cachedAt).max() ?? latest.map { $0.element.modifiedAt }
      ?? Date(timeIntervalSince1970: 0)
  }

  /// The app's access token in `entry`, which belongs to the account; nil when it is none.
  func accessToken(in entry: UnifiedCache.Entry) -> AccessToken? {
    guard entry.section == .accessToken, entry.isOwned(by: clientID) else { return nil }
    return entry.value.flatMap { AccessToken($0, of: self) }
  }

  /// The `realm` of AD FS, which has one for all accounts.
  static let realmOfADFS = "adfs"

  /// The realm of an entry of the account: the tenant's ID or its equivalent; nil when it is unknown.
  func realm(of entry: JSON) -> String? {
    let written = entry.optional("realm")
    // MSAL.NET does not write it for AD FS.
    if written == nil, homeAccountID.isSubject { return Self.realmOfADFS }
    return written?.string.map(realm(named:))
  }

  /// The tenant's ID for a `realm` that another program wrote: it may be the tenant's name from the
  /// authority's URL.
  private func realm(named realm: String) -> String {
    if homeAccountID.isSubject || GUID.isValid(realm) { return realm }
    if let known = tenantIDs[realm] { return known }
    // A B2C account exists in only one tenant.
    return ["common", "organizations", "consumers"].contains(realm) || homeAccountID.policy != nil
      ? homeAccountID.tenantID : realm
  }

  /// Determines the tenant IDs of tenant names from the entries of ID tokens.
  private mutating func learnTenantIDs(from entries: [JSON]) {
    guard !homeAccountID.isSubject else { return }
    for entry in entries {
      guard let name = entry["realm"]?.string, !GUID.isValid(name), tenantIDs[name] == nil,
        let secret = entry["secret"]?.string
      else { continue }
      tenantIDs[name] = (try? IDToken(secret))?.tenantID
    }
  }
}

extension UnifiedCache.Entry {
  /// Whether it belongs to the app with `clientID`.
  func isOwned(by clientID: String) -> Bool {
    self.clientID.map { caselessEqual($0, clientID) } ?? false
  }
}

extension HomeAccountID {
  /// Parses the ID of an entry; a subject may contain dots, so the type is needed too.
  fileprivate init(stored text: String, type: String?) {
    if type != "ADFS", type != "Other", let id = HomeAccountID(text), GUID.isValid(id.tenantID) {
      self = id
    } else {
      self.init(subject: text)
    }
  }
}

extension AccountRecord.Profile {
  fileprivate init?(_ json: JSON, of record: AccountRecord) {
    guard let realm = record.realm(of: json) else { return nil }
    let username = json["username"]?.string ?? ""
    self.init(
      realm: realm, localAccountID: json["local_account_id"]?.string ?? "",
      username: username == IDToken.missingUsername ? "" : username,
      name: json["name"]?.string, accountSource: json["account_source"]?.string)
  }
}

extension AccountRecord.AccessToken {
  /// Members of tokens for special purposes, in the spellings of all MSALs.
  private static let special = [
    "ext", "ext_cache_key", "key_id", "keyId", "keyid", "requestedClaims", "requestedClaimsHash",
    "requested_claims",
  ]

  fileprivate init?(_ json: JSON, of record: AccountRecord) {
    let keyID = json["kid"]?.string.flatMap { $0.isEmpty ? nil : $0 }
    guard let realm = record.realm(of: json), let target = json["target"]?.string,
      let secret = json["secret"]?.string, TokenText.isVisible(secret),
      let cachedAt = json["cached_at"]?.date,
      let expiresOn = json["expires_on"]?.date,
      caselessEqual(json["token_type"]?.string ?? "Bearer", keyID == nil ? "Bearer" : "pop"),
      !Self.special.contains(where: { json[$0]?.string?.isEmpty == false }),
      // Any other kind of access token is for a special purpose.
      caselessEqual(
        json["credential_type"]?.string ?? "AccessToken",
        keyID == nil ? "AccessToken" : "AccessToken_With_AuthScheme"),
      !json.isOnBehalfOfAnother
    else { return nil }
    self.init(
      realm: realm, scopes: Scopes(joined: target), secret: Secret(secret),
      cachedAt: cachedAt, expiresOn: expiresOn,
      extendedExpiresOn: (json["extended_expires_on"] ?? json["ext_expires_on"])?.date,
      refreshOn: json["refresh_on"]?.date, keyID: keyID)
  }
}

extension AccountRecord.KeptIDToken {
  fileprivate init?(_ json: JSON, of record: AccountRecord) {
    guard let realm = record.realm(of: json), let secret = json["secret"]?.string else {
      return nil
    }
    self.init(realm: realm, secret: Secret(secret), expiresOn: json["expires_on"]?.date)
  }
}

extension JSON {
  /// A time in seconds since 1970: text in the schema, though some programs write a number.
  ///
  /// Nil outside of the years 1 to 9999, the usual range of dates: MSAL.NET writes the start of
  /// year 1 for an unknown time.
  var date: Date? {
    switch self {
    case .number(let text), .string(let text):
      guard let seconds = Double(text), (-62_135_596_800..<253_402_300_800).contains(seconds) else {
        return nil
      }
      return Date(timeIntervalSince1970: seconds)
    default: return nil
    }
  }

  /// Whether a service acquired the token on behalf of its caller.
  var isOnBehalfOfAnother: Bool {
    ["userAssertionHash", "user_assertion_hash"].contains { self[$0]?.string?.isEmpty == false }
  }

  /// When a refresh token was written, if that is known.
  fileprivate var modifiedAt: Date {
    self["last_modification_time"]?.date ?? Date(timeIntervalSince1970: 0)
  }
}
