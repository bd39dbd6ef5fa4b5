import CurlHTTP
public import AuthCore

/// Pages that return a scripted redirect immediately.
public struct ScriptedPages: WebAuthenticationSession {
  /// Returns the redirect for a request.
  public typealias Show =
    @Sendable (WebAuthenticationRequest) async throws(AuthenticationError)
    -> String

  private let show: Show
  private var isEphemeral = false

  /// Creates pages with the given script.
  public init(_ show: @escaping Show) { self.show = show }

  /// Creates pages that stay open until the sign-in is canceled.
  ///
  /// - Returns: the pages, and a stream with one element, which arrives when they are shown.
  public static func untilCanceled() -> (pages: ScriptedPages, shown: AsyncStream<Void>) {
    let (shown, isShown) = AsyncStream<Void>.makeStream()
    let pages = ScriptedPages { _ throws(AuthenticationError) in
      isShown.yield()
      for await _ in AsyncStream<Void>.makeStream().stream {}
      throw AuthenticationError(.userCanceled, "The sign-in was canceled.")
    }
    return (pages, shown)
  }

  /// Returns the redirect.
  public func authenticate(
    _ request: WebAuthenticationRequest
  ) async throws(AuthenticationError) -> String {
    try await show(request)
  }

  /// Whether it is one of the ``ephemeral`` pages.
  public func startsWithoutCookies(isEphemeral: Bool) async -> Bool { self.isEphemeral }

  /// The same pages, which start without cookies.
  public var ephemeral: ScriptedPages {
    var pages = self
    pages.isEphemeral = true
    return pages
  }
}

extension ScriptedAuthority {
  /// Pages where the user completes the sign-in.
  public var pages: ScriptedPages { pages { "code=code-canary&state=\($0["state"] ?? "")" } }

  /// Pages whose redirect has the query that `answer` returns for the request's parameters.
  public func pages(
    answer: @escaping @Sendable (_ parameters: [String: String]) -> String
  ) -> ScriptedPages {
    pages(redirect: { "\($1.redirectURI)?\(answer($0))" })
  }

  /// Pages whose redirect is the URL that `redirect` returns.
  public func pages(
    redirect: @escaping @Sendable ([String: String], WebAuthenticationRequest) -> String
  ) -> ScriptedPages {
    ScriptedPages { [self] request in
      let query = request.startURL.split(separator: "?", maxSplits: 1).last ?? ""
      let list = FormEncoding.parse(query) ?? []
      let parameters = Dictionary(list.map { ($0.name, $0.value) }) { $1 }
      state.withLock { state in
        state.pages.append(request)
        state.authorization = parameters
        state.secrets += ["state", "nonce"].compactMap { parameters[$0] } + ["code-canary"]
      }
      return redirect(parameters, request)
    }
  }

  /// The redirect of the pages whose first one is at `url`.
  public func redirect(from url: String) async throws(AuthenticationError) -> String {
    let query = FormEncoding.parse(url.split(separator: "?", maxSplits: 1).last ?? "") ?? []
    let uri = query.first { $0.name == "redirect_uri" }?.value ?? ""
    return try await pages.authenticate(
      WebAuthenticationRequest(startURL: url, redirectURI: try RedirectURI(uri)))
  }

  /// Pages that the user closes.
  public var closedPages: ScriptedPages {
    ScriptedPages { [self] request throws(AuthenticationError) in
      state.withLock { $0.pages.append(request) }
      throw AuthenticationError(.userCanceled, "The sign-in was canceled.")
    }
  }
}
