import AuthCore
import EntranceKit
import TestSupport
import Testing

/// What the page shows when this computer's clock is wrong.
@MainActor @Suite("The notice of a wrong clock")
struct ClockTests {
  /// The notice of a sign-in on a computer whose clock is ahead by so many seconds.
  private func page(ahead seconds: Double, hasSettings: Bool = false) async throws -> Page {
    let authority = ScriptedAuthority()
    let desktop = ScriptedDesktop(authority.pages)
    desktop.hasDateSettings = hasSettings
    let page = try Page(authority: authority, desktop: desktop)
    page.clock.advance(by: seconds)
    await page.model.callGraph()?.value
    return page
  }

  @Test(
    "The notice says how far the clock is off",
    arguments: [
      (-600, "10 minutes behind"), (-7100, "118 minutes behind"), (-7200, "2 hours behind"),
      (-86_400, "24 hours behind"), (-31_536_000, "365 days behind"),
      (3_960, "66 minutes ahead of"), (864_000, "10 days ahead of"),
    ] as [(Double, String)])
  func difference(seconds: Double, words: String) async throws {
    let page = try await page(ahead: seconds)
    let notice = try #require(page.model.state.notices.first)
    #expect(notice.title == "The Clock Seems to Be Wrong")
    #expect(
      notice.text.hasPrefix(
        "This computer’s clock is about \(words) the sign-in service’s clock."))
    #expect(notice.buttons.isEmpty)
    #expect(page.log.contains(notice.text))
    // The call went on.
    #expect(page.log.last?.hasPrefix("Result from Graph: {") == true)
    #expect(page.model.state.outcome?.hasSuffix("The result from Graph is in the log.") == true)
  }

  @Test(
    "A token with times without end has a notice too",
    arguments: [("-9223372036854775808", "1"), ("1e400", "1e400")])
  func endless(start: String, end: String) async throws {
    let authority = ScriptedAuthority()
    authority.edit(.claims) {
      $0["iat"] = .number(start)
      $0["exp"] = .number(end)
    }
    let page = try Page(authority: authority, desktop: ScriptedDesktop(authority.pages))
    await page.model.callGraph()?.value
    let notice = try #require(page.model.state.notices.first)
    #expect(notice.title == "The Clock Seems to Be Wrong")
    #expect(notice.text.contains(" days "))
  }

  @Test("A clock that is off by a few minutes has no notice")
  func tolerance() async throws {
    for seconds in [-290.0, 290] {
      #expect(try await page(ahead: seconds).model.state.notices.isEmpty)
    }
  }

  @Test("Where the desktop has settings for the date and time, a button opens them")
  func settings() async throws {
    let page = try await page(ahead: -86_400, hasSettings: true)
    let notice = try #require(page.model.state.notices.first)
    #expect(notice.buttons.map(\.action) == [.openDateSettings])
  }

  @Test("The notice is removed when the clock is set right, or at the next token")
  func correction() async throws {
    let page = try await page(ahead: -86_400)
    await page.window.activate()?.value
    #expect(page.model.state.notices.count == 1)
    page.clock.advance(by: 86_400)
    await page.window.activate()?.value
    #expect(page.model.state.notices.isEmpty)

    // By less than the token lasts.
    let other = try await self.page(ahead: -3000)
    other.clock.advance(by: 3000)
    _ = other.takeLog()
    // A token from the cache tells nothing about the clock.
    await other.model.callGraph()?.value
    #expect(other.model.state.notices.count == 1)
    other.authority.next(.api, status: 401, "{}")
    await other.model.callGraph()?.value
    #expect(other.model.state.notices.isEmpty)
    #expect(!other.log.contains { $0.contains("clock") })
  }

  @Test("When dismissed, it does not come back while the clock stays wrong")
  func dismissal() async throws {
    let page = try await page(ahead: -86_400)
    let notice = try #require(page.model.state.notices.first)
    page.window.status.dismiss(notice.id)
    #expect(page.model.state.notices.isEmpty)
    page.authority.next(.api, status: 401, "{}")
    await page.model.callGraph()?.value
    #expect(page.authority.count(.token) == 2)
    #expect(page.model.state.notices.isEmpty)
  }

  @Test("The notice does not replace that of a store that cannot be used")
  func storage() async throws {
    let page = try Page()
    page.store.fail(.load, .save)
    page.clock.advance(by: -86_400)
    await page.model.callGraph()?.value
    #expect(Set(page.model.state.notices.map(\.id)) == ["storage", "clock"])
  }
}
