import AuthCore

// What the parameters of queries and forms become.
extension Redaction {
  /// A query or a form.
  ///
  /// - Parameter isKnown: whether the names are those of a known service.
  mutating func parameters(_ text: String, isForm: Bool, isKnown: Bool = true) -> String {
    guard let list = FormEncoding.parse(text) else { return standIn(text, .secret) }
    var result: [FormEncoding.Parameter] = []
    for (name, value) in list {
      let value = parameter(name.lowercased(), value)
      result.append((Self.keepsName(name, isKnown: isKnown) ? name : standIn(name, .name), value))
    }
    // Graph's documentation writes "$" plain.
    return isForm
      ? FormEncoding.body(result) : FormEncoding.query(result).replacing("%24", with: "$")
  }

  /// Whether the name of a parameter tells nothing about anybody.
  private static func keepsName(_ name: String, isKnown: Bool) -> Bool {
    let lower = name.lowercased()
    if protocolParameters.contains(lower) || lower.hasPrefix("x-client") { return true }
    let word = name.first.map { "$@".contains($0) } == true ? name.dropFirst() : name[...]
    return isKnown && name.utf8.count <= 40 && !GUID.isValid(name)
      && word.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) || "_.-".contains($0) }
  }

  private mutating func parameter(_ name: String, _ value: String) -> String {
    switch name {
    case "redirect_uri", "post_logout_redirect_uri": return standIn(value, .id)
    case "login_hint", "domain_hint", "username": return standIn(value, .name)
    // No scope has parameters; those of addresses within addresses could be nested without end.
    case "scope", "resource":
      return value.contains { "?#".contains($0) } ? standIn(value, .secret) : scopes(value)
    case "client_id", "client-request-id", "correlation_id": return standIn(value, .id)
    case "id_token_hint", "id_token": return leaf(value, name)
    case "client_info" where value.utf8.count > 2: return leaf(value, name)
    case let name where name.hasPrefix("x-client"): return value
    case let name where Self.keptParameters.contains(name):
      return value.contains("'") ? standIn(value, .name) : value
    case "$filter", "$search", "$expand", "q": return standIn(value, .name)
    default: return standIn(value, .secret)
    }
  }

  private static let keptParameters: Set<String> = [
    "$count", "$format", "$orderby", "$select", "$skip", "$top", "api-version", "client_info",
    "code_challenge_method", "error", "grant_type", "haschrome", "instance_aware", "prompt",
    "response_mode", "response_type", "token_type", "ui_locales", "authorization_endpoint_type",
  ]

  /// The parameters of sign-in services, and OData's, which are the same on any host.
  private static let protocolParameters = keptParameters.union(secrets).union(kept).union([
    "$expand", "$filter", "$search", "claims", "client-request-id", "client_id",
    "cloud_instance_host_name", "code_challenge", "correlation_id", "domain_hint",
    "error_subcode", "id_token", "id_token_hint", "iss", "post_logout_redirect_uri",
    "redirect_uri", "resource", "username",
  ])
}
