import AuthCore
import EntranceKit
import FoundationEssentials
import TestSupport
import Testing

/// Log lines from Microsoft's tutorials, word for word.
@MainActor @Suite("The tutorials' messages")
struct TutorialWordsTests {
  @Test("External ID has the lines of its own tutorial")
  func externalID() async throws {
    let host = "contoso.ciamlogin.com"
    let page = try Page(
      host: host, authority: ScriptedAuthority(host: host, kind: .externalID),
      tenant: "contoso.example")
    await page.model.callGraph()?.value
    #expect(
      page.takeLog() == [
        "Acquiring token interactively...",
        "Access token is \(AccountModelTests.shortened)",
        "Performing request...",
        """
        Accessed API successfully using access token.
            HTTP response code: 200
            HTTP response body: {
          "displayName": "Adele Vance",
          "id": 1
        }
        """,
      ])
    // The token is stored, and then it has expired.
    for (seconds, line) in [(0, "Access token is"), (3600, "Refreshed Access token is")] {
      page.clock.advance(by: Double(seconds))
      await page.model.callGraph()?.value
      #expect(
        page.takeLog().prefix(3) == [
          "Acquiring token silently...", "\(line) \(AccountModelTests.shortened)",
          "Performing request...",
        ])
    }
    await page.model.signOut.signOut()?.value
    #expect(page.takeLog() == ["Signing out...", "Sign out completed successfully"])
  }

  @Test("Canceled device info is logged as not returned")
  func deviceInformation() async throws {
    let page = try Page()
    let work = page.model.getDeviceInformation()
    page.window.status.cancel()
    await work?.value
    #expect(page.takeLog() == ["Device info not returned. Error: Canceled."])
  }
}
