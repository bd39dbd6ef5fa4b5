import AuthCore
import Sentences

extension TokenCacheLocation {
  /// Presets that need more fields, because they are for one program or tenant.
  private static let presetFields = [
    "msal-extensions": ["path"], "msal-go": ["schema", "path"], "azureauth": ["tenant"],
  ]
  private static let itemFields = [
    "schema", "ignoresSchema", "attributes", "label", "collection", "encoding", "signalFile",
  ]

  /// Reads the field `cache` of a connection.
  init(_ fields: ConnectionObject) throws(ConnectionFileError) {
    if fields.json["preset"] != nil {
      self = try Self.preset(fields)
    } else if fields.json["path"] != nil {
      try fields.check(["path"])
      self = .file(path: try fields.path("path"))
    } else {
      self = .keyring(try SharedKeyringItem(fields, names: Self.itemFields))
    }
  }

  private static func preset(_ fields: ConnectionObject) throws(ConnectionFileError) -> Self {
    let name = try fields.needed("preset", Sentence("enter a preset, a path, or a schema"))
    try fields.check(["preset"] + (presetFields[name] ?? []))
    switch name {
    case "msal-extensions": return .msalExtensions(path: try fields.path("path"))
    case "msal-go":
      let name = try fields.needed("schema", Sentence("enter the schema of the item"))
      return .msalGo(name: name, path: try fields.path("path"))
    case "azureauth":
      let tenant = try fields.needed("tenant", Sentence("enter a tenant"))
      guard !tenant.contains("/") else {
        throw fields.fault("tenant", Sentence("the value must not contain a slash"))
      }
      return .azureauth(tenant: tenant)
    default:
      guard let location = preset(name) else {
        throw fields.fault("preset", known: (presets + presetFields.keys).sorted())
      }
      return location
    }
  }
}

extension SharedKeyringItem {
  fileprivate init(
    _ fields: ConnectionObject, names: [String]
  ) throws(ConnectionFileError) {
    try fields.check(names)
    guard fields.json["schema"] != nil else {
      throw fields.fault(
        "schema", Sentence("enter a preset, a path, or a schema"))
    }
    var attributes: [String: String] = [:]
    if let value = fields.json["attributes"], value != .null {
      guard let members = value.object, members.allSatisfy({ $0.value.string != nil }) else {
        throw fields.fault("attributes", Sentence("the members must be strings in quotes"))
      }
      for member in members { attributes[member.name] = member.value.string }
    }
    guard attributes["xdg:schema"] == nil else {
      throw fields.fault("attributes", Sentence("set the schema in the field “schema” instead"))
    }
    let ignoresSchema = try fields.bool("ignoresSchema") ?? false
    let encoding = try fields.needed("encoding", Sentence("enter how the item is encoded"))
    guard let encoding = Encoding(rawValue: encoding) else {
      throw fields.fault("encoding", known: Encoding.allCases.map(\.rawValue))
    }
    self.init(
      schema: try fields.needed("schema", Sentence("enter the schema of the item")),
      ignoresSchema: ignoresSchema, attributes: attributes,
      // An empty label is valid.
      label: fields.json["label"]?.string == "" ? "" : try fields.text("label") ?? "",
      collection: try fields.text("collection") ?? "default", encoding: encoding,
      signalFile: try fields.path("signalFile"))
  }
}

extension ConnectionObject {
  /// The text of a required field.
  ///
  /// - Parameter request: what to enter.
  fileprivate func needed(
    _ name: String, _ request: Sentence
  ) throws(ConnectionFileError) -> String {
    guard let text = try text(name) else { throw fault(name, request) }
    return text
  }

  /// The path in a required field: absolute, or in the home directory.
  fileprivate func path(_ name: String) throws(ConnectionFileError) -> String {
    let text = try needed(name, Sentence("enter the path of a file"))
    if text.hasPrefix("~/") { return HomeDirectory.path + text.dropFirst() }
    guard text.hasPrefix("/") else {
      throw fault(name, Sentence("the value must begin with / or ~/"))
    }
    return text
  }
}
