import AuthCore
@testable import EntranceKit
import FoundationEssentials
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
      // RFC 3986, section 2.1.
      (
        "https://graph.microsoft.com/v1.0/$metadata#users('ada%40contoso.com')/messages",
        "https://graph.microsoft.com/v1.0/$metadata#users('\(mark)')/messages"
      ),
      ("?a=b%26c&d=ada%40b", "?a=b%26c&d=\(mark)"),
      // RFC 8259, section 7.
      (#"{"text": "Hello\nada@contoso.com\tnow"}"#, #"{"text": "Hello\n\#(mark)\tnow"}"#),
      (#"{"place": "C:\\nada@contoso.com"}"#, #"{"place": "C:\\\#(mark)"}"#),
      // Without quotation marks, it is no JSON.
      (#"FABRIKAM\bob@fabrikam.example"#, #"FABRIKAM\\#(mark)"#),
      (#"{"user": "FABRIKAM\\bob@fabrikam.example"}"#, #"{"user": "FABRIKAM\\\#(mark)"}"#),
      ("User.Read Mail.Send", "User.Read Mail.Send"),
      (#""mobilePhone": "+1 (425) 555-0109","#, #""mobilePhone": "\#(mark)","#),
      ("10:00+02:00, 1+2, +", "10:00+02:00, 1+2, +"),
      ("", ""),
    ] {
      #expect(details.hidden(in: text) == shown)
      #expect(details.hidden(in: details.hidden(in: text)) == shown)
    }
  }

  @Test("Known names are hidden as words, in any case, and accounts have numbers")
  func names() {
    var details = PersonalDetails()
    let isNew = details.learn(username: "adele@contoso.example", ["Adele Vance", nil])
    #expect(isNew)
    details.learn(username: "bram", ["Bram"])
    let isNewAgain = details.learn(username: "ADELE@contoso.example")
    #expect(!isNewAgain)
    details.learn(username: "carol", [#"Carol "Caz" Berg"#])
    for (text, shown) in [
      (#"{"displayName": "Carol \"Caz\" Berg"}"#, #"{"displayName": "Account 3"}"#),
      ("ADELE@contoso.EXAMPLE", "Account 1"),
      (
        #"{"displayName": "Adele Vance", "givenName": "Adele"}"#,
        #"{"displayName": "Account 1", "givenName": "\#(mark)"}"#
      ),
      ("bram and Bramble", "Account 2 and Bramble"),
      ("https://contoso.example/x", "https://\(mark)/x"),
      ("in advance", "in advance"),
      (#"{"text": "Dear\nAdele Vance"}"#, #"{"text": "Dear\nAccount 1"}"#),
      (#"FABRIKAM\bram"#, #"FABRIKAM\Account 2"#),
      ("users('adele%40Contoso.example')", "users('Account 1')"),
      ("?q=Carol%20%22Caz%22%20Berg", "?q=Account 3"),
    ] {
      #expect(details.hidden(in: text) == shown)
    }
  }

  @Test("A part of a name is hidden in any case in the query of an address, and only there")
  func addresses() {
    var details = PersonalDetails()
    details.learn(username: "adele@contoso.example", ["Adele Users"])
    for (address, shown) in [
      (#"/users?$search="displayName:adele""#, #"/users?$search="displayName:\#(mark)""#),
      (
        "GET /users?$filter=startswith(displayName,'ADELE')",
        "GET /users?$filter=startswith(displayName,'\(mark)')"
      ),
      ("/users?$search=%22adele%22", "/users?$search=%22\(mark)%22"),
      ("/users?$search=adeles", "/users?$search=adeles"), ("/users/adele", "/users/adele"),
    ] {
      #expect(details.hidden(inAddress: address) == shown)
    }
  }

  @Test("Names in any script are hidden, and a text with broken ones stays readable")
  func scripts() {
    var details = PersonalDetails()
    details.learn(username: "山田太郎", ["Žofie Nováková"])
    #expect(details.hidden(in: "これは山田太郎です") == "これはAccount 1です")
    #expect(details.hidden(in: "Hello, Žofie!") == "Hello, \(mark)!")
  }

  @Test("Of a long text the first whole lines are shown, with the size of all that is not")
  func longText() {
    let line = String(repeating: "x", count: 70_000)
    let remark = "    [70 kB hidden with personal details]"
    for (text, shown) in [
      (line, remark), ("{\n\n  \"a\":\n\(line)", "{\n\n  \"a\":\n\(remark)"), ("\n\(line)", remark),
      ("{}", "{}"),
    ] {
      let event = ActivityEvent(id: 1, date: Date(), kind: .response, folded: FoldedText(text))
      #expect(PersonalDetails().hidden(in: event).text == shown)
    }
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
    let token = tokens.state.cards.last?.reading.token
    #expect(token?["exp"]?.text.first == "1" && token?["exp"]?.copiedText.first == "1")
    #expect(token?["sub"]?.copiedText == mark)
    tokens.reveal(.id)
    #expect(tokens.state.revealed == nil && !tokens.state.canReveal)
    preferences.hidesPersonalDetails = false
    #expect(page.model.state.username == "adele@contoso.example")
    #expect(tokens.state.account == "adele@contoso.example" && tokens.state.canReveal)
    #expect(page.log.joined().contains("Adele@Contoso.example"))
    #expect(activity.accounts == ["adele@contoso.example"])
  }

  @Test("A search of the Activity page that would show a name is removed; another one stays")
  func activitySearch() async throws {
    let preferences = Preferences(MemorySettings())
    let page = try Page(preferences: preferences)
    await page.model.callGraph()?.value
    let activity = ActivityModel(page.window.status.activity)
    for (text, rest) in [("about Adele@contoso.example", ""), ("token", "token")] {
      activity.filter.text = text
      preferences.hidesPersonalDetails = true
      #expect(activity.filter.text == rest && activity.count > 0)
      // Whoever types it now wants to see it.
      activity.filter.text = text
      page.window.status.log("Something.")
      #expect(activity.filter.text == text)
      preferences.hidesPersonalDetails = false
      #expect(activity.filter.text == text)
    }
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
    let directory = try TemporaryDirectory()
    let file = "adele@contoso.example.http"
    try directory.write(file, "GET https://graph.microsoft.com/v1.0/me\n")
    model.files.open("\(directory.path)/\(file)")
    await model.files.finishReading()
    #expect(model.files.rows.count == 2)
    let answer = try #require(model.answer)
    let shown = [
      "\(model.state.account ?? "")", answer.account, answer.pretty?.whole ?? "",
      answer.raw?.whole ?? "",
      answer.headers.whole, String(decoding: answer.body, as: UTF8.self),
      "\(try #require(answer.table))", answer.fileName, try #require(model.state.shownURL),
      model.list.history.map { $0.title + $0.shownAddress }.joined(),
      model.files.rows.map { $0.title + $0.details + $0.tooltip }.joined(),
    ]
    for text in shown {
      for word in words { #expect(!text.lowercased().contains(word), "\(word) in \(text)") }
    }
    page.authority.next(.api) { _ in .make(200, "{\"value\":[]}") }
    await model.sendForAllPages()?.value
    #expect(page.authority.calls.last?.url == next)
    preferences.hidesPersonalDetails = false
    #expect(model.answer == nil && model.list.history.first?.title.contains("adele") == true)
    await model.finish()
    #expect(model.answer?.account.contains("adele") == true)
    model.close()
  }

  @Test("What JSON escapes is hidden in each view of an answer; order and numbers stay")
  func escapes() async throws {
    let (page, _, _) = try await hidden()
    let model = ExplorerModel(page.window)
    // RFC 8259, section 7: any character can be escaped.
    let person =
      #"{"displayName": "\u0041dele Vance", "mail": "adele\u0040contoso.example","#
      + #" "mobilePhone": "\u002B1 425 555 0109"}"#
    page.authority.next(
      .api, status: 200, #"{"z": 1.50, "value": ["# + person + #"], "a": 1E400}"#)
    await model.send()?.value
    let answer = try #require(model.answer)
    let filter = AnswerFilter(model)
    filter.path = "$..displayName"
    await filter.finish()
    let shown = [
      answer.pretty?.whole ?? "", answer.raw?.whole ?? "", "\(try #require(answer.table))",
      "\(filter.state)", String(decoding: answer.body, as: UTF8.self),
    ]
    for text in shown {
      for word in ["Adele", "adele", "0041", "contoso", "425"] {
        #expect(!text.contains(word), "\(word) in \(text)")
      }
    }
    let raw = try #require(answer.raw?.whole)
    #expect(raw.hasPrefix(#"{"z":1.50,"value":[{"displayName":"Account 1","#))
    #expect(raw.hasSuffix(#"}],"a":1E400}"#))
  }

  @Test("All pages that came while details were hidden are removed with their account")
  func pages() async throws {
    let preferences = Preferences(MemorySettings())
    let page = try Page(preferences: preferences)
    await page.model.callGraph()?.value
    let model = ExplorerModel(page.window)
    let next = "https://graph.microsoft.com/v1.0/users?$skiptoken=2"
    page.authority.next(
      .api, status: 200, "{\"value\":[{\"id\":1}],\"@odata.nextLink\":\"\(next)\"}")
    await model.send()?.value
    page.authority.next(.api) { _ in
      await MainActor.run { preferences.hidesPersonalDetails = true }
      return .make(200, "{\"value\":[{\"id\":2}]}")
    }
    await model.sendForAllPages()?.value
    let answer = try #require(model.answer)
    #expect(answer.table?.count == 2 && !answer.account.contains("adele"))
    await page.model.signOut.signOut()?.value
    #expect(model.answer == nil)
  }

  @Test("A name that is shortened is hidden all the same")
  func longName() async throws {
    let preferences = Preferences(MemorySettings())
    let page = try Page(preferences: preferences)
    var person = Person.ben
    person.username = String(repeating: "b", count: 12_000) + "@contoso.example"
    page.authority.willSignIn(person)
    await page.model.callGraph()?.value
    preferences.hidesPersonalDetails = true
    #expect(page.model.state.username == "Account 1")
    #expect(ActivityModel(page.window.status.activity).accounts == ["Account 1"])
  }

  @Test("A person's own name is hidden wherever it is above the user name, also one of two letters")
  func ownNameOfAPerson() async throws {
    let (page, preferences, _) = try await hidden()
    var person = Person.ben
    person.name = "Bo"
    page.authority.willSignIn(person)
    await page.window.accounts.add()?.value
    let row = try page.row(.ben)
    #expect(row.title == row.username && row.title.hasPrefix("Account "))
    #expect(row.details == "\(mark) · Work or school account")
    #expect(page.model.state.accountText == row.title && page.model.state.displayName == row.title)
    #expect(page.model.state.subtitle == row.details)
    #expect(page.window.heading.accounts.map(\.title) == page.model.state.rows.map(\.title))
    preferences.hidesPersonalDetails = false
    #expect(page.model.state.accountText == "Bo")
    #expect(page.model.state.subtitle.hasPrefix("ben@contoso.example · "))
  }

  @Test("A question before a sign-out and an own name show nobody")
  func dialogs() async throws {
    let (page, preferences, _) = try await hidden()
    let row = try #require(page.model.state.rows.first)
    let accounts = page.window.accounts
    accounts.rename(row.id, to: "Work of Adele")
    #expect(page.model.state.rows.first?.title == "Account 1")
    #expect(await page.model.signOut.makeQuestion()?.text.hasPrefix("Account 1") == true)
    #expect(page.model.state.accountText == "Account 1")
    #expect(TokensModel(page.window).state.account == "Account 1")
    #expect(ExplorerModel(page.window).state.account?.hasPrefix("Account 1 · ") == true)
    // The field is empty, and the name stays if it is left so.
    #expect(accounts.nameToEdit(of: row.id).isEmpty)
    accounts.rename(row.id, to: " ")
    preferences.hidesPersonalDetails = false
    #expect(accounts.nameToEdit(of: row.id) == "Work of Adele")
    accounts.rename(row.id, to: "")
    #expect(accounts.nameToEdit(of: row.id) == "Adele Vance")
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

  @Test("Of a claim that is hidden, a comparison shows no single value")
  func comparison() async throws {
    let page = try Page()
    page.authority.edit(.claims) {
      $0["groups"] = .array([.string("Staff")])
      $0["amr"] = .array([.string("pwd")])
    }
    let tokens = TokensModel(page.window)
    await page.model.callGraph()?.value
    await tokens.finishReading()
    let model = TokenDecoderModel(comparingWith: tokens.state.cards, hiding: PersonalDetails())
    model.compare(true)
    let claims = #"{"nonce":"n","groups":["Staff","Payroll-Admins"],"amr":["pwd","mfa"]}"#
    let header = #"{"typ":"JWT","alg":"RS256"}"#
    await model.read(
      "\(Base64URL.encode(header.utf8)).\(Base64URL.encode(claims.utf8)).c2ln"
    ).value
    let differences = try #require(model.state.comparison).differences
    func rows(_ name: String) -> [String]? {
      differences.first { $0.name == name }?.rows.map { "\($0.title) | \($0.text)" }
    }
    #expect(rows("groups") == ["Changed: groups | Before: \(mark)\nNow: \(mark)"])
    #expect(rows("amr") == ["Added: mfa | amr"])
  }

  @Test("A pasted token is gone when details are hidden, and when an account has left")
  func openDecoder() async throws {
    let preferences = Preferences(MemorySettings())
    let page = try Page(preferences: preferences)
    await page.model.callGraph()?.value
    let tokens = TokensModel(page.window)
    await tokens.finishReading()
    let token = try #require(tokens.secret(of: .id)).exposed
    let first = tokens.makeDecoder()
    await first.read(token).value
    #expect(first.state.reading?.token != nil && !first.state.isOver)
    preferences.hidesPersonalDetails = true
    #expect(first.state.reading == nil && first.state.isOver)
    let second = tokens.makeDecoder()
    await second.read(token).value
    await page.model.signOut.signOut()?.value
    #expect(second.state.reading == nil && second.state.isOver)
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
