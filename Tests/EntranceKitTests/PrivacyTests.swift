import AuthCore
import EntranceKit
import TestSupport
import Testing

@MainActor @Suite("Hiding personal details")
struct PrivacyTests {
  private let mark = PersonalDetails.mark

  @Test("What looks like an address, an identifier or a token is hidden without knowing it")
  func patterns() {
    let details = PersonalDetails()
    for (text, shown) in [
      ("Signed in as adele@contoso.example.", "Signed in as \(mark)."),
      ("<adele.v+x@contoso-test.example>, done", "<\(mark)>, done"),
      ("bram_fabrikam.com#EXT#@contoso.onmicrosoft.com", mark),
      ("tid=9188040D-6c67-4c5b-b112-36a304b66dad;", "tid=\(mark);"),
      (
        "11111111-2222-3333-4444-555555555555.9188040d-6c67-4c5b-b112-36a304b66dad",
        "\(mark).\(mark)"
      ),
      ("Bearer eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhIn0.c2ln and more", "Bearer \(mark) and more"),
      ("GET https://graph.microsoft.com/v1.0/me", "GET https://graph.microsoft.com/v1.0/me"),
      ("a @ b, 3@, @x, a@@b", "a @ b, 3@, @x, a@@b"),
      ("User.Read Mail.Send", "User.Read Mail.Send"),
      (#""mobilePhone": "+1 (425) 555-0109","#, #""mobilePhone": "\#(mark)","#),
      ("10:00+02:00, 1+2, +", "10:00+02:00, 1+2, +"),
      ("", ""),
    ] {
      #expect(details.hidden(in: text) == shown)
      #expect(details.hidden(in: details.hidden(in: text)) == shown)
    }
  }

  @Test("Known names are hidden as words, in any case, and accounts are told apart by numbers")
  func names() {
    var details = PersonalDetails()
    let isNew = details.learn(username: "adele@contoso.example", ["Adele Vance", nil])
    #expect(isNew)
    details.learn(username: "bram", ["Bram"])
    let isNewAgain = details.learn(username: "ADELE@contoso.example")
    #expect(!isNewAgain)
    for (text, shown) in [
      ("ADELE@contoso.EXAMPLE", "Account 1"),
      (
        #"{"displayName": "Adele Vance", "givenName": "Adele"}"#,
        #"{"displayName": "Account 1", "givenName": "\#(mark)"}"#
      ),
      ("bram and Bramble", "Account 2 and Bramble"),
      ("https://contoso.example/x", "https://\(mark)/x"),
      ("in advance", "in advance"),
    ] {
      #expect(details.hidden(in: text) == shown)
    }
  }

  @Test("Names in any script are hidden, and a text with broken ones stays readable")
  func scripts() {
    var details = PersonalDetails()
    details.learn(username: "山田太郎", ["Žofie Nováková"])
    #expect(details.hidden(in: "これは山田太郎です") == "これはAccount 1です")
    #expect(details.hidden(in: "Hello, Žofie!") == "Hello, \(mark)!")
  }

  /// A page on which somebody signed in, and the words that must not be shown.
  private func hidden() async throws -> (Page, Preferences, [String]) {
    let preferences = Preferences(MemorySettings())
    let page = try Page(preferences: preferences)
    await page.model.callGraph()?.value
    let row = try #require(page.model.state.rows.first)
    preferences.hidesPersonalDetails = true
    let id = row.id.account.homeAccountID.split(separator: ".").map(String.init)
    return (page, preferences, ["adele", "contoso.example", "canary"] + id)
  }

  @Test("The account page, its log, the window's title and the tokens show nobody")
  func window() async throws {
    let (page, preferences, words) = try await hidden()
    let tokens = TokensModel(page.window)
    await tokens.finishReading()
    let activity = ActivityModel(page.window.status.activity)
    page.window.status.log("Something about Adele@Contoso.example.")
    page.model.log.setShowsFullTokens(true)
    let details = await activity.supportDetails(version: "1")
    let shown = [
      "\(page.model.state)", "\(page.window.heading.title)", page.log.joined(),
      "\(activity.events)", "\(activity.accounts)", details,
      "\(tokens.state.cards.map { "\($0.subtitle) \($0.facts) \($0.reading)" })",
      "\(tokens.state.account ?? "")", page.window.shown("Signed in as adele@contoso.example."),
    ]
    for text in shown {
      // The identity of an account is not shown.
      let visible = text.replacing(#/AccountKey\([^)]*\)/#, with: "")
      for word in words { #expect(!visible.lowercased().contains(word), "\(word) in \(visible)") }
    }
    #expect(page.model.state.username == "Account 1")
    #expect(page.model.state.picture == nil)
    #expect(tokens.state.cards.last?.reading.token?["exp"]?.text.first == "1")
    tokens.reveal(.id)
    #expect(tokens.state.revealed == nil && !tokens.state.canReveal)
    preferences.hidesPersonalDetails = false
    #expect(page.model.state.username == "adele@contoso.example")
    #expect(tokens.state.account == "adele@contoso.example" && tokens.state.canReveal)
    #expect(page.log.joined().contains("Adele@Contoso.example"))
    #expect(activity.accounts == ["adele@contoso.example"])
  }

  @Test(
    "An answer on the Explorer page and the history show nobody; its pages are followed all the same"
  )
  func explorer() async throws {
    let (page, preferences, words) = try await hidden()
    let model = ExplorerModel(page.window)
    let next = "https://graph.microsoft.com/v1.0/users?$skiptoken=adele@contoso.example"
    page.authority.next(.api) { _ in
      .make(
        200, "{\"value\":[{\"mail\":\"adele@contoso.example\"}],\"@odata.nextLink\":\"\(next)\"}")
    }
    model.request.address = "/v1.0/users/adele@contoso.example"
    await model.send()?.value
    let answer = try #require(model.answer)
    let shown = [
      "\(model.state.account ?? "")", answer.account, answer.pretty?.whole ?? "",
      answer.raw?.whole ?? "",
      answer.headers.whole, String(decoding: answer.body, as: UTF8.self),
      "\(try #require(answer.table))",
      model.list.history.map(\.title).joined(),
    ]
    for text in shown {
      for word in words { #expect(!text.lowercased().contains(word), "\(word) in \(text)") }
    }
    page.authority.next(.api) { _ in .make(200, "{\"value\":[]}") }
    await model.sendForAllPages()?.value
    #expect(page.authority.calls.last?.url == next)
    preferences.hidesPersonalDetails = false
    #expect(model.answer == nil && model.list.history.first?.title.contains("adele") == true)
    model.close()
  }

  @Test("A question before a sign-out and an own name show nobody")
  func dialogs() async throws {
    let (page, _, _) = try await hidden()
    let row = try #require(page.model.state.rows.first)
    page.window.accounts.rename(row.id, to: "Work of Adele")
    #expect(page.model.state.rows.first?.title == "Account 1")
    #expect(page.window.accounts.ownName(of: row.id) == "Work of Adele")
    #expect(await page.model.signOut.makeQuestion()?.title == "Sign Out Account 1?")
    #expect(page.model.state.accountText == "Account 1")
    #expect(TokensModel(page.window).state.account == "Account 1")
    #expect(ExplorerModel(page.window).state.account?.hasPrefix("Account 1 · ") == true)
  }

  @Test("Of a long text, only the beginning is shown, and nothing of it is personal")
  func longText() async throws {
    let (page, _, _) = try await hidden()
    let line = String(repeating: "x", count: 100) + " bram@contoso.example\n"
    page.window.status.log(String(repeating: line, count: 10_000))
    let text = try #require(page.model.log.entries.last?.text)
    #expect(text.utf8.count < 80_000 && !text.contains("bram"))
  }

  @Test("A pasted token is hidden, and compared with all its details")
  func decoder() async throws {
    let (page, _, words) = try await hidden()
    let tokens = TokensModel(page.window)
    await tokens.finishReading()
    let model = tokens.makeDecoder()
    #expect(model.state.hidesText)
    let token = try #require(tokens.secret(of: .id)).exposed
    model.compare(true)
    await model.read(token).value
    #expect(model.state.comparison?.differences.isEmpty == true)
    for word in words { #expect(!"\(model.state)".lowercased().contains(word), "\(word)") }
  }

  @Test("An administrator can keep it on")
  func locked() {
    let settings = MemorySettings(
      ["hide-personal-details": .flag(true)], locked: ["hide-personal-details"])
    let preferences = Preferences(settings)
    preferences.hidesPersonalDetails = false
    #expect(preferences.hidesPersonalDetails && preferences.isLocked(.hidesPersonalDetails))
  }
}
