public import AuthCore

extension WebAuthenticationRequest {
  /// The first page's URL for any browser, even on another computer.
  ///
  /// There, the redirect may lead nowhere, so it has to have the response in its address, for the user
  /// to copy. A loopback redirect would have it in a form.
  public var link: String {
    startURL.replacing("response_mode=form_post", with: "response_mode=query")
  }
}
