extension AuthenticationError {
  /// The error that a sign-in page shows instead of sending it to the app; nil when neither the
  /// connection nor the app registration is the cause, or the number is unknown.
  ///
  /// - Parameter shownCode: the `AADSTS` number.
  package init?(shownCode: Int) {
    guard let guidance = ErrorGuidance(code: shownCode) else { return nil }
    switch guidance.kind {
    case .connection, .scope, .redirectURI, .registration, .developers: break
    default: return nil
    }
    self.init(.serverError, guidance.sentence, step: .authorization)
    serverErrorCodes = [shownCode]
  }
}
