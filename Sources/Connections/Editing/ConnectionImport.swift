import AuthCore
import Sentences

/// Reads what people have already: the configuration files of other MSALs and their samples, what `az`
/// prints, and what they copied from the Microsoft Entra admin center.
///
/// An app registration is known by its client ID, under any of the names that it has there. A redirect
/// URI is taken over when the sign-in window can work with it.
public enum ConnectionImport {
  /// The connections that `text` describes, one or more.
  ///
  /// - Throws: ``ConnectionFileError`` when no client ID is found.
  public static func drafts(
    from text: String
  ) throws(ConnectionFileError) -> [ConnectionDraft] {
    var drafts: [ConnectionDraft] = []
    if text.utf8.count <= ConnectionFile.maximumSize {
      if let value = try? JSON.parseConfiguration(text.utf8).value {
        collect(from: value, besides: nil, into: &drafts)
      } else if let draft = ConnectionDraft(copied: text) {
        drafts = [draft]
      }
    }
    guard !drafts.isEmpty else {
      throw ConnectionFileError(
        line: nil, field: nil, reason: Sentence("no application (client) ID was found"))
    }
    return drafts
  }

  private static func collect(
    from value: JSON, besides parent: JSON?, into drafts: inout [ConnectionDraft]
  ) {
    if let draft = ConnectionDraft(registration: value, besides: parent) {
      drafts.append(draft)
    } else {
      for member in value.object ?? [] {
        collect(from: member.value, besides: value, into: &drafts)
      }
      for element in value.array ?? [] { collect(from: element, besides: nil, into: &drafts) }
    }
  }
}

// MARK: - JSON

extension ConnectionDraft {
  /// Reads an object that has a client ID; nil when it has none.
  ///
  /// - Parameter parent: the object that it is a member of; .NET names scopes and API there.
  fileprivate init?(registration json: JSON, besides parent: JSON?) {
    guard let clientID = json.text("client_id", "clientId", "ClientId", "clientID", "appId") else {
      return nil
    }
    self.init()
    self.clientID = clientID
    self.name = json.text("displayName", "name", "account_name") ?? ""
    self.redirectURI = Self.redirectURI(in: json)
    setAuthority(json)
    setAPI(json)
    for name in ["DownstreamApi", "DownstreamAPI", "GraphApi", "MicrosoftGraph"] {
      if let api = parent?[name] { setAPI(api) }
    }
  }

  private mutating func setAuthority(_ json: JSON) {
    let tenant = json.text("TenantId", "tenantId", "tenant_id", "Tenant", "tenant")
    if let list = json["authorities"]?.array {
      // MSAL for Android.
      let chosen = list.first { $0["default"]?.bool == true } ?? list.first
      if let chosen { setAuthority(android: chosen) }
    } else if let authority = json.text("authority", "Authority") {
      self.authority = authority
    } else if let instance = json.text("Instance", "instance") {
      // Microsoft.Identity.Web.
      setAuthority(instance: instance, tenant, json)
    } else if let audience = json.text("signInAudience") {
      self.authority = Self.authority(audience, tenant: tenant ?? json.text("publisherDomain"))
    } else if let tenant {
      self.authority = Self.authority(tenant: tenant)
    }
    if json["knownAuthorities"]?.array?.isEmpty == false {
      self.knownAuthorities = [self.authority]
    }
  }

  private mutating func setAuthority(android json: JSON) {
    switch json.text("type") {
    case "B2C": self.authorityKind = .b2c
    case "CIAM": self.authorityKind = .externalID
    case "ADFS": self.authorityKind = .adfs
    default: break
    }
    if let url = json.text("authority_url") {
      self.authority = url
      if self.authorityKind == .b2c { self.knownAuthorities = [url] }
    } else if let audience = json["audience"] {
      let tenant = audience.text("tenant_id")
      self.authority = Self.authority(audience.text("type") ?? "", tenant: tenant)
    }
  }

  private mutating func setAuthority(instance: String, _ tenant: String?, _ json: JSON) {
    let base = instance.hasSuffix("/") ? String(instance.dropLast()) : instance
    if let policy = json.text("SignUpSignInPolicyId"), let domain = json.text("Domain") {
      self.authority = "\(base)/\(domain)/\(policy)"
      self.authorityKind = .b2c
      self.knownAuthorities = [self.authority]
    } else if let placeholder = base.firstRange(of: "{0}") {
      self.authority = base.replacingCharacters(of: placeholder, with: tenant ?? "common")
    } else {
      self.authority = "\(base)/\(tenant ?? "common")"
    }
  }

  /// Who can sign in, by Microsoft's names for it.
  private static func authority(_ audience: String, tenant: String?) -> String {
    switch audience {
    case "AzureADMyOrg": tenant.map(authority(tenant:)) ?? authority(tenant: "organizations")
    case "AzureADMultipleOrgs": authority(tenant: "organizations")
    case "PersonalMicrosoftAccount": authority(tenant: "consumers")
    default: authority(tenant: tenant ?? "common")
    }
  }

  fileprivate static func authority(tenant: String) -> String {
    "https://login.microsoftonline.com/\(tenant)"
  }

  /// The redirect URI that Entrance can work with: its own if it is registered, else another that does
  /// not lead to this computer; empty when there is none.
  private static func redirectURI(in json: JSON) -> String {
    var registered = [json.text("redirect_uri", "redirectUri", "RedirectUri", "redirectURI")]
    registered += (json["publicClient"]?["redirectUris"]?.array ?? []).map(\.string)
    // The older form of the portal's manifest.
    registered += (json["replyUrlsWithType"]?.array ?? [])
      .filter { $0.text("type") == "InstalledClient" }.map { $0.text("url") }
    let usable = registered.compactMap(\.self).filter { text in
      (try? RedirectURI(text)).map { !$0.isLoopback } ?? false
    }
    guard !usable.contains(EntranceIdentity.redirectURI) else { return "" }
    return usable.first ?? ""
  }

  private mutating func setAPI(_ json: JSON) {
    if let url = json.text("endpoint", "BaseUrl", "graphMeEndpoint") {
      let isVersion = url.hasSuffix("/v1.0") || url.hasSuffix("/beta")
      self.api = isVersion ? url + "/me" : url
    }
    for name in ["scope", "scopes", "Scopes"] {
      guard let value = json[name] else { continue }
      let list =
        value.array?.compactMap(\.string)
        ?? value.string?.split(separator: " ").map(String.init) ?? []
      // Those that are asked for anyway.
      self.scopes = list.filter { !["openid", "profile", "offline_access"].contains($0) }
    }
  }
}

extension JSON {
  /// The text of the first of these members that has one.
  fileprivate func text(_ names: String...) -> String? {
    names.lazy.compactMap { self[$0]?.string }.first { !$0.isEmpty }
  }
}

extension String {
  fileprivate func replacingCharacters(of range: Range<Index>, with text: String) -> String {
    self[..<range.lowerBound] + text + self[range.upperBound...]
  }
}

// MARK: - Text

extension ConnectionDraft {
  /// Reads text with names and IDs: a page of the portal, an `.env` file, a command line.
  ///
  /// nil when there is no client ID: the ID behind a name for it, or the only one that there is.
  fileprivate init?(copied text: String) {
    let lower = text.lowercased()
    let ids = Self.ids(in: lower)
    func id(behind names: String...) -> String? {
      for name in names {
        guard let place = lower.firstRange(of: name)?.upperBound else { continue }
        if let id = ids.first(where: { $0.place >= place }) { return id.text }
      }
      return nil
    }
    let only = ids.count == 1 ? ids.first?.text : nil
    let named = id(behind: "(client) id", "client_id", "client-id", "clientid", "appid", "app_id")
    guard let clientID = named ?? only else { return nil }
    self.init()
    self.clientID = clientID
    let tenant = id(behind: "(tenant) id", "tenant_id", "tenant-id", "tenantid")
    if let tenant, tenant != clientID { self.authority = Self.authority(tenant: tenant) }
  }

  /// The GUIDs in a text, and where each begins.
  private static func ids(in text: String) -> [(text: String, place: String.Index)] {
    let digits = Set("0123456789abcdef-")
    return text.split { !digits.contains($0) }
      .filter { GUID.isValid($0) }
      .map { (String($0), $0.startIndex) }
  }
}
