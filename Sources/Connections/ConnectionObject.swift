import AuthCore
import Sentences

/// An object of `apps.json`, with its position in the file.
struct ConnectionObject {
  var json: JSON
  /// Its path, such as `apps[0]`; empty for the whole file.
  var path: String
  /// Where each value stands, by its path.
  var places: [String: JSONPlace]

  /// The error for the field called `name`.
  func fault(_ name: String, _ reason: Sentence) -> ConnectionFileError {
    let field = path.isEmpty ? name : "\(path).\(name)"
    let place = places[field] ?? places[path]
    return ConnectionFileError(line: place?.line, field: field, reason: reason)
  }

  /// Rejects unknown fields, so that a misspelled field is not ignored.
  func check(_ known: [String]) throws(ConnectionFileError) {
    guard let members = json.object else {
      throw ConnectionFileError(
        line: places[path]?.line, field: path.isEmpty ? nil : path,
        reason: Sentence("the value must be an object in braces"))
    }
    if let stranger = members.first(where: { !known.contains($0.name) }) {
      let meant = known.first { $0.lowercased() == stranger.name.lowercased() }
      throw fault(
        stranger.name,
        meant.map { Sentence("the correct spelling is {name}", ["name": $0]) }
          ?? Sentence("this field does not exist"))
    }
  }

  /// The text of a field; nil when it is absent or null.
  func text(
    _ name: String, limit: Int = ConnectionObject.longestText
  ) throws(ConnectionFileError) -> String? {
    switch json[name] {
    case nil, .null: return nil
    case .string(let text) where !text.isEmpty:
      try check(name, text, limit: limit)
      return text
    default: throw fault(name, Sentence("the value must be a string in quotes"))
    }
  }

  /// The Boolean of a field; nil when it is absent or null.
  func bool(_ name: String) throws(ConnectionFileError) -> Bool? {
    switch json[name] {
    case nil, .null: return nil
    case .bool(let value): return value
    default: throw fault(name, Sentence("the value must be true or false"))
    }
  }

  /// The texts of a field; nil when it is absent or null.
  func texts(_ name: String) throws(ConnectionFileError) -> [String]? {
    guard let value = json[name], value != .null else { return nil }
    guard let elements = value.array, elements.allSatisfy({ $0.string != nil }) else {
      throw fault(name, Sentence("the value must be a list of strings in quotes"))
    }
    let texts = elements.compactMap(\.string)
    for text in texts { try check(name, text, limit: Self.longestText) }
    return texts
  }

  /// The longest text of a field, in Unicode scalars: a window takes seconds to show some more.
  static let longestText = 4096

  /// Rejects a text that is too long to be shown.
  private func check(_ name: String, _ text: String, limit: Int) throws(ConnectionFileError) {
    guard text.unicodeScalars.count > limit else { return }
    throw fault(
      name, Sentence("the value must have at most {limit} characters", ["limit": limit]))
  }

  /// The https URL of a field; `standard`, which can be empty, when the field is absent.
  func address(
    _ field: ConnectionField<String>, or standard: String?
  ) throws(ConnectionFileError) -> String {
    let name = field.name
    guard let address = try field.read(self) else {
      if let standard { return standard }
      throw fault(name, Sentence("enter the API that the tokens are for"))
    }
    let host = Connection.host(of: address)
    guard !host.isEmpty, !host.contains("@") else {
      throw fault(name, Sentence("enter an address that begins with https://"))
    }
    return address
  }

  /// The error for the field called `name` whose value is none of `known`.
  func fault(_ name: String, known: [String]) -> ConnectionFileError {
    fault(
      name,
      Sentence(
        "the value must be one of {kinds}",
        ["kinds": known.map { "\"\($0)\"" }.joined(separator: ", ")]))
  }

  /// Where accounts are kept; nil to choose automatically.
  func storage() throws(ConnectionFileError) -> StorageKind? {
    guard let text = try text("storage"), text != "automatic" else { return nil }
    guard let kind = StorageKind(rawValue: text) else {
      throw fault("storage", known: ["automatic"] + StorageKind.allCases.map(\.rawValue))
    }
    return kind
  }

  /// Makes an AuthCore value from a field; the message of its error becomes the reason.
  func make<Value>(
    _ name: String, _ make: () throws(AuthenticationError) -> Value
  ) throws(ConnectionFileError) -> Value {
    do throws(AuthenticationError) {
      return try make()
    } catch {
      throw fault(name, error.sentence.withoutFullStop)
    }
  }
}

extension Connection {
  /// Reads a connection from a file with the given `storage`.
  init(_ fields: ConnectionObject, storage: StorageKind?) throws(ConnectionFileError) {
    let schema = ConnectionFields.shared
    try fields.check(ConnectionFields.fields.map(\.name))
    for field in ConnectionFields.fields { try field.check(fields) }
    guard let name = try schema.name.read(fields) else {
      throw fields.fault("name", Sentence("enter a name"))
    }
    guard let clientID = try schema.clientID.read(fields) else {
      throw fields.fault(
        "clientID", Sentence("enter the application (client) ID of the app registration"))
    }
    let kind = try schema.authorityKind.read(fields) ?? nil
    let redirectText = try schema.redirectURI.read(fields) ?? EntranceIdentity.redirectURI
    // Only Entra ID has an authority for all accounts.
    let everyone = kind == nil || kind == .entra ? Authority.common.description : nil
    guard let authorityText = try schema.authority.read(fields) ?? everyone else {
      throw fields.fault("authority", Sentence("enter the address of the sign-in service"))
    }
    let redirectURI = try fields.make("redirectURI") { () throws(AuthenticationError) in
      try RedirectURI(redirectText)
    }
    let authority = try fields.make("authority") { () throws(AuthenticationError) in
      try Authority(authorityText, kind: kind)
    }
    guard !authority.kind.isMicrosofts || GUID.isValid(clientID) else {
      throw fields.fault(
        "clientID", Sentence("a client ID looks like {id}", ["id": Self.exampleID]))
    }
    let scopes =
      try schema.scopes.read(fields) ?? Self.defaultScopes(of: authority.kind, clientID: clientID)
    guard !scopes.isEmpty else {
      throw fields.fault(
        "scopes", Sentence("the value must contain at least one permission"))
    }
    try fields.make("scopes") { () throws(AuthenticationError) in try Scopes.check(scopes) }
    let api = try fields.address(schema.api, or: Self.defaultAPI(of: authority))
    guard Self.mayGetToken(api, with: scopes, of: authority) else {
      throw fields.fault(
        "api",
        Sentence(
          "the permissions are for a Microsoft service at another address; enter the"
            + " permissions of this API"))
    }
    var knownAuthorities: [Authority] = []
    for text in try schema.knownAuthorities.read(fields) ?? [] {
      knownAuthorities.append(
        try fields.make("knownAuthorities") { () throws(AuthenticationError) in
          try Authority(text, kind: authority.kind)
        })
    }
    try fields.make("authority") { () throws(AuthenticationError) in
      try authority.check(knownAuthorities: knownAuthorities)
    }
    // Whether it can be read matters to requests only.
    let caFile = try schema.caFile.read(fields)
    var application = try fields.make("clientID") { () throws(AuthenticationError) in
      try PublicClientApplicationConfiguration(
        clientID: clientID, redirectURI: redirectURI, authority: authority,
        knownAuthorities: knownAuthorities, caFile: caFile)
    }
    application.isBrokerRedirectURIRegistered =
      try schema.isBrokerRedirectURIRegistered.read(fields) ?? false
    self.init(name: name, application: application, scopes: scopes, api: api, storage: storage)
    if let cache = try schema.cache.read(fields) ?? nil, cache != .null {
      self.cache = try TokenCacheLocation(
        ConnectionObject(json: cache, path: "\(fields.path).cache", places: fields.places))
    }
  }

  private static let exampleID = "11111111-2222-3333-4444-555555555555"
}
