public import FoundationEssentials

extension EmulatorConfiguration {
  /// What is wrong with a configuration file.
  public struct FileError: LocalizedError, CustomStringConvertible, Sendable {
    /// The place and the reason, in a sentence.
    public let message: String

    /// The message.
    public var description: String { message }
    /// The message, which is also `localizedDescription`.
    public var errorDescription: String? { message }
  }

  /// Adds what a JSON file says: applications, resources, tenants, users and the number of
  /// colleagues.
  ///
  /// The manual page describes it. A member that is not known is an error, so that a typing error
  /// is found.
  public mutating func add(contentsOf path: String) throws(FileError) {
    let data: Data
    do {
      data = try Data(contentsOf: URL(filePath: path))
    } catch {
      throw FileError(message: "The file '\(path)' cannot be read.")
    }
    try add(json: data)
  }

  /// Adds what JSON says, as in a file.
  mutating func add(json data: Data) throws(FileError) {
    guard let json = try? JSONDecoder().decode(JSON.self, from: data), json.fields != nil else {
      throw FileError(message: "The configuration is no JSON object.")
    }
    let root = ConfigurationObject(json, place: "")
    try root.check(["applications", "resources", "tenants", "users", "colleagues"])
    for object in try root.objects("applications") {
      try object.check(["clientID", "displayName", "redirectURIs", "pageRedirectURIs"])
      let clientID = try object.guid("clientID")
      clients.append(
        ClientRegistration(
          clientID: clientID,
          displayName: try object.text("displayName") ?? "Application \(clientID.prefix(8))",
          redirectURIs: try object.texts("redirectURIs"),
          pageRedirectURIs: try object.texts("pageRedirectURIs")))
    }
    for object in try root.objects("resources") {
      try object.check(["identifier", "aliases", "scopes"])
      resources.append(
        ResourceRegistration(
          identifier: try object.required("identifier"), aliases: try object.texts("aliases"),
          scopes: try object.texts("scopes")))
    }
    for object in try root.objects("tenants") {
      try object.check(["id", "domain", "displayName"])
      let domain = try object.required("domain")
      tenants.append(
        TenantRegistration(
          id: try object.guid("id"), domain: domain,
          displayName: try object.text("displayName") ?? domain))
    }
    let domains = Tenant.all.map(\.domain) + tenants.map { $0.domain.lowercased() }
    for object in try root.objects("users") {
      try object.check(["username", "givenName", "surname", "password", "objectID", "jobTitle"])
      let username = try object.required("username").lowercased()
      let parts = username.split(separator: "@", omittingEmptySubsequences: false)
      guard parts.count == 2, !parts[0].isEmpty, domains.contains(String(parts[1])) else {
        throw FileError(
          message: "\(object.place)username: '\(username)' is not in the domain of a tenant.")
      }
      users.append(
        UserRegistration(
          username: username, givenName: try object.text("givenName") ?? String(parts[0]),
          surname: try object.text("surname") ?? "", password: try object.text("password"),
          objectID: try object.text("objectID"),
          jobTitle: try object.text("jobTitle")))
    }
    if let count = json["colleagues"] {
      guard case .number(let number) = count, (0...100_000).contains(number) else {
        throw FileError(message: "colleagues: This is no number from 0 to 100000.")
      }
      colleagueCount = number
    }
  }
}

/// An object of a configuration file, with its place for messages.
private struct ConfigurationObject {
  typealias FileError = EmulatorConfiguration.FileError

  let json: JSON
  let place: String

  init(_ json: JSON, place: String) {
    self.json = json
    self.place = place
  }

  func check(_ names: Set<String>) throws(FileError) {
    for (name, _) in json.fields ?? [] where !names.contains(name) {
      throw FileError(
        message: "\(place)\(name): There is no such member. Known are "
          + "\(names.sorted().joined(separator: ", ")).")
    }
  }

  func objects(_ name: String) throws(FileError) -> [ConfigurationObject] {
    guard let value = json[name] else { return [] }
    guard let items = value.items, items.allSatisfy({ $0.fields != nil }) else {
      throw FileError(message: "\(place)\(name): This is no list of objects.")
    }
    return items.enumerated().map { ConfigurationObject($1, place: "\(name)[\($0)].") }
  }

  func text(_ name: String) throws(FileError) -> String? {
    guard let value = json[name] else { return nil }
    guard let text = value.string, !text.isEmpty else {
      throw FileError(message: "\(place)\(name): This is no text.")
    }
    return text
  }

  func required(_ name: String) throws(FileError) -> String {
    guard let text = try text(name) else {
      throw FileError(message: "\(place)\(name): It is missing.")
    }
    return text
  }

  func guid(_ name: String) throws(FileError) -> String {
    let text = try required(name)
    guard let guid = UUID(uuidString: text) else {
      throw FileError(message: "\(place)\(name): '\(text)' is no GUID.")
    }
    return guid.uuidString.lowercased()
  }

  func texts(_ name: String) throws(FileError) -> [String] {
    guard let value = json[name] else { return [] }
    let texts = value.items?.compactMap(\.string)
    guard let texts, texts.count == value.items?.count else {
      throw FileError(message: "\(place)\(name): This is no list of texts.")
    }
    return texts
  }
}
