import AuthCore
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
    let schema = ConnectionFields.shared
    let known = Set(ConnectionFields.fields.map(\.name))
    // The last one is of the list of `entrancectl`, and of no use here.
    var leftOut = members.map(\.name).filter { !known.contains($0) && $0 != "isReadOnly" }
    if !self.caFile.isEmpty, !self.caFile.hasPrefix("/") {
      leftOut.append(schema.caFile.name)
      self.caFile = ""
    }
    if !leftOut.isEmpty {
      remarks.append(
        Remark(
          field: nil,
          sentence: Sentence(
            "The description has fields that cannot be used, and are left out: {fields}.",
            ["fields": Self.list(leftOut)])))
    }
    var places: [(field: String, value: String)] = []
    if !self.caFile.isEmpty { places.append((schema.caFile.name, self.caFile)) }
    if let cache = self.cache, cache != .null {
      places.append((schema.cache.name, cache.compactText))
    }
    if let first = places.first {
      let shown = places.map { "\($0.field) (\($0.value.shown(upTo: 300)))" }
      remarks.append(
        Remark(
          field: first.field,
          sentence: Sentence(
            "The description chooses files or keyring items of this computer: {fields}. Check"
              + " them, unless you wrote the description yourself.",
            ["fields": shown.joined(separator: ", ")])))
    }
  }

  /// The names that a remark has: ten at most.
  static func list(_ names: [String]) -> String {
    let shown = names.prefix(10).map { $0.shown(upTo: 40) }
    return (shown + (names.count > shown.count ? ["…"] : [])).joined(separator: ", ")
  }
}
