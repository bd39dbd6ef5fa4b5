import AuthCore
import CurlHTTP
import Sentences

extension ConnectionDraft {
  /// Reads an entry of `apps.json`, as one person sends it to another; nil when it is none, which
  /// `clientID` tells: others write that name in another way.
  ///
  /// All fields are taken over, also those that choose something on this computer: `caFile`, whose
  /// certificate authorities this app then trusts, and `cache`, where its accounts then are. A
  /// person who imports an entry expects the app to work as it did where the entry was, and the file
  /// of the certificate authorities is the person's own, as it must be on this computer already. But
  /// the entry can be from anybody, so a remark names both, with their paths. A path in the working
  /// directory would be another file for each program, and is left out.
  ///
  /// - Throws: ``ConnectionFileError`` when a field has a value of another type than in the file.
  init?(entry json: JSON) throws(ConnectionFileError) {
    guard let members = json.object, json["clientID"]?.string?.isEmpty == false else { return nil }
    let entry = ConnectionObject(json: json, path: "", places: [:])
    // An empty text is a field that is left out.
    for field in ConnectionFields.fields where json[field.name]?.string != "" {
      try field.check(entry)
    }
    self.init(json)
    remarkOnUnknown(members.map(\.name))
    remarkOnPlaces()
  }

  /// Names the fields that no entry has.
  private mutating func remarkOnUnknown(_ names: [String]) {
    let fields = ConnectionFields.fields.map(\.name)
    var unknown: [String] = []
    // The last one is of the list of `entrancectl`, and of no use here.
    for name in names where !fields.contains(name) && name != "isReadOnly" {
      let bareName = Self.bareName(name)
      if let known = fields.first(where: { Self.bareName($0) == bareName }),
        remarks.count < fields.count
      {
        note(
          Sentence(
            "The field {name} is unknown and is left out. The correct name is {known}.",
            ["name": name.shown(upTo: 40), "known": known]))
      } else {
        unknown.append(name)
      }
    }
    guard !unknown.isEmpty else { return }
    note(Sentence("Unknown fields are left out: {fields}.", ["fields": Self.list(unknown)]))
  }

  /// What two spellings of a name have in common: `redirect_uri` and `redirectURI`.
  private static func bareName(_ name: String) -> [UInt8] {
    name.utf8.prefix(40).filter(\.isAlphanumeric).map(\.lowercased)
  }

  /// Names what the entry chooses on this computer, and leaves out a path that cannot be used.
  private mutating func remarkOnPlaces() {
    let schema = ConnectionFields.shared
    let advice = Sentence("Keep this setting only if you trust whoever gave you the app.")
    let path = self.caFile.shown(upTo: 300)
    if self.caFile.hasPrefix("/") {
      let what = Sentence("The imported app trusts certificates from {path}.", ["path": path])
      note(Sentence([what, advice]), on: schema.caFile.name)
    } else if !self.caFile.isEmpty {
      self.caFile = ""
      note(
        Sentence(
          "The field {name} is left out: {path} is not an absolute path.",
          ["name": schema.caFile.name, "path": path]), on: schema.caFile.name)
    }
    if let cache = self.cache, cache != .null {
      note(Sentence([Self.place(of: cache), advice]), on: schema.cache.name)
    }
  }

  /// Where an app with this token cache keeps its accounts.
  private static func place(of cache: JSON) -> Sentence {
    let text = cache.compactText.shown(upTo: 300)
    if cache["preset"] != nil {
      return Sentence(
        "The imported app shares its accounts with other programs, by this setting: {cache}.",
        ["cache": text])
    }
    if let path = cache["path"]?.string {
      return Sentence(
        "The imported app keeps its accounts in the file {path}.",
        ["path": path.shown(upTo: 300)])
    }
    return Sentence(
      "The imported app keeps its accounts in a keyring item: {cache}.", ["cache": text])
  }

  mutating func note(_ sentence: Sentence, on field: String? = nil) {
    remarks.append(Remark(field: field, sentence: sentence))
  }

  /// The names that a remark has: ten at most.
  static func list(_ names: [String]) -> String {
    let shown = names.prefix(10).map { $0.shown(upTo: 40) }
    return (shown + (names.count > shown.count ? ["…"] : [])).joined(separator: ", ")
  }
}
