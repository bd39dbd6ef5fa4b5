import AuthCore
import Testing

@testable import WebSignIn

/// Decisions about navigations of sign-in pages, as reported by WebKit.
@Suite struct NavigationPolicyTests {
  private static let redirect = "msauth.io.github.entrance.entrance://auth"
  private let policy: NavigationPolicy
  private let page = "https://login.example/authorize"

  init() throws {
    policy = NavigationPolicy(redirectURI: try RedirectURI(Self.redirect))
  }

  @Test func aServerRedirectOfTheMainFrameEndsTheSignInAtOnce() {
    let answer = "\(Self.redirect)?code=1&state=2"
    // The view already has the new URL then.
    #expect(
      policy.navigation(to: answer, isServerRedirect: true, viewURL: answer) == .complete)
  }

  @Test func aNavigationByThePageIsDecidedByTheFrameOfItsResponse() {
    let answer = "\(Self.redirect)?code=1&state=2"
    #expect(policy.navigation(to: answer, isServerRedirect: false, viewURL: page) == .load)
    #expect(policy.response(from: answer, isMainFrame: true) == .complete)
    #expect(policy.response(from: answer, isMainFrame: false) == .ignore)
  }

  @Test func aServerRedirectOfAFrameWithinThePageGetsNothing() {
    let answer = "\(Self.redirect)?code=1&state=2"
    #expect(policy.navigation(to: answer, isServerRedirect: true, viewURL: page) == .load)
    #expect(policy.response(from: answer, isMainFrame: false) == .ignore)
  }

  @Test func aFormThatMayNotLeadToTheRedirectStillAnswers() {
    #expect(policy.failure(of: "\(Self.redirect)?code=1") == .complete)
    #expect(policy.failure(of: page) == nil)
  }

  @Test(arguments: [
    "://authX?code=1", "://auth.evil?code=1", "://auth/x?code=1", "://auth//?code=1",
    "://AUTH?code=1", ":///auth?code=1", ":auth?code=1", ":?code=1", "://u:p@auth?code=1",
    "://auth:99?code=1",
  ])
  func whatOnlyLooksLikeTheRedirectIsRefused(rest: String) {
    let url = "msauth.io.github.entrance.entrance\(rest)"
    #expect(policy.navigation(to: url, isServerRedirect: true, viewURL: url) == .refuse)
    #expect(policy.response(from: url, isMainFrame: true) == .refuse)
    #expect(policy.failure(of: url) == .refuse)
  }

  @Test func theSchemeOfTheRedirectMayBeInCapitals() {
    let url = "MSAUTH.IO.GITHUB.ENTRANCE.ENTRANCE://auth?code=1"
    #expect(policy.navigation(to: url, isServerRedirect: true, viewURL: url) == .complete)
  }

  @Test(arguments: ["msauth://wpj?username=x", "\(redirect)/msauth/wpj?username=x"])
  func aDeviceThatHasToBeRegisteredEndsTheSignIn(url: String) {
    #expect(policy.navigation(to: url, isServerRedirect: true, viewURL: url) == .complete)
    // For a subframe, or a page that only claims it, it is not the redirect.
    #expect(policy.navigation(to: url, isServerRedirect: true, viewURL: page) != .complete)
    #expect(policy.navigation(to: url, isServerRedirect: false, viewURL: url) != .complete)
  }

  @Test func aSchemeThatOnlyResemblesTheRedirectsIsLikeAnyOther() {
    let url = "msauth.io.github.entrance.entrance2://auth?code=1"
    #expect(policy.navigation(to: url, isServerRedirect: true, viewURL: url) == .stop)
    #expect(policy.navigation(to: url, isServerRedirect: false, viewURL: page) == .ignore)
  }

  @Test func onlyTheEncryptedWebIsFollowed() {
    for url in [page, "HTTPS://login.example/", "about:blank", "about:srcdoc"] {
      #expect(policy.navigation(to: url, isServerRedirect: false, viewURL: page) == .load)
    }
    // A subframe's request is refused.
    let clear = "http://login.example/"
    #expect(
      policy.navigation(to: clear, isServerRedirect: false, viewURL: page) == .stopMainFrame)
    #expect(policy.navigation(to: clear, isServerRedirect: true, viewURL: page) == .stopMainFrame)
    #expect(policy.navigation(to: clear, isServerRedirect: true, viewURL: clear) == .stop)
    for url in [
      "data:text/html,x", "blob:https://login.example/1", "file:///etc/passwd",
      "mailto:a@b.example", "view-source:https://login.example/", "about:config", "no scheme",
    ] {
      #expect(policy.navigation(to: url, isServerRedirect: false, viewURL: page) == .ignore)
      #expect(policy.navigation(to: url, isServerRedirect: true, viewURL: url) == .stop)
    }
  }

  @Test func onlyAClickedLinkOpensInTheBrowser() {
    #expect(policy.opensInBrowser(page, isLink: true, isUserGesture: true))
    #expect(!policy.opensInBrowser(page, isLink: true, isUserGesture: false))
    #expect(!policy.opensInBrowser(page, isLink: false, isUserGesture: true))
    for url in [
      "http://login.example/", "file:///etc/passwd", "mailto:a@b.example", "https:", "about:blank",
      "\(Self.redirect)?code=1", "javascript:0", "",
    ] {
      #expect(!policy.opensInBrowser(url, isLink: true, isUserGesture: true))
    }
  }
}
