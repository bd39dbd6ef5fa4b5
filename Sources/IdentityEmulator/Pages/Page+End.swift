// The pages that end a sign-in or a sign-out without a redirect.
extension Page {
  /// An error that only the user may see.
  static func error(_ error: EntraError, trace: RequestTrace) -> Page {
    Page(
      name: "error", title: "Sign in",
      content: """
        <h1>That did not work</h1>
        <p>The sign-in cannot go on. Go back to the application and try again there.</p>
        <p id="error-message">\(error.sentence)</p>
        <dl>
        <dt>Error code</dt><dd id="error-code">\(error.name)</dd>
        <dt>Correlation ID</dt><dd id="correlation-id">\(trace.correlationID)</dd>
        <dt>Timestamp</dt><dd id="timestamp">\(trace.timestamp)</dd>
        </dl>
        """)
  }

  /// The end of a sign-out without a redirect.
  static let signedOut = Page(
    name: "signed-out", title: "Signed out",
    content: """
      <h1>You signed out</h1>
      <p>This window can be closed now.</p>
      """)
}
