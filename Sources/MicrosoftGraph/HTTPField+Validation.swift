import CurlHTTP
package import HTTPTypes

extension HTTPField {
  /// Why a header field that a person wrote cannot be sent.
  package enum Refusal: Error, Equatable {
    /// The text is not `Name: value`.
    case notAField(String)
    /// The client or HTTP sets the field itself.
    case isSetHere(HTTPField.Name)
    /// The value has characters that cannot be sent.
    case invalidValue(HTTPField.Name)
  }

  /// Makes a header field of what a person wrote.
  ///
  /// - Parameter text: `Name: value`, with or without blanks around both.
  package static func validated(_ text: String) -> Result<HTTPField, Refusal> {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, let name = HTTPField.Name(String(parts[0].trimmed)) else {
      return .failure(.notAField(text))
    }
    return validated(name, String(parts[1]))
  }

  /// Makes a header field of a name and what a person wrote as its value.
  package static func validated(
    _ name: HTTPField.Name, _ text: String
  ) -> Result<HTTPField, Refusal> {
    guard !name.isTransports, !GraphClient.sets(name) else { return .failure(.isSetHere(name)) }
    let value = String(text.trimmed)
    guard HTTPField.isValidValue(value) else { return .failure(.invalidValue(name)) }
    return .success(HTTPField(name: name, value: value))
  }
}
