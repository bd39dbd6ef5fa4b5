import AuthCore

/// Decides about each navigation of a sign-in page.
///
/// WebKit does not say which frame a navigation is for, but a redirect in a subframe must never be
/// accepted. Two things that it does say are enough. When a server redirects the main frame, the
/// view's URL has already changed. And the *response* to a navigation says whether it is for the
/// main frame. So a navigation to the redirect URI by a script, a form or a `<meta>` element is
/// passed to a scheme handler in this process with an empty response, and the decision is made for
/// that response.
nonisolated struct NavigationPolicy: Sendable {
  /// The redirect that ends the sign-in.
  let redirectURI: RedirectURI

  /// A decision about a navigation.
  enum Decision: Sendable, Equatable {
    /// Allow it.
    case load
    /// Ignore it; the page does not change.
    case ignore
    /// It is not encrypted: stop, and show an error.
    case stop
    /// Like ``stop`` for the main frame; ignore it for a subframe.
    case stopMainFrame
    /// It is the redirect: end the sign-in with its URL.
    case complete
    /// It looks like the redirect, but is not: end the sign-in with an error.
    case refuse
  }

  /// Decides about a navigation that is about to start.
  ///
  /// - Parameters:
  ///   - isServerRedirect: whether a server's response, not the page, started it.
  ///   - viewURL: the view's current URL.
  func navigation(to url: String, isServerRedirect: Bool, viewURL: String?) -> Decision {
    let isMainFrame = isServerRedirect && viewURL == url
    // AuthCore handles it.
    if isMainFrame, redirectURI.asksForRegistration(url) { return .complete }
    switch Origin.scheme(of: url) {
    case redirectURI.schemeName: return isMainFrame ? answer(url) : .load
    case "https": return .load
    case "about" where url == "about:blank" || url == "about:srcdoc": return .load
    case "http": return isMainFrame ? .stop : .stopMainFrame
    default: return isMainFrame ? .stop : .ignore
    }
  }

  /// Decides about a response that is about to be used.
  func response(from url: String, isMainFrame: Bool) -> Decision {
    guard Origin.scheme(of: url) == redirectURI.schemeName else { return .load }
    return isMainFrame ? answer(url) : .ignore
  }

  /// Whether a page's request for a new window is followed in the system browser.
  ///
  /// - Parameter isLink: whether it comes from a link, not from a form or a script.
  func opensInBrowser(_ url: String, isLink: Bool, isUserGesture: Bool) -> Bool {
    isLink && isUserGesture && Origin(url)?.scheme == "https"
  }

  /// Decides about a navigation of the main frame that failed.
  ///
  /// A page may restrict the targets of its forms (`form-action` of its content security policy).
  /// When the server redirects such a form to the redirect URI, this failure is the only signal.
  ///
  /// - Returns: nil for an ordinary failure.
  func failure(of url: String) -> Decision? {
    Origin.scheme(of: url) == redirectURI.schemeName ? answer(url) : nil
  }

  private func answer(_ url: String) -> Decision {
    redirectURI.matches(url) ? .complete : .refuse
  }
}
