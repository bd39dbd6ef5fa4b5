import AuthCore
import Synchronization
import TestSupport
import Testing

@Suite("The examples of 'Signing in interactively'")
struct InteractiveExamples {
  let authority = ScriptedAuthority()

  @Test func firstSignIn() async throws {
    let app = try TestApplication.make(authority)
    let session = authority.pages

    let result = try await app.acquireToken(
      InteractiveTokenParameters(scopes: ["User.Read"], session: session))
    print("Signed in as \(result.account.username).")

    #expect(result.account.username == "adele@contoso.example")
  }

  @Test func parameters() async throws {
    let app = try TestApplication.make(authority)
    let session = authority.pages
    let account = try await app.acquireToken(
      InteractiveTokenParameters(scopes: ["User.Read"], session: session)
    ).account

    var parameters = InteractiveTokenParameters(scopes: ["Mail.Read"], session: session)
    parameters.account = account
    parameters.prompt = .promptIfNecessary
    parameters.extraScopesToConsent = ["Calendars.Read"]
    let result = try await app.acquireToken(parameters)

    #expect(result.scopes.contains("Mail.Read"))
    #expect(authority.authorization["login_hint"] == "adele@contoso.example")
    #expect(authority.authorization["prompt"] == nil)
    #expect(
      authority.authorization["scope"] == "Mail.Read openid profile offline_access Calendars.Read")
  }

  @Test func cancelled() async throws {
    let app = try TestApplication.make(authority)
    let session = ScriptedPages { _ throws(AuthenticationError) in
      // The user does nothing.
      try? await Task.sleep(for: .seconds(3600))
      throw AuthenticationError(.userCanceled, "The sign-in was canceled.")
    }

    let signIn = Task {
      try await app.acquireToken(
        InteractiveTokenParameters(scopes: ["User.Read"], session: session))
    }
    // The user clicks Cancel in the app.
    signIn.cancel()

    let result = await signIn.result
    #expect { try result.get() } throws: { ($0 as? AuthenticationError)?.code == .userCanceled }
  }

  @Test func declined() async throws {
    func message(after error: AuthenticationError) -> String? {
      error.code == .userCanceled && !error.isDeclined ? nil : error.message
    }

    let app = try TestApplication.make(authority)
    let declining = authority.pages {
      "error=access_denied&error_description=Not+assigned.&state=\($0["state"] ?? "")"
    }
    for (pages, isShown) in [(declining, true), (authority.closedPages, false)] {
      let error = try #require(
        await #expect(throws: AuthenticationError.self) {
          try await app.acquireToken(
            InteractiveTokenParameters(scopes: ["User.Read"], session: pages))
        })
      #expect((message(after: error)?.contains("Not assigned.") == true) == isShown)
    }
  }

  /// Compiled only: it needs a browser and a user.
  func browser(_ app: PublicClientApplication) async throws -> AuthenticationResult {
    let session = SystemBrowserSession()
    let result = try await app.acquireToken(
      InteractiveTokenParameters(scopes: ["User.Read"], session: session))

    return result
  }

  /// Compiled only: it needs a browser and a user.
  func opening() -> SystemBrowserSession {
    let session = SystemBrowserSession { url throws(AuthenticationError) in
      print("Go on in your browser.")
      try await SystemBrowser.open(url)
    }

    return session
  }

  @Test func sessionOfOnesOwn() async throws {
    let app = try TestApplication.make(authority)
    let window = SignInWindow(authority.pages)
    let result = try await app.acquireToken(
      InteractiveTokenParameters(scopes: ["User.Read"], session: WindowSession(window: window)))
    #expect(result.account.username == "adele@contoso.example")

    let closed = WindowSession(window: SignInWindow(authority.closedPages))
    let error = await #expect(throws: AuthenticationError.self) {
      try await app.acquireToken(
        InteractiveTokenParameters(scopes: ["User.Read"], session: closed))
    }
    #expect(error?.code == .userCanceled)
  }
}

/// Shows the sign-in pages in a window of the app.
struct WindowSession: WebAuthenticationSession {
  let window: SignInWindow

  func authenticate(
    _ request: WebAuthenticationRequest
  ) async throws(AuthenticationError) -> String {
    for await url in window.navigations(startingAt: request.startURL) {
      let ends = request.redirectURI.matches(url) || request.redirectURI.asksForRegistration(url)
      if ends { return url }
    }
    throw AuthenticationError(.userCanceled, "The sign-in window was closed.")
  }
}

/// A window whose pages lead from one URL to the next, until it is closed.
struct SignInWindow: Sendable {
  let pages: ScriptedPages

  init(_ pages: ScriptedPages) { self.pages = pages }

  func navigations(startingAt url: String) -> AsyncStream<String> {
    AsyncStream { continuation in
      continuation.yield(url)
      Task {
        // In a real app, the window only shows the pages.
        if let redirectURI = try? RedirectURI(TestApplication.redirectURI),
          let redirect = try? await pages.authenticate(
            WebAuthenticationRequest(startURL: url, redirectURI: redirectURI))
        {
          continuation.yield("https://login.microsoftonline.com/common/reprocess")
          continuation.yield(redirect)
        }
        continuation.finish()
      }
    }
  }
}
