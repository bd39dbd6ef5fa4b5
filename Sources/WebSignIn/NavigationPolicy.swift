import AuthCore

/// Decides what becomes of each navigation of a sign-in page.
///
/// WebKit does not say which frame a navigation is for, but an answer for a frame within a page must
/// never be taken for the answer. Two things it does say are enough. When a server redirects the
/// main frame, the address of the view has changed already. And the *response* to a navigation says
/// whether it is for the main frame. So a navigation to the redirect URI that a script, a form or
/// a `<meta>` element starts is let through to a handler within this process that answers nothing,
/// and is decided upon when that response is about to be used.
nonisolated struct NavigationPolicy: Sendable {
  /// The redirect that ends the sign-in.
  let redirectURI: RedirectURI

  /// What to do with a navigation.
  enum Decision: Sendable, Equatable {
    /// Let it happen.
    case load
    /// Do not let it happen; the page stays as it is.
    case ignore
    /// It would leave the encrypted web: stop, and say so.
    case stop
    /// The same, if it is for the main frame; for a frame within the page, ignore it.
    case stopMainFrame
    /// It is the redirect: end the sign-in with its URL.
    case complete
    /// It claims to be the redirect, but is not: end the sign-in with an error.
    case refuse
  }

  /// Decides about a navigation that is about to start.
  ///
  /// - Parameters:
  ///   - isServerRedirect: whether a server's answer, rather than the page, started it.
  ///   - viewURL: what the view says its address is at this moment.
  func navigation(to url: String, isServerRedirect: Bool, viewURL: String?) -> Decision {
    let isMainFrame = isServerRedirect && viewURL == url
    // The core says what it means.
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

  /// Decides about a navigation of the main frame that failed.
  ///
  /// A page may forbid to which addresses its forms lead (`form-action` of its content security
  /// policy). When the server redirects such a form to the redirect URI, this failure is all that is
  /// ever heard of it.
  ///
  /// - Returns: nil when it is an ordinary failure.
  func failure(of url: String) -> Decision? {
    Origin.scheme(of: url) == redirectURI.schemeName ? answer(url) : nil
  }

  private func answer(_ url: String) -> Decision {
    redirectURI.matches(url) ? .complete : .refuse
  }
}
