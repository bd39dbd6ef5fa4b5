import CurlHTTP
import EntranceKit
import TestSupport
import Testing

@MainActor @Suite("The Activity page")
struct ActivityTests {
  /// A page on which somebody signed in and called the API.
  private func signedIn() async throws -> (Page, ActivityModel) {
    let page = try Page()
    let model = ActivityModel(page.window.status.activity)
    await page.model.callGraph()?.value
    return (page, model)
  }

  @Test("A sign-in with a call of the API is a sign-in, a token, a request and its response")
  func kinds() async throws {
    let (_, model) = try await signedIn()
    let kinds = model.events.map(\.kind).filter { $0 != .information }
    #expect(kinds == [.response, .request, .token, .signIn])
    let request = try #require(model.events.first { $0.kind == .request })
    #expect(request.title == "GET https://graph.microsoft.com/v1.0/me")
    let response = try #require(model.events.first { $0.kind == .response })
    #expect(response.title.hasPrefix("Response with status 200, "))
    #expect(response.text.contains("\"displayName\""))
    #expect(response.account == "adele@contoso.example")
    #expect(model.accounts == ["adele@contoso.example"])
  }

  @Test("An account's name of any length is shown, up to the length of an address")
  func longName() async throws {
    let page = try Page()
    var person = Person.ben
    person.username = String(repeating: "b", count: 12_000) + "@contoso.example"
    page.authority.willSignIn(person)
    await page.model.callGraph()?.value
    let model = ActivityModel(page.window.status.activity)
    // RFC 5321, section 4.5.3.1: 64 characters, "@" and 255 characters; and an ellipsis.
    #expect(model.accounts.map(\.count) == [321])
    #expect(model.events.first { $0.kind == .response }?.account?.count == 321)
    // Another program signs the account out.
    page.store.records = []
    page.store.markChanged()
    await page.window.activate()?.value
    #expect(page.model.state.username == nil)
    #expect(page.model.state.outcome.map { $0.count < 500 } == true)
  }

  @Test("Tokens are shortened, also while the log shows them in full")
  func tokens() async throws {
    let (page, model) = try await signedIn()
    page.model.log.setShowsFullTokens(true)
    #expect(page.model.log.entries.contains { $0.text.contains("access-canary-") })
    #expect(!model.events.contains { $0.text.contains("access-canary-") })
    #expect(!model.events.contains { $0.title.contains("canary") })
  }

  @Test("What is not in Microsoft's tutorials is not in the log")
  func log() async throws {
    let (page, model) = try await signedIn()
    #expect(!page.model.log.entries.contains { $0.kind == .request })
    #expect(page.model.log.entries.count < model.events.count)
  }

  @Test("A filter lets through a topic, an account and a text, also of what comes later")
  func filter() async throws {
    let (page, model) = try await signedIn()
    model.filter.topic = .requests
    #expect(model.events.map(\.kind) == [.response, .request])
    await page.model.callGraph()?.value
    #expect(model.events.map(\.kind) == [.response, .request, .response, .request])
    model.filter.text = "DISPLAYNAME"
    #expect(model.events.map(\.kind) == [.response, .response])
    model.filter.account = "someone@else.example"
    #expect(model.events.isEmpty)
    #expect(!model.isEmpty)
    model.filter = .init()
    #expect(model.events.count > 6)
  }

  @Test("A text is found in all of many events; the latest are there at once")
  func manyEvents() async throws {
    let page = try Page()
    let model = ActivityModel(page.window.status.activity)
    for number in 1...20_000 {
      page.window.status.log("Event \(number), \(number.isMultiple(of: 100) ? "round" : "other")")
    }
    #expect(model.count >= 20_000)
    #expect(model.event(at: 0)?.title == "Event 20000, round")
    #expect(model.event(at: model.count) == nil && model.event(at: -1) == nil)
    var found: [Int] = []
    let observer = model.changes.add { if case .found(let count) = $0 { found.append(count) } }
    model.filter.text = "ROUND"
    #expect(model.count < 200 && model.isSearching)
    #expect(model.event(at: 0)?.title == "Event 20000, round")
    let first = model.count
    page.window.status.log("Another round")
    model.select(at: 1)
    await model.finishSearch()
    #expect(model.count == 201 && !model.isSearching)
    #expect(found == [200 - first])
    #expect(model.event(at: 0)?.title == "Another round")
    #expect(model.event(at: 200)?.title == "Event 100, round")
    #expect(model.selected?.title == "Event 20000, round" && model.selectedIndex == 1)
    withExtendedLifetime(observer) {}
  }

  @Test("A search that is not over when the filter changes finds nothing any more")
  func canceledSearch() async throws {
    let page = try Page()
    let model = ActivityModel(page.window.status.activity)
    for number in 1...20_000 { page.window.status.log("Event \(number)") }
    model.filter.text = "event"
    model.filter.text = "event 1999"
    await model.finishSearch()
    #expect(model.count == 11)
    model.filter.text = "event"
    model.filter.text = ""
    await model.finishSearch()
    #expect(model.count >= 20_000)
  }

  @Test("A failure is a problem, with what to do")
  func problem() async throws {
    let page = try Page()
    let model = ActivityModel(page.window.status.activity)
    page.authority.next(.token, status: 400, #"{"error":"invalid_grant"}"#)
    await page.model.callGraph()?.value
    model.filter.topic = .problems
    #expect(model.events.count == 1)
    #expect(model.events.first?.title.hasPrefix("Could not acquire token: ") == true)
    #expect(model.events.first?.text.contains("\n") == true)
  }

  @Test("Clearing the log clears the page, and closes the details")
  func clear() async throws {
    let (page, model) = try await signedIn()
    model.select(at: 0)
    #expect(model.selected?.kind == .response)
    page.model.log.clear()
    #expect(model.events.isEmpty && model.isEmpty)
    #expect(model.selected == nil)
  }

  @Test("Support details have neither tokens, nor responses, nor names of accounts")
  func supportDetails() async throws {
    let (page, model) = try await signedIn()
    page.window.status.log("Something about adele@contoso.example.")
    let text = await model.supportDetails(version: "1.2")
    #expect(text.hasPrefix("Entrance 1.2\n"))
    #expect(text.contains("[request] GET https://graph.microsoft.com/v1.0/me\n"))
    #expect(text.contains("[response] Response with status 200"))
    #expect(text.contains("[information] Something about Account 1."))
    for secret in ["canary", "eyJ", "displayName", "adele@contoso.example"] {
      #expect(!text.contains(secret), "\(secret)")
    }
  }

  @Test("Support details name nobody, however a name comes into them; identifiers stay")
  func namesInSupportDetails() async throws {
    let (page, model) = try await signedIn()
    let adele = try page.row(.adele).id
    page.authority.willSignIn(.ben)
    await page.window.accounts.add()?.value
    page.window.accounts.rename(adele, to: "Adele at work")
    page.window.accounts.select(adele)
    page.window.status.log(
      "AADSTS50020: User account 'x@fabrikam.example' does not exist."
        + " Correlation ID: 5f1b6e0a-9f0e-4d6c-8a1b-0c2d3e4f5a6b")
    page.window.status.log("The token was not used: it belongs to ben@contoso.example.")
    let text = await model.supportDetails(version: "1.2")
    #expect(text.contains("Switched to Account 1"))
    #expect(text.contains("it belongs to Account 2."))
    #expect(text.contains("Correlation ID: 5f1b6e0a-9f0e-4d6c-8a1b-0c2d3e4f5a6b"))
    for name in ["Adele at work", "adele@", "ben@", "fabrikam", "contoso.example"] {
      #expect(!text.contains(name), "\(name)")
    }
  }

  @Test("Signing out cancels a call of the API, and comes after it")
  func signOutDuringCall() async throws {
    let page = try Page()
    await page.model.callGraph()?.value
    let sent = page.authority.hangNext(.api)
    let call = page.model.callGraph()
    for await _ in sent { break }
    #expect(page.model.state.canSignOut)
    await page.model.signOut.signOut()?.value
    await call?.value
    #expect(page.model.state.username == nil)
    #expect(page.model.state.work == nil)
    #expect(page.store.records.isEmpty)
    #expect(page.log.last == "Sign out completed successfully")
  }
}
