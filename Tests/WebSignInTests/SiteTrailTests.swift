import AuthCore
import Testing

@testable import WebSignIn

/// The sites that a sign-in leads to, and what is said about them.
@Suite struct SiteTrailTests {
  private let start: Origin
  private let federated: Origin
  private let stranger: Origin
  private let personal: Origin

  init() throws {
    start = try #require(Origin("https://login.microsoftonline.com/common"))
    federated = try #require(Origin("https://sts.contoso.com/adfs"))
    stranger = try #require(Origin("https://stranger.example/"))
    personal = try #require(Origin("https://login.live.com/"))
  }

  @Test func microsoftsOwnSitesNeedNoNotice() {
    var trail = SiteTrail(start: start)
    #expect(trail.notice(at: start, from: nil) == nil)
    #expect(trail.notice(at: personal, from: start) == nil)
    #expect(trail.site(start) == .authority)
    #expect(trail.site(personal) == .microsoft)
    #expect(trail.site(federated) == .other)
  }

  @Test func aSiteThatTheSignInPageLedToIsNamed() {
    var trail = SiteTrail(start: start)
    #expect(trail.notice(at: federated, from: start) == .otherSite(federated, start: start))
    #expect(trail.notice(at: federated, from: federated) == nil)
    #expect(trail.notice(at: federated, from: personal) == nil)
  }

  @Test func theFirstPageMayBeThatOfAnotherSite() {
    var trail = SiteTrail(start: start)
    #expect(trail.notice(at: federated, from: nil) == .otherSite(federated, start: start))
  }

  @Test func aSiteThatOnlyAnotherSiteLedToIsAWarningEachTime() {
    var trail = SiteTrail(start: start)
    _ = trail.notice(at: federated, from: start)
    for _ in 0..<2 {
      let notice = trail.notice(at: stranger, from: federated)
      #expect(notice == .stranger(stranger, opener: federated))
      #expect(notice?.isWarning == true)
      // And back again.
      #expect(trail.notice(at: federated, from: stranger) == nil)
    }
  }
}
