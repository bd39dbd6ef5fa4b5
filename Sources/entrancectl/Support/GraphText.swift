import AuthCore
import EntranceKit
import FoundationEssentials
import HTTPTypes
import MicrosoftGraph

extension GraphTable {
  /// The widest column of a table for people.
  private static let largestWidth = 60

  /// A table, whose long texts are cut.
  var lines: [Line] {
    Line.table(cells.map { $0.map { $0.plain.cut(toColumns: Self.largestWidth) } })
  }
}

extension GraphResponse {
  /// The body, when it says that it is JSON, and is.
  var jsonBody: JSON? { contentType.contains("json") ? try? json() : nil }

  /// The name of the body in the JSON of a command, and its value.
  var bodyMember: JSON.Member {
    if body.isEmpty { return JSON.Member("body", .null) }
    if let jsonBody { return JSON.Member("body", jsonBody) }
    if let text = String(validating: body, as: UTF8.self) { return JSON.Member("body", JSON(text)) }
    return JSON.Member("bodyBase64", JSON(body.base64EncodedString()))
  }

  /// The header fields for programs: the values of one name together.
  var fields: JSON {
    var members: [JSON.Member] = []
    for field in headerFields {
      if let index = members.firstIndex(where: { $0.name == field.name.canonicalName }) {
        members[index].value = .string((members[index].value.string ?? "") + ", " + field.value)
      } else {
        members.append(JSON.Member(field.name.canonicalName, .string(field.value)))
      }
    }
    return .object(members)
  }
}
