import AuthCore
package import Sentences

/// Reads what people have already: entries of an `apps.json`, the configuration files of other MSALs and
/// their samples, what `az` prints, and what they copied from the Microsoft Entra admin center.
///
/// An app registration is known by its client ID, under any of the names that it has there. A redirect
/// URI is taken over when the sign-in window can work with it.
public enum ConnectionImport {
  /// The connections that `text` describes, one or more; those of one app have different names, and
  /// each has what all its descriptions say.
  ///
  /// - Throws: ``ConnectionFileError`` when no client ID is found, with the line if that is because of
  ///   the syntax of JSON, or a field of an entry of `apps.json` has a value of another type.
  public static func drafts(
    from text: String
  ) throws(ConnectionFileError) -> [ConnectionDraft] {
    var drafts: [ConnectionDraft] = []
    var fault: JSONError?
    if text.utf8.count <= ConnectionFile.maximumSize {
      var value: JSON?
      do throws(JSONError) {
        value = try JSON.parseEditable(Array(text.utf8)).value
      } catch {
        fault = error
      }
      if let value {
        try collect(from: value, besides: nil, into: &drafts)
      } else {
        if let printed = object(betweenLinesOf: text) {
          try collect(from: printed, besides: nil, into: &drafts)
        }
        // Other lines may say who signs people in.
        if drafts.first?.authority.isEmpty != false, let draft = ConnectionDraft(copied: text) {
          drafts = [draft]
        }
      }
    }
    guard !drafts.isEmpty else { throw absence(in: text, fault) }
    return apps(in: drafts).map(\.trustingAuthority.withoutForeignAPI)
  }

  /// The JSON object between other lines; nil when there is none.
  ///
  /// A terminal has them so: a command, what it printed, and the next prompt.
  private static func object(betweenLinesOf text: String) -> JSON? {
    let bytes = Array(text.utf8)
    let starts = bytes.indices.filter { $0 == 0 || bytes[$0 - 1] == UInt8(ascii: "\n") }
    guard let first = starts.first(where: { bytes[$0] == UInt8(ascii: "{") }),
      let last = starts.last(where: { bytes[$0] == UInt8(ascii: "}") }), first < last
    else { return nil }
    return try? JSON.parseEditable(Array(bytes[first...last])).value
  }

  /// Each app once, with what all its descriptions say.
  ///
  /// A description without a name is one of the first app with its client ID. Where two differ, the
  /// first one counts.
  private static func apps(in drafts: [ConnectionDraft]) -> [ConnectionDraft] {
    var apps: [ConnectionDraft] = []
    // By client ID: the first app, and all of them by name.
    var places: [String: (first: Int, named: [String: Int])] = [:]
    for draft in drafts {
      let id = draft.clientID.lowercased()
      // Only the first app can have no name, and gets the next one that there is.
      let place =
        places[id]?.named[draft.name] ?? places[id]?.named[""]
        ?? (draft.name.isEmpty ? places[id]?.first : nil)
      if let place {
        if apps[place].name.isEmpty { places[id]?.named[""] = nil }
        apps[place].add(draft)
        places[id]?.named[apps[place].name] = place
      } else {
        places[id, default: (apps.count, [:])].named[draft.name] = apps.count
        apps.append(draft)
      }
    }
    return apps
  }

  /// The error of a text without a client ID; of one that begins as JSON, where its syntax is wrong:
  /// it may be cut off.
  private static func absence(in text: String, _ fault: JSONError?) -> ConnectionFileError {
    let first = text.unicodeScalars.first { !$0.properties.isWhitespace && $0 != "\u{FEFF}" }
    guard let fault, first == "{" || first == "[" else {
      let text = CopiedText(text)
      let reason =
        if text.hasPermissionsOfApp {
          Sentence(
            "this is what creates the app, not the response; run the command or send the request, and"
              + " then use the response")
        } else if text.hasSeveralIDs, first != "{", first != "[" {
          unknownIDs
        } else {
          Sentence("no application (client) ID was found")
        }
      return ConnectionFileError(line: nil, field: nil, reason: reason)
    }
    return ConnectionFileError(
      line: fault.line, field: nil, reason: Sentence("the text is not valid JSON"))
  }

  /// The reason of the error when there are several IDs, and none has a known name.
  package static let unknownIDs = Sentence(
    "it does not say which of its IDs is the application (client) ID; set the admin center to"
      + " English, or enter the IDs")

  /// The first of the connections that `text` describes, for a form, which has room for one; a remark
  /// names them if they are of several apps.
  ///
  /// - Throws: ``ConnectionFileError`` as ``drafts(from:)`` does.
  package static func firstDraft(
    from text: String
  ) throws(ConnectionFileError) -> ConnectionDraft {
    let drafts = try drafts(from: text)
    var first = drafts.first ?? ConnectionDraft()
    guard drafts.contains(where: { $0.clientID.lowercased() != first.clientID.lowercased() }) else {
      return first
    }
    let names = drafts.map { $0.name.isEmpty ? $0.clientID : $0.name }
    first.remarks.append(
      ConnectionDraft.Remark(
        field: nil,
        sentence: Sentence(
          "Several apps were found: {names}. This form has the first one. To add another, copy its"
            + " part, and add it from the clipboard.",
          ["names": ConnectionDraft.list(names)])))
    return first
  }

  private static func collect(
    from value: JSON, besides parent: JSON?, into drafts: inout [ConnectionDraft]
  ) throws(ConnectionFileError) {
    if let draft = try ConnectionDraft(entry: value) {
      drafts.append(draft)
    } else if let draft = ConnectionDraft(registration: value, besides: parent) {
      drafts.append(draft)
    } else if value["requiredResourceAccess"] == nil {
      // Of an app without an ID, one that is to be created, the members name only other apps.
      for member in value.object ?? [] {
        try collect(from: member.value, besides: value, into: &drafts)
      }
      for element in value.array ?? [] { try collect(from: element, besides: nil, into: &drafts) }
    }
  }
}

extension ConnectionDraft {
  /// The same, with the authority among the known ones, unless it is trusted by itself.
  ///
  /// Whoever enters the address of a sign-in service trusts it. Otherwise Microsoft would be asked
  /// about it, or it would be refused.
  package var trustingAuthority: ConnectionDraft {
    guard self.knownAuthorities.isEmpty,
      let authority = try? Authority(self.authority, kind: self.authorityKind),
      !authority.isTrustedByItself
    else { return self }
    var result = self
    result.knownAuthorities = [self.authority]
    return result
  }
}

extension ConnectionDraft {
  /// The same without an API that would get tokens for a Microsoft service: a description can
  /// be anybody's, and the account may have signed in long ago.
  fileprivate var withoutForeignAPI: ConnectionDraft {
    let kind = (try? Authority(self.authority, kind: self.authorityKind))?.kind ?? .entra
    let scopes =
      self.scopes.isEmpty
      ? Connection.defaultScopes(of: kind, clientID: self.clientID) : self.scopes
    guard !self.api.isEmpty, Connection.givesTokensAway(scopes, of: kind, to: self.api) else {
      return self
    }
    let host = Connection.host(of: self.api)
    var result = self
    result.api = ""
    let remark = Remark(
      field: ConnectionFields.shared.api.name,
      sentence: Sentence(
        "The address of the API, {url}, is left out, because it would get tokens for a Microsoft"
          + " service. If the API is yours, enter its address and its permissions.",
        ["url": host.isEmpty ? self.api : "https://\(host)"]))
    result.remarks.insert(remark, at: 0)
    return result
  }
}

// MARK: - JSON

extension ConnectionDraft {
  /// Reads an object that has a client ID; nil when it has none.
  ///
  /// - Parameter parent: the object that it is a member of; .NET names scopes and API there.
  fileprivate init?(registration json: JSON, besides parent: JSON?) {
    guard let clientID = json.text("client_id", "clientId", "ClientId", "appId") else {
      return nil
    }
    self.init()
    self.clientID = clientID
    self.name =
      json.text("displayName", "name", "appName", "app_name", "ClientName", "account_name") ?? ""
    self.redirectURI = Self.redirectURI(in: json)
    setAuthority(json)
    setAPI(json)
    for name in ["DownstreamApi", "DownstreamAPI", "GraphApi", "MicrosoftGraph"] {
      if let api = parent?[name] { setAPI(api) }
    }
    // MSAL.js and MSAL Node name them beside the app, in an object for each request.
    for name in ["loginRequest", "tokenRequest", "request"] where self.scopes.isEmpty {
      if let request = parent?[name] { setScopes(request) }
    }
    noteClient(json)
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
      setAuthority(audience, tenant: tenant ?? json.text("publisherDomain"))
    } else if let tenant {
      self.authority = Self.authority(tenant: tenant, on: Self.host(json))
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
      setAuthority(audience.text("type") ?? "", tenant: audience.text("tenant_id"))
    }
  }

  private mutating func setAuthority(instance: String, _ tenant: String?, _ json: JSON) {
    let base = instance.hasSuffix("/") ? String(instance.dropLast()) : instance
    if let policy = json.text("SignUpSignInPolicyId"), let domain = json.text("Domain") {
      self.authority = "\(base)/\(domain)/\(policy)"
      self.authorityKind = .b2c
      self.knownAuthorities = [self.authority]
    } else if base.contains("{0}") {
      self.authority = base.replacing("{0}", with: tenant ?? "common", maxReplacements: 1)
    } else {
      self.authority = "\(base)/\(tenant ?? "common")"
    }
  }

  /// Who can sign in, by Microsoft's names for it.
  private mutating func setAuthority(_ audience: String, tenant: String?) {
    let name =
      switch audience {
      case "AzureADMyOrg": tenant ?? "organizations"
      case "AzureADMultipleOrgs": "organizations"
      case "PersonalMicrosoftAccount": "consumers"
      default: tenant ?? "common"
      }
    self.authority = Self.authority(tenant: name)
    if audience == "AzureADMyOrg", tenant == nil { noteMissingOrganization() }
  }

  /// The cloud, by MSAL.NET's names for it.
  private static func host(_ json: JSON) -> String {
    json.text("AzureCloudInstance").flatMap(CopiedText.host(ofCloud:)) ?? CopiedText.globalHost
  }

  private static func authority(
    tenant: String, on host: String = CopiedText.globalHost
  ) -> String {
    "https://\(host)/\(tenant)"
  }

  private static func redirectURI(in json: JSON) -> String {
    var registered = [json.text("redirect_uri", "redirectUri", "RedirectUri", "redirectURI")]
    registered += (json["publicClient"]?["redirectUris"]?.array ?? []).map(\.string)
    // The older form of the portal's manifest.
    registered += (json["replyUrlsWithType"]?.array ?? [])
      .filter { $0.text("type") == "InstalledClient" }.map { $0.text("url") }
    return redirectURI(of: registered.compactMap(\.self))
  }

  /// The redirect URI that Entrance can work with: its own if it is registered, else another that does
  /// not lead to this computer; empty when there is none.
  static func redirectURI(of registered: [String]) -> String {
    let usable = registered.filter { text in
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
    setScopes(json)
  }

  /// Those that are asked for anyway.
  static let standardScopes = ["openid", "profile", "offline_access"]

  private mutating func setScopes(_ json: JSON) {
    for name in ["scope", "scopes", "Scopes"] {
      guard let value = json[name] else { continue }
      let list =
        value.array?.compactMap(\.string)
        ?? value.string?.split(separator: " ").map(String.init) ?? []
      self.scopes = list.filter { !Self.standardScopes.contains($0) }
    }
  }
}

extension JSON {
  /// The text of the first of these members that has one.
  func text(_ names: String...) -> String? {
    names.lazy.compactMap { self[$0]?.string }.first { !$0.isEmpty }
  }
}
