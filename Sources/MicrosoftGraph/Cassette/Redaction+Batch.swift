import AuthCore
import CurlHTTP

// What the parts of a batch become.
extension Redaction {
  /// A batch of requests, or of responses.
  ///
  /// The numbers of its parts stay, which tell what belongs together. What the body of a part calls
  /// `id` is a value like any other.
  mutating func batch(_ json: JSON) -> JSON {
    guard let members = json.object else { return self.json(json, "") }
    var result: [JSON.Member] = []
    for member in members {
      guard ["requests", "responses"].contains(member.name), let parts = member.value.array else {
        result += self.json(.object([member]), "").object ?? []
        continue
      }
      var list: [JSON] = []
      for part in parts { list.append(batchPart(part)) }
      result.append(JSON.Member(member.name, .array(list)))
    }
    return .object(result)
  }

  private mutating func batchPart(_ part: JSON) -> JSON {
    guard let members = part.object else { return json(part, "") }
    let numbers = members.filter { Self.isPartNumber($0) }
    let rest = json(.object(members.filter { !Self.isPartNumber($0) }), "")
    return .object(numbers + (rest.object ?? []))
  }

  /// Whether a member says which part it is, or on which ones it depends.
  private static func isPartNumber(_ member: JSON.Member) -> Bool {
    switch member.name {
    case "id": isPartNumber(member.value)
    case "dependsOn": member.value.array?.allSatisfy { isPartNumber($0) } == true
    default: false
    }
  }

  /// Whether a text is a number as ``GraphBatch`` counts.
  ///
  /// A longer one, or a word, can be somebody's.
  private static func isPartNumber(_ value: JSON) -> Bool {
    guard let digits = value.string?.utf8 else { return false }
    return (1...5).contains(digits.count) && digits.allSatisfy(\.isDigit)
  }
}
