import AuthCore
import CurlHTTP
import Sentences

/// Text with names and IDs: a page of the portal, an `.env` file, a command line, source code, or the
/// address of a sign-in page.
struct CopiedText {
  /// The host of the worldwide cloud.
  static let globalHost = "login.microsoftonline.com"

  let bytes: [UInt8]
  /// The same with small letters, in which names are looked for.
  private let lower: [UInt8]

  init(_ text: String) {
    bytes = Array(text.utf8)
    lower = bytes.map(\.lowercased)
  }

  /// The sign-in host of a cloud, by the name that MSALs have for it; nil for another name.
  static func host(ofCloud name: String) -> String? {
    switch name.lowercased() {
    case "azurepublic": globalHost
    case "azureusgovernment": "login.microsoftonline.us"
    case "azurechina": "login.partner.microsoftonline.cn"
    default: nil
    }
  }

  // MARK: What there is

  /// The client ID: the ID behind a name for it, or the only one beside the tenant's.
  var clientID: String? { app?.text }

  /// The client ID, and where it begins.
  private var app: (text: String, place: Int)? {
    let ids = ids
    let names = ["(client) id", "client_id", "client-id", "clientid", "appid", "app_id"]
    for name in names {
      if let place = placesOfApp(behind: name).first,
        let id = ids.first(where: { $0.place >= place })
      {
        return id
      }
    }
    if let id = id(behind: Self.clientLabels) { return id }
    // The only ID may be that of an API that the app calls.
    guard Self.resources.allSatisfy({ lower.places(of: $0).isEmpty }) else { return nil }
    let tenant = tenant?.lowercased()
    let others = ids.filter { $0.text != tenant }
    return others.count == 1 ? others.first : nil
  }

  /// Whether it has the permissions of an app, as what creates one does.
  var hasPermissionsOfApp: Bool {
    ["requiredresourceaccess", "required_resource_access"].contains {
      !lower.places(of: $0).isEmpty
    }
  }

  /// Whether there are several IDs, of which one may be the app's.
  var hasSeveralIDs: Bool { Set(ids.map(\.text)).count > 1 }

  /// Whether only accounts of one organization can sign in.
  var isForOneOrganization: Bool { !lower.places(of: "azureadmyorg").isEmpty }

  /// Whether it has a client secret: a value with a digit, as in Microsoft's, and not a name for it.
  var hasSecret: Bool {
    ["client_secret", "client-secret", "clientsecret"].flatMap { places(behind: $0) }.contains {
      guard let text = value(at: $0)?.utf8, text.count >= Self.shortestSecret else { return false }
      return text.contains(where: \.isDigit)
        && text.allSatisfy { $0.isAlphanumeric || "~._-+/=".utf8.contains($0) }
    }
  }

  private static let shortestSecret = 16

  /// What the app is called.
  var name: String? {
    for name in ["display name", "displayname", "app_name", "appname", "application name"]
      + Self.nameLabels
    {
      for place in places(behind: name) {
        if let value = value(at: place, isLine: true), value.count <= Connection.longestName {
          return value
        }
      }
    }
    return nil
  }

  /// The tenant: its ID, a domain, or one of Microsoft's names for several.
  var tenant: String? {
    for name in ["(tenant) id", "tenant_id", "tenant-id", "tenantid", "tenant"] {
      for place in places(behind: name) {
        if let value = value(at: place), Self.isTenant(value) { return value }
      }
    }
    if let id = id(behind: Self.tenantLabels) { return id.text }
    guard isForOneOrganization else { return nil }
    return places(behind: "publisherdomain").lazy.compactMap { self.value(at: $0) }
      .first(where: Self.isTenant)
  }

  // MARK: The admin center in other languages

  // "Application (client) ID" and "Directory (tenant) ID" in German, French, Spanish, Japanese and
  // Arabic. The words before the parentheses are not the same in all its pages.
  private static let clientLabels = [
    "(client)", "(cliente)", "(クライアント)", "（クライアント）", "(العميل)",
  ]
  private static let tenantLabels = [
    "(mandant)", "(locataire)", "(inquilino)", "(テナント)", "（テナント）", "(المستأجر)",
  ]
  private static let nameLabels = [
    "anzeigename", "nom d’affichage", "nom d'affichage", "nombre para mostrar", "表示名",
    "اسم العرض",
  ]
  /// How far behind such a label the ID begins at most, in bytes: there are only "ID", blanks and a
  /// colon between them.
  private static let longestGap = 24
  /// How many of the places of such a label are looked at.
  private static let mostLabels = 100

  /// The first ID that one of `labels` is for.
  private func id(behind labels: [String]) -> (text: String, place: Int)? {
    let ids = ids
    for label in labels {
      for place in places(behind: label).prefix(Self.mostLabels) {
        if let id = ids.first(where: { $0.place >= place }), id.place - place <= Self.longestGap {
          return id
        }
      }
    }
    return nil
  }

  /// The redirect URIs.
  var redirectURIs: [String] {
    ["redirect_uri", "redirecturi", "redirect-uri"].flatMap { places(behind: $0) }.compactMap {
      value(at: $0)
    }
  }

  /// Who signs people in; empty when the text does not say.
  var authority: String {
    let named = places(behind: "authority").compactMap { value(at: $0) }.compactMap(
      AuthorityText.init)
    let all = lower.places(of: "https://").compactMap {
      AuthorityText(String(decoding: word(at: $0), as: UTF8.self))
    }
    let chosen = named.first { !$0.isRedirect } ?? all.first { $0.isMicrosofts && !$0.isRedirect }
    let tenant = tenant
    guard let chosen, !chosen.host.isEmpty else {
      guard let tenant else { return host == Self.globalHost ? "" : "https://\(host)/common" }
      return "https://\(host)/\(tenant)"
    }
    guard let cloud = chosen.cloud else { return chosen.url }
    let own = chosen.path.first.flatMap { Self.isTenant($0) ? $0 : nil }
    return "https://\(cloud)/\(own ?? tenant ?? "common")"
  }

  /// The host of the cloud that is named without a URL.
  private var host: String {
    let names = ["azureusgovernment", "azurechina"]
    if let name = names.first(where: { !lower.places(of: $0).isEmpty }) {
      return Self.host(ofCloud: name) ?? Self.globalHost
    }
    let hosts = ["login.microsoftonline.us", "login.partner.microsoftonline.cn"]
    return hosts.first { !lower.places(of: $0).isEmpty } ?? Self.globalHost
  }

  // MARK: Reading

  /// The GUIDs in the text, and where each begins.
  private var ids: [(text: String, place: Int)] {
    let isDigit = { (byte: UInt8) in byte.hexValue != nil || byte == UInt8(ascii: "-") }
    return lower.indices.split { !isDigit(lower[$0]) }.compactMap { place in
      let text = String(decoding: lower[place.startIndex..<place.endIndex], as: UTF8.self)
      return GUID.isValid(text) ? (text, place.startIndex) : nil
    }
  }

  private static func isTenant(_ text: String) -> Bool {
    let text = text.lowercased()
    guard !["common", "organizations", "consumers"].contains(text), !GUID.isValid(text) else {
      return true
    }
    let labels = text.split(separator: ".", omittingEmptySubsequences: false)
    return labels.count > 1
      && labels.allSatisfy { label in
        !label.isEmpty
          && label.utf8.allSatisfy { $0.isAlphanumeric || $0 == UInt8(ascii: "-") }
      }
  }

  /// Where the text goes on behind each place of `name`.
  private func places(behind name: String) -> [Int] {
    lower.places(of: name).map { $0 + name.utf8.count }
  }

  /// The same, those nearest to the client ID first: a text can describe apps of several providers.
  func placesNearApp(behind name: String) -> [Int] {
    let places = places(behind: name)
    guard let app = app?.place else { return places }
    return places.sorted { abs($0 - app) < abs($1 - app) }
  }

  /// The names for an API that an app calls, in Microsoft Graph and in Terraform.
  private static let resources = ["resourceappid", "resource_app_id"]

  /// The same for a name of the app itself, which is a part of the ``resources``, too.
  private func placesOfApp(behind name: String) -> [Int] {
    places(behind: name).filter { place in
      let bytes = lower[..<(place - name.utf8.count)].suffix("resource_".utf8.count)
      let before = String(decoding: bytes, as: UTF8.self)
      return !before.hasSuffix("resource") && !before.hasSuffix("resource_")
    }
  }

  static let quotes = Set("\"'`".utf8)
  private static let ends = Set("\"'`<>,;&|)]}#".utf8)

  /// How far behind a name its sign can be, in bytes.
  ///
  /// All reading from a place has a limit: in a text that repeats a name, each place would be read
  /// to the end of the text.
  static let longestLine = 200
  /// The longest value, in bytes: Microsoft Entra ID's redirect URIs have at most 256 characters.
  static let longestValue = 512

  /// What can be between a name and its value: French has a blank before a colon that keeps both in
  /// one line, and Arabic has marks of its direction.
  private static let blanks = [
    " ", "\t", "\r", "\n", ":", "：", "\u{A0}", "\u{202F}", "\u{200E}", "\u{200F}",
  ].map { Array($0.utf8) }

  /// Where the value of a name begins that ends at `place`: behind quote, type and sign.
  func start(ofValueAt place: Int) -> Int {
    var place = place
    if place < bytes.count, Self.quotes.contains(bytes[place]) { place += 1 }
    let line = bytes[place...].prefix(Self.longestLine)
      .prefix { $0 != 0x0A && !Self.quotes.contains($0) }
    if let sign = line.firstIndex(of: UInt8(ascii: "=")) { place = sign + 1 }
    while let blank = Self.blanks.first(where: { bytes[place...].starts(with: $0) }) {
      place += blank.count
    }
    return place
  }

  /// The value of the name that ends at `place`: to the closing quote, or one word or line.
  private func value(at place: Int, isLine: Bool = false) -> String? {
    let start = start(ofValueAt: place)
    guard start < bytes.count else { return nil }
    let isQuoted = Self.quotes.contains(bytes[start])
    let rest = bytes[(isQuoted ? start + 1 : start)...].prefix(Self.longestValue + 1)
    let text =
      if isQuoted {
        rest.prefix { $0 != bytes[start] && $0 != 0x0A }
      } else if isLine {
        rest.prefix { $0 != 0x0A && $0 != 0x0D && $0 != 0x09 }
      } else {
        word(at: start)
      }
    guard !text.isEmpty, text.count <= Self.longestValue else { return nil }
    let value = String(decoding: text, as: UTF8.self)
    return isQuoted || isLine ? value : Self.decoded(value)
  }

  /// What goes on until the next blank or sign that no value has; the beginning of it, when it is
  /// longer than any value.
  private func word(at place: Int) -> ArraySlice<UInt8> {
    bytes[place...].prefix(Self.longestValue + 1).prefix { $0 > 0x20 && !Self.ends.contains($0) }
  }

  /// A value of an address as it was before it became a part of that.
  static func decoded(_ value: String) -> String {
    FormEncoding.parse("value=\(value)")?.first?.value ?? value
  }
}

/// The URL of a sign-in service, or of one of its pages.
private struct AuthorityText {
  let host: String
  /// The parts of the path that say whose accounts they are.
  let path: [String]
  /// Whether it is the redirect URI that Microsoft offers to everyone.
  let isRedirect: Bool

  init?(_ text: String) {
    let start = "https://"
    guard text.lowercased().hasPrefix(start) else { return nil }
    let rest = text.dropFirst(start.count).prefix { $0 != "?" && $0 != "#" }
    let parts = rest.split(separator: "/").map(String.init)
    guard let host = parts.first else { return nil }
    self.host = host.lowercased()
    let pages = ["oauth2", "v2.0", ".well-known", "adminconsent"]
    path = Array(parts.dropFirst().prefix { !pages.contains($0.lowercased()) })
    isRedirect = parts.last?.lowercased() == "nativeclient"
  }

  var isMicrosofts: Bool { SignInSite.isMicrosofts(host) }

  var url: String { "https://" + ([host] + path).joined(separator: "/") }

  /// The preferred host of the cloud; nil when it is not one of Microsoft Entra ID.
  var cloud: String? { (try? Authority("https://\(host)/common"))?.cloud }
}

extension ConnectionDraft {
  /// Reads text that somebody copied; nil when there is no client ID in it.
  package init?(copied text: String) {
    let text = CopiedText(text)
    guard let clientID = text.clientID else { return nil }
    self.init()
    self.clientID = clientID
    self.name = text.name ?? ""
    self.authority = text.authority
    let scopes = text.scopes
    self.scopes = scopes.names
    if scopes.isUnread {
      remarks.append(
        Remark(
          field: ConnectionFields.shared.scopes.name,
          sentence: Sentence(
            "The list of permissions cannot be read, and is left out. Enter the permissions that the"
              + " app needs.")))
    }
    self.redirectURI = Self.redirectURI(of: text.redirectURIs)
    if text.isForOneOrganization, text.tenant == nil { noteMissingOrganization() }
    if text.hasSecret { noteSecret() }
  }
}
