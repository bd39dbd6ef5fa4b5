import AuthCore
import HTTPTypes
public import Sentences

extension GraphResponse {
  /// What the service left out of what `request` asked for, without saying so.
  ///
  /// Graph ignores some query options where it does not support them.
  ///
  /// - Returns: sentences for the developer; empty when nothing is missing.
  public func hints(for request: GraphRequest) -> [Sentence] {
    let selected = request.values(of: "$select")
    let wantsCount = request.values(of: "$count").contains { $0.lowercased() == "true" }
    guard !selected.isEmpty || wantsCount, let json = try? json() else { return [] }
    var hints: [Sentence] = []
    let missing = Self.missing(selected, in: json)
    if !missing.isEmpty {
      hints.append(
        Sentence(
          "The response does not have what $select names: {properties}. Check the spelling, and"
            + " whether this version has it.",
          ["properties": missing.joined(separator: ", ")]))
    }
    if wantsCount, json["value"]?.array != nil, json["@odata.count"] == nil {
      hints.append(
        Sentence(
          "The response has no total count, although $count asks for it. Some resources"
            + " count only with “ConsistencyLevel: eventual”, and some not at all."))
    }
    return hints
  }

  /// The properties that no item has.
  private static func missing(_ properties: [String], in json: JSON) -> [String] {
    let items = json["value"]?.array ?? [json]
    guard !items.isEmpty, items.allSatisfy({ $0.object != nil }) else { return [] }
    let names = Set(items.flatMap { $0.object ?? [] }.map { $0.name.lowercased() })
    return properties.filter { property in
      let name = property.prefix { $0 != "/" }.lowercased()
      return !name.isEmpty && name != "*" && !names.contains(name)
    }
  }
}

extension GraphError {
  /// What `request` needs so that the service can answer it; nil when that is not known.
  public func hint(for request: GraphRequest) -> Sentence? {
    let path = request.target.prefix { $0 != "?" }.lowercased()
    let asksForCount = path.replacing("%24", with: "$").hasSuffix("/$count")
    guard
      serverCode == "Request_UnsupportedQuery" || asksForCount && serverCode == "Request_BadRequest"
    else { return nil }
    let isEventual = request.headerFields[.consistencyLevel]?.lowercased() == "eventual"
    func has(_ option: String) -> Bool { !request.values(of: option).isEmpty }
    if asksForCount || has("$search"), !isEventual {
      return Sentence(
        "This is an advanced query of the directory: send the header field “ConsistencyLevel:"
          + " eventual”.")
    }
    // The number of items, and a search alone, need no more.
    if asksForCount || has("$search") && !has("$filter") && !has("$orderby") { return nil }
    let isCounted = request.values(of: "$count").contains { $0.lowercased() == "true" }
    guard !isEventual || !isCounted else { return nil }
    return Sentence(
      "This is an advanced query of the directory: send the header field “ConsistencyLevel:"
        + " eventual” and the query option “$count=true”.")
  }
}

extension GraphRequest {
  /// The values of a query option, without its commas.
  func values(of name: String) -> [String] {
    let parameters = FormEncoding.query(of: target).flatMap { FormEncoding.parse($0) } ?? []
    return parameters.filter { $0.name.lowercased() == name }
      .flatMap { $0.value.split(separator: ",") }.map { String($0.filter { !$0.isWhitespace }) }
  }
}
