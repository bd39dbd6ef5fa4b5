import AuthCore

/// An address that the user pasted, to end a sign-in that was finished in another browser.
nonisolated struct PastedAddress: Sendable {
  /// Why an address does not end the sign-in.
  enum Fault: Error, Equatable {
    /// It does not begin with the redirect URI.
    case notTheRedirect
    /// It is the redirect of another sign-in.
    case otherSignIn
  }

  /// The address without the spaces and line breaks around it.
  let url: String

  /// Takes the pasted text.
  init(_ text: String) {
    url = text.trimming { $0.isWhitespace }
  }

  /// Why it does not answer `request`; nil when it does.
  func fault(for request: WebAuthenticationRequest) -> Fault? {
    if request.isAnswered(by: url) { return nil }
    return request.redirectURI.matches(url) ? .otherSignIn : .notTheRedirect
  }
}
