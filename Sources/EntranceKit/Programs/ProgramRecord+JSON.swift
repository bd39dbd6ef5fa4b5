import AuthCore
import FoundationEssentials

extension ProgramRecord {
  /// Reads a record; nil when it is none.
  init?(_ json: JSON) {
    guard let kind = json["kind"]?.string.flatMap(CallingProgram.Kind.init),
      let identifier = json["program"]?.string
    else { return nil }
    self.init(CallingProgram(kind, identifier))
    decision = Self.decision(json["decision"])
    grants = (json["grants"]?.array ?? []).compactMap(Grant.init)
  }

  /// What the person decided; one that is not known, such as that of a later version, allows nothing.
  private static func decision(_ json: JSON?) -> Decision? {
    guard let json, json != .null else { return nil }
    return json.string.flatMap(Decision.init) ?? .deny
  }

  /// The record, as it is kept.
  var json: JSON {
    .object([
      JSON.Member("kind", .string(program.kind.rawValue)),
      JSON.Member("program", .string(program.identifier)),
      JSON.Member("decision", decision.map { .string($0.rawValue) } ?? .null),
      JSON.Member("grants", .array(grants.map(\.json))),
    ])
  }
}

extension ProgramRecord.Grant {
  fileprivate init?(_ json: JSON) {
    guard let app = json["app"]?.string, let account = json["account"]?.string else { return nil }
    self.init(app: app, account: account, username: json["username"]?.string ?? account)
    scopes = Self.scopes(json["scopes"])
    refused = Self.scopes(json["refused"])
    allowed = Self.scopes(json["allowed"])
    count = min(max(0, json["count"]?.integer ?? 0), ProgramRecord.mostUses)
    first = json["first"]?.integer.flatMap(Self.date)
    last = json["last"]?.integer.flatMap(Self.date)
  }

  fileprivate var json: JSON {
    let members: [(String, JSON?)] = [
      ("app", .string(app)),
      ("account", .string(account)),
      ("username", .string(username)),
      ("scopes", .array(scopes.map { .string($0) })),
      ("refused", refused.isEmpty ? nil : .array(refused.map { .string($0) })),
      ("allowed", allowed.isEmpty ? nil : .array(allowed.map { .string($0) })),
      ("count", .number("\(count)")),
      ("first", first.map(Self.seconds)),
      ("last", last.map(Self.seconds)),
    ]
    return JSON(members: members)
  }

  private static func scopes(_ json: JSON?) -> [String] {
    ProgramRecord.joined([], (json?.array ?? []).compactMap(\.string))
  }

  /// The end of the year 9999, which is as far as dates are written.
  private static let latest = 253_402_300_799

  private static func date(_ seconds: Int) -> Date? {
    (0...latest).contains(seconds) ? Date(timeIntervalSince1970: Double(seconds)) : nil
  }

  private static func seconds(_ date: Date) -> JSON {
    .number("\(Int(max(0, min(date.timeIntervalSince1970, Double(latest)))))")
  }
}
