import CurlHTTP
import EntranceKit
import FoundationEssentials
import HTTPTypes
import TestSupport
import Testing

@MainActor @Suite("The Explorer page while personal details are hidden")
struct ExplorerPrivacyTests {
  private let mark = PersonalDetails.mark

  private func signedIn() async throws -> (Page, ExplorerModel, Preferences) {
    let preferences = Preferences(MemorySettings())
    let page = try Page(preferences: preferences)
    await page.model.callGraph()?.value
    preferences.hidesPersonalDetails = true
    page.authority.forget()
    return (page, ExplorerModel(page.window), preferences)
  }

  @Test("A search for the given name of an account is shown nowhere, also as a sample")
  func givenName() async throws {
    let (page, model, preferences) = try await signedIn()
    page.authority.next(.api, status: 200, "{}")
    model.request.address = #"/users?$search="displayName:adele""#
    let shown = { () -> [String?] in
      [model.state.shownURL, model.state.coveredAddress]
        + (model.list.samples + model.list.history).flatMap { [$0.title, $0.shownAddress] }
    }
    await model.send()?.value
    #expect(model.list.history.count == 1 && model.state.coveredAddress != nil)
    #expect(!shown().contains { $0?.lowercased().contains("adele") == true })
    preferences.hidesPersonalDetails = false
    #expect(shown().contains { $0?.contains("adele") == true })
    #expect(model.request.address.contains("adele"))
    withExtendedLifetime(page) {}
  }

  @Test("A request that cannot be opened is named without personal details, also where it is cut")
  func notOpened() async throws {
    let (page, model, _) = try await signedIn()
    let directory = try TemporaryDirectory()
    try directory.write(
      "a.http", "OPTIONS https://graph.microsoft.com/v1.0/users/adele@contoso.example\n")
    model.files.open("\(directory.path)/a.http")
    await model.files.finishReading()
    var said: [String] = []
    let observer = model.messages.add { said.append($0) }
    model.choose(try #require(model.files.rows.last))
    withExtendedLifetime((observer, page)) {}
    #expect(
      said == [
        "“OPTIONS https://graph.microsoft.com/v1.0/users/Account 1” was not opened: only GET, POST,"
          + " PUT, PATCH, and DELETE can be sent."
      ])
  }

  /// What Microsoft's documentation has of a user, a message and a file; the members' names are
  /// those of Microsoft Graph v1.0.
  private nonisolated static let people = #"""
    {"value":[{"id":"1","displayName":"Grace Hopper","givenName":"Grace","surname":"Hopper",
    "jobTitle":"Admiral","mailNickname":"ghopper","businessPhones":["555 0100", "555 0199"],
    "imAddresses":[],"mobilePhone":null,"aboutMe":"I like \"ships\".","usageLocation":"US",
    "accountEnabled":true},
    {"id":"2","subject":"Divorce","bodyPreview":"Dear Grace","importance":"normal",
    "body":{"contentType":"html","content":"<p>Dear Grace\nHopper</p>"},
    "from":{"emailAddress":{"name":"Grace Hopper","address":"grace@fabrikam.example"}}},
    {"id":"3","name":"Divorce of Hopper.docx","size":12,
    "webUrl":"https://fabrikam.sharepoint.example/personal/ghopper",
    "parentReference":{"path":"/drive/root:/Ghopper"},"DisplayName":"Adele Vance"}]}
    """#

  private static let words = [
    "grace", "hopper", "admiral", "555 01", "ships", "divorce", "fabrikam",
  ]

  private func check(_ text: String, _ place: String) {
    for word in Self.words {
      #expect(!text.lowercased().contains(word), "\(word) in \(place)")
    }
  }

  @Test("Names of others, and what they have written, are in no view, copy and export of an answer")
  func others() async throws {
    let (page, model, preferences) = try await signedIn()
    page.authority.next(.api) { _ in
      var reply = HTTPReply.make(200, Self.people)
      reply.response.headerFields[.location] = "https://fabrikam.example/personal/ghopper"
      return reply
    }
    model.request.address = "/users"
    await model.send()?.value
    let answer = try #require(model.answer)
    let table = try #require(answer.table)
    let pretty = try #require(answer.pretty?.whole)
    let filter = AnswerFilter(model)
    filter.path = "$..*"
    await filter.finish()
    check(pretty, "the text")
    check(try #require(answer.raw?.whole), "the raw text")
    check("\(table)" + table.csv, "the table")
    check(answer.headers.whole, "the header fields")
    check(String(decoding: answer.body, as: UTF8.self), "what is saved")
    check("\(filter.state)", "what is selected")
    check(try #require(await model.report(.har)), "HAR")
    check(try #require(await model.report(.markdown)), "Markdown")
    // The rest is shown, and who has signed in is told apart.
    for shown in [
      #""displayName": "\#(mark)""#, #""usageLocation": "US""#, #""importance": "normal""#,
      #""mobilePhone": null"#, #""accountEnabled": true"#, #""contentType": "html""#,
      #""size": 12"#, #""DisplayName": "Account 1""#, #""imAddresses": []"#,
    ] {
      #expect(pretty.contains(shown), "\(shown)")
    }
    preferences.hidesPersonalDetails = false
    page.authority.next(.api, status: 200, Self.people)
    await model.send()?.value
    #expect(model.answer?.raw?.whole.contains("Grace Hopper") == true)
  }

  @Test(
    "A refusal is without personal details whenever they are hidden, also while it is explained",
    // Each of its many turns waits for all other tests of the main actor.
    .timeLimit(.minutes(20)))
  func hiddenDuringExplanation() async throws {
    let (page, model, preferences) = try await signedIn()
    model.request.address = "/me/messages"
    let refusal = #"{"error":{"code":"C","message":"adele@contoso.example may not."}}"#
    for turns in 0..<60 {
      preferences.hidesPersonalDetails = false
      page.authority.next(.api, status: 403, refusal)
      var isAnswered = false
      let observer = model.changes.add { if $0.work == .preparing { isAnswered = true } }
      let task = model.send()
      while !isAnswered { await Task.yield() }
      for _ in 0..<turns { await Task.yield() }
      preferences.hidesPersonalDetails = true
      await task?.value
      await model.finish()
      let answer = try #require(model.answer)
      let shown = answer.failure?.server ?? ""
      #expect(shown.hasSuffix("may not.") && !shown.contains("adele"), "\(turns)")
      #expect(!answer.account.contains("adele"), "\(turns)")
      #expect(!String(decoding: answer.body, as: UTF8.self).contains("adele"), "\(turns)")
      #expect(answer.explanation?.missing.isEmpty == false, "\(turns)")
      withExtendedLifetime(observer) {}
    }
  }

  @Test("The answer stays when personal details are hidden, and when they are shown again")
  func sameAnswer() async throws {
    let (page, model, preferences) = try await signedIn()
    preferences.hidesPersonalDetails = false
    page.authority.next(.api, status: 200, Self.people)
    await model.send()?.value
    let sent = try #require(model.answer)
    #expect(sent.raw?.whole.contains("Grace Hopper") == true && sent.account.contains("adele"))
    let calls = page.authority.calls.count
    // Who follows the answers, such as a search in them, knows that another one comes.
    var isExpected: [Bool] = []
    let observer = model.answers.add { if $0 == nil { isExpected.append(model.state.isRenewing) } }
    for isHidden in [true, false] {
      preferences.hidesPersonalDetails = isHidden
      // Nothing of the names is seen until it is made anew.
      #expect(model.answer == nil && model.state.isRenewing)
      #expect(model.hides(in: "adele@contoso.example") == isHidden && !model.hides(in: "mail"))
      await model.finish()
      let answer = try #require(model.answer)
      #expect(!model.state.isRenewing && answer.id == sent.id && answer.meta == sent.meta)
      #expect(answer.raw?.whole.contains(mark) == isHidden && answer.table?.count == 3)
      #expect(answer.account.contains("adele") != isHidden && answer.hints == sent.hints)
      if isHidden {
        check(try #require(answer.raw?.whole), "the raw text")
        check(String(decoding: answer.body, as: UTF8.self), "what is saved")
      } else {
        #expect(answer.raw?.whole == sent.raw?.whole && answer.account == sent.account)
      }
    }
    #expect(page.authority.calls.count == calls && isExpected == [true, true])
    withExtendedLifetime(observer) {}
    // One that is being made anew leaves with its account, too.
    preferences.hidesPersonalDetails = true
    await page.model.signOut.signOut()?.value
    await model.finish()
    #expect(model.answer == nil && !model.state.isRenewing)
  }

  @Test("A refusal stays, too, and what the service says in it is hidden and shown")
  func sameRefusal() async throws {
    let (page, model, preferences) = try await signedIn()
    let message = "User grace@fabrikam.example does not exist."
    page.authority.next(
      .api, status: 404, #"{"error":{"code":"Request_ResourceNotFound","message":"\#(message)"}}"#)
    await model.send()?.value
    let sentence = model.answer?.failure?.sentence
    #expect(sentence != nil && model.answer?.failure?.server.contains("grace") == false)
    preferences.hidesPersonalDetails = false
    await model.finish()
    #expect(model.answer?.failure?.server == "Request_ResourceNotFound: \(message)")
    preferences.hidesPersonalDetails = true
    await model.finish()
    let failure = try #require(model.answer?.failure)
    #expect(failure.server.hasPrefix("Request_ResourceNotFound: "))
    #expect(!failure.server.contains("grace") && failure.sentence == sentence)
    #expect(model.answer?.status == 404)
  }

  @Test("The log of the account page and the activity have no names of others")
  func log() async throws {
    let (page, _, preferences) = try await signedIn()
    page.authority.next(.api, status: 200, Self.people)
    await page.model.callGraph()?.value
    let log = page.model.log.entries.map(\.text).joined()
    check(log, "the log")
    #expect(log.contains(#""usageLocation": "US""#))
    preferences.hidesPersonalDetails = false
    #expect(page.model.log.entries.map(\.text).joined().contains("Grace Hopper"))
  }

  @Test("Answers of which only hidden details differ are not called the same")
  func comparison() async throws {
    let (page, model, _) = try await signedIn()
    let comparison = ExplorerComparison(model)
    for (name, text) in [
      ("Grace", nil), ("Bram", "Only hidden personal details differ."),
      ("Grace", "There is no difference."),
    ] as [(String, String?)] {
      page.authority.next(.api, status: 200, #"{"displayName":"\#(name)"}"#)
      await model.send()?.value
      await comparison.finish()
      if let text { #expect(comparison.state.text == text) } else { comparison.keep() }
      #expect(comparison.state.rows.isEmpty)
    }
  }

  @Test("What is no JSON is not shown: nothing tells which of its words are names")
  func texts() async throws {
    let (page, model, preferences) = try await signedIn()
    let mail = "From: Grace Hopper\r\n\r\nDear Adele"
    for isHidden in [true, false] {
      preferences.hidesPersonalDetails = isHidden
      page.authority.next(.api, status: 200, type: "text/plain", mail)
      await model.send()?.value
      let content: ExplorerAnswer.Content = isHidden ? .other : .text
      #expect(model.answer?.content == content)
      #expect((model.answer?.raw == nil) == isHidden)
      #expect(model.answer?.hidesContent == isHidden)
    }
  }

  @Test("An address with personal details is covered; it is sent as it is")
  func address() async throws {
    let (page, model, preferences) = try await signedIn()
    #expect(model.state.coveredAddress == nil && model.state.hidesDetails)
    model.request.address = "/v1.0/users/grace@fabrikam.example"
    #expect(model.state.coveredAddress == "/v1.0/users/\(mark)")
    #expect(model.state.shownURL?.contains("grace") == false)
    await model.send()?.value
    #expect(
      page.authority.calls.last?.url
        == "https://graph.microsoft.com/v1.0/users/grace@fabrikam.example")
    model.request.address = "/v1.0/me"
    #expect(model.state.coveredAddress == nil && !model.hasHiddenDetails)
    // The history has it.
    let row = try #require(model.list.history.last)
    #expect(row.title == "GET /v1.0/users/\(mark)")
    model.choose(row.request)
    #expect(model.request.address == "/v1.0/users/grace@fabrikam.example")
    #expect(model.state.coveredAddress == "/v1.0/users/\(mark)" && model.hasHiddenDetails)
    preferences.hidesPersonalDetails = false
    #expect(model.state.coveredAddress == nil && !model.hasHiddenDetails)
    #expect(!model.state.hidesDetails)
  }

  @Test("Personal details in header fields and in the body are known, too")
  func details() async throws {
    let (_, model, _) = try await signedIn()
    for (request, isHidden) in [
      (ExplorerRequest(.post, "/me/sendMail", body: #"{"subject":"Divorce"}"#), true),
      (ExplorerRequest(.get, "/me", fields: "From: grace@fabrikam.example"), true),
      (ExplorerRequest(.post, "/me", body: #"{"usageLocation":"US"}"#), false),
    ] {
      model.request = request
      #expect(model.hasHiddenDetails == isHidden, "\(request)")
      #expect(model.state.coveredAddress == nil)
    }
  }

  // RFC 8259, sections 5 and 7.
  @Test("Only texts of personal members are hidden, alone or in a list, also when they are cut off")
  func members() {
    let details = PersonalDetails()
    for (text, shown) in [
      (#"{"subject":"a \"b\" \\","n":"c"}"#, #"{"subject":"\#(mark)","n":"c"}"#),
      (#"{"subject" : "a"}"#, #"{"subject" : "\#(mark)"}"#),
      (#"{"SUBJECT":""}"#, #"{"SUBJECT":""}"#),
      (
        #"{"otherMails":["a", "b"],"c":["d"]}"#,
        #"{"otherMails":["\#(mark)", "\#(mark)"],"c":["d"]}"#
      ),
      (#"{"value":"a"}"#, #"{"value":"\#(mark)"}"#),
      (#"{"value":["a"]}"#, #"{"value":["\#(mark)"]}"#),
      (#"{"value":[{"id":"a"}]}"#, #"{"value":[{"id":"a"}]}"#),
      (#"{"value":{"id":"a"}}"#, #"{"value":{"id":"a"}}"#),
      (#"{"value":1,"id":"a"}"#, #"{"value":1,"id":"a"}"#),
      (#"{"location":{"id":"a"}}"#, #"{"location":{"id":"a"}}"#),
      (#"{"children":[{"id":"a"},"b"]}"#, #"{"children":[{"id":"a"},"b"]}"#),
      (#"{"name":1,"title":null,"x":"name"}"#, #"{"name":1,"title":null,"x":"name"}"#),
      (#"{"x":"\"name\":\"a\""}"#, #"{"x":"\"name\":\"a\""}"#),
      ("\"subject\": \"a\nb", "\"subject\": \"\(mark)\nb"),
      (#"{"subject":"a"#, #"{"subject":"\#(mark)"#), (#"{"subject":"#, #"{"subject":"#),
      (#"{"subject"#, #"{"subject"#), ("\"", "\""),
      (#"the "name": one"#, #"the "name": one"#),
    ] {
      #expect(details.hidden(in: text) == shown)
      #expect(details.hidden(in: shown) == shown)
    }
    // Batches, user, messageRulePredicates and automaticRepliesSetting in Microsoft Graph v1.0.
    for name in [
      "Location", "Content-Disposition", "Content-Location", "href", "senderContains",
      "recipientContains", "subjectContains", "bodyContains", "bodyOrSubjectContains",
      "headerContains", "mySite", "skills", "interests", "schools", "pastProjects",
      "responsibilities", "internalReplyMessage", "externalReplyMessage",
    ] {
      expectHidden(name, by: details)
    }
  }

  // The texts of the resource type user in Microsoft Graph v1.0 that tell who somebody is.
  @Test("Of a user, each property is hidden that tells one person from others")
  func user() {
    for name in [
      "aboutMe", "birthday", "businessPhones", "city", "companyName", "country", "department",
      "displayName", "employeeHireDate", "employeeId", "employeeLeaveDateTime", "faxNumber",
      "givenName", "hireDate", "imAddresses", "interests", "jobTitle", "mail", "mailNickname",
      "mobilePhone", "mySite", "officeLocation", "onPremisesDistinguishedName",
      "onPremisesDomainName", "onPremisesImmutableId", "onPremisesSamAccountName",
      "onPremisesSecurityIdentifier", "onPremisesUserPrincipalName", "otherMails", "pastProjects",
      "postalCode", "preferredName", "proxyAddresses", "responsibilities", "schools",
      "securityIdentifier", "skills", "streetAddress", "surname", "userPrincipalName",
      // Of employeeOrgData, identities, and onPremisesExtensionAttributes.
      "costCenter", "division", "issuerAssignedId", "extensionAttribute1", "extensionAttribute15",
    ] {
      expectHidden(name, by: PersonalDetails())
    }
    for name in ["usageLocation", "preferredLanguage", "userType", "employeeType", "state"] {
      let text = #"{"\#(name)":"a"}"#
      #expect(PersonalDetails().hidden(in: text) == text)
    }
  }

  private func expectHidden(_ name: String, by details: PersonalDetails) {
    #expect(details.hidden(in: #"{"\#(name)":"a"}"#) == #"{"\#(name)":"\#(mark)"}"#)
    #expect(details.hidden(in: #"{"\#(name)":["a"]}"#) == #"{"\#(name)":["\#(mark)"]}"#)
  }
}
