import AuthCore
import CurlHTTP
import EntranceKit
import FoundationEssentials
import HTTPTypes
import TestSupport
import Testing

@MainActor @Suite("The Explorer page")
struct ExplorerTests {
  /// A page on which somebody has signed in.
  func signedIn() async throws -> (Page, ExplorerModel) {
    let page = try Page()
    await page.model.callGraph()?.value
    page.authority.forget()
    return (page, ExplorerModel(page.window))
  }

  func page(_ items: ClosedRange<Int>, next: String?) -> String {
    let link = next.map { ",\"@odata.nextLink\":\"\($0)\"" } ?? ""
    return "{\"value\":[\(items.map { "{\"id\":\($0)}" }.joined(separator: ","))]\(link)}"
  }

  func sent(_ page: Page) -> [ScriptedAuthority.Call] {
    page.authority.calls.filter { $0.endpoint == .api }
  }

  @Test("Without an account nothing can be sent; the address is that of the app's API")
  func signedOut() async throws {
    let page = try Page()
    await page.window.activate()?.value
    let model = ExplorerModel(page.window)
    #expect(model.state.account == nil && model.state.loadState == .known)
    #expect(model.request == ExplorerRequest(.get, "/v1.0/me"))
    #expect(!model.state.canSend && model.send() == nil)
    await page.model.callGraph()?.value
    #expect(model.state.account == "adele@contoso.example · contoso.example")
    #expect(model.state.canSend)
  }

  @Test("A request is sent with the token, its header fields and its body")
  func send() async throws {
    let (page, model) = try await signedIn()
    model.request = ExplorerRequest(
      .patch, "me", fields: "Prefer: return=minimal\nIf-Match: \"1\"", body: "{\"a\": 1}")
    await model.send()?.value
    let call = try #require(sent(page).first)
    #expect(call.request.method == .patch)
    #expect(call.url == "https://graph.microsoft.com/v1.0/me")
    #expect(call.request.headerFields[.authorization]?.hasPrefix("Bearer ") == true)
    #expect(call.request.headerFields[.contentType] == "application/json")
    #expect(call.request.headerFields[.ifMatch] == "\"1\"")
    #expect(model.answer?.statusText == "200 OK")
    #expect(model.state.work == nil)
  }

  @Test("An answer says which request it is to, once another one is on the page")
  func answered() async throws {
    let (_, model) = try await signedIn()
    model.request = ExplorerRequest(.get, "me")
    await model.send()?.value
    #expect(model.state.answered == nil)
    model.request.address = "users"
    #expect(model.state.answered == "GET me")
    model.request.address = "me"
    #expect(model.state.answered == nil)
    model.request = ExplorerRequest(.patch, "me", body: "{}")
    #expect(model.state.answered == "GET me")
    await model.send()?.value
    #expect(model.state.answered == nil)
  }

  @Test("An answer has its JSON with order and numbers kept, its header fields and its raw text")
  func answer() async throws {
    let (page, model) = try await signedIn()
    let requestID = try #require(HTTPField.Name("request-id"))
    page.authority.next(.api) { _ in
      var reply = HTTPReply.make(200, "{\"z\":1.50,\"a\":[12345678901234567890]}")
      reply.response.headerFields.append(HTTPField(name: requestID, value: "6b1f"))
      return reply
    }
    await model.send()?.value
    let answer = try #require(model.answer)
    #expect(
      answer.pretty?.whole == "{\n  \"z\": 1.50,\n  \"a\": [\n    12345678901234567890\n  ]\n}")
    #expect(answer.raw?.whole == "{\"z\":1.50,\"a\":[12345678901234567890]}")
    #expect(answer.headers.whole.contains("request-id: 6b1f"))
    #expect(answer.requestID == "6b1f" && answer.account.hasPrefix("adele@contoso.example"))
    #expect(answer.table == nil && answer.nextLink == nil && answer.isSuccess)
    #expect(answer.meta.hasSuffix(" ms · 37 B"))
  }

  @Test("A large answer is shown before its raw text and its table are made")
  func largeAnswer() async throws {
    let (page, model) = try await signedIn()
    let item = #"{"id":"1","displayName":"Adele"}"#
    let items = Array(repeating: item, count: 10_000).joined(separator: ",")
    let next = "https://graph.microsoft.com/v1.0/users?$skiptoken=2"
    let body = #"{"@odata.nextLink":"\#(next)","value":[\#(items)]}"#
    page.authority.next(.api, status: 200, body)
    var shown: [ExplorerAnswer?] = []
    let observer = model.answers.add { shown.append($0) }
    await model.send()?.value
    let first = try #require(shown.first ?? nil)
    #expect(shown.count == 1 && !first.isComplete)
    #expect(first.pretty?.whole.hasPrefix("{\n  \"@odata.nextLink\"") == true)
    #expect(first.raw == nil && first.table == nil && first.nextLink == nil)
    let answer = try #require(model.answer)
    #expect(answer.isComplete && answer.id == first.id)
    #expect(answer.raw?.whole == body && answer.table?.count == 10_000)
    #expect(answer.nextLink == next)
    withExtendedLifetime(observer) {}
  }

  @Test("Personal details that are hidden while an answer is prepared are hidden in it")
  func hiddenMeanwhile() async throws {
    let preferences = Preferences(MemorySettings())
    let page = try Page(preferences: preferences)
    await page.model.callGraph()?.value
    let model = ExplorerModel(page.window)
    page.authority.next(.api, status: 200, #"{"mail":"adele@contoso.example"}"#)
    let observer = model.changes.add {
      if $0.work == .preparing { preferences.hidesPersonalDetails = true }
    }
    await model.send()?.value
    let answer = try #require(model.answer)
    #expect(answer.isSuccess)
    #expect(answer.pretty?.whole.contains("adele") == false)
    #expect(answer.raw?.whole.contains("adele") == false)
    withExtendedLifetime(observer) {}
  }

  @Test("What is no text is not shown as text")
  func contents() async throws {
    let (page, model) = try await signedIn()
    for (type, body, content) in [
      ("application/pdf", Data([0x25, 0, 1]), ExplorerAnswer.Content.other),
      ("image/png", Data([0x89, 0x50]), .other), ("text/plain", Data("a\tb".utf8), .text),
      ("application/json", Data(), .none),
    ] {
      page.authority.next(.api) { _ in
        var reply = HTTPReply.make(200, type: type, "")
        reply.body = body
        return reply
      }
      await model.send()?.value
      #expect(model.answer?.content == content, "\(type)")
      #expect((model.answer?.raw != nil) == (content == .text))
    }
  }

  @Test("An error is our sentence first, then Graph's words; the body is there")
  func failure() async throws {
    let (page, model) = try await signedIn()
    let body = #"{"error":{"code":"Request_BadRequest","message":"Invalid filter"}}"#
    page.authority.next(.api, status: 400, body)
    await model.send()?.value
    let answer = try #require(model.answer)
    #expect(answer.statusText == "400 Bad Request")
    #expect(answer.failure?.sentence == "Microsoft Graph refused the request (HTTP 400).")
    #expect(answer.failure?.server == "Request_BadRequest: Invalid filter")
    #expect(answer.raw?.whole == body && answer.pretty != nil && answer.isFailure)
  }

  @Test("A busy service is not asked again, and the pause that it requests is shown")
  func throttled() async throws {
    let (page, model) = try await signedIn()
    page.authority.next(.api) { _ in
      var reply = HTTPReply.make(429, "{}")
      reply.response.headerFields[.retryAfter] = "17"
      return reply
    }
    await model.send()?.value
    #expect(sent(page).count == 1)
    #expect(model.answer?.failure?.retryAfter == 17)
  }

  @Test("DELETE, and only it, is asked about, with account and address")
  func delete() async throws {
    let (page, model) = try await signedIn()
    var asked: [(ExplorerQuestion, @MainActor () -> Void)] = []
    let observer = model.questions.add { asked.append($0) }
    model.request = ExplorerRequest(.delete, "/me/messages/1")
    #expect(model.send() == nil && sent(page).isEmpty)
    let question = try #require(asked.first)
    #expect(question.0.text.contains("adele@contoso.example · contoso.example"))
    #expect(question.0.text.contains("https://graph.microsoft.com/v1.0/me/messages/1"))
    page.authority.next(.api, status: 204, "")
    question.1()
    await model.finish()
    #expect(sent(page).map(\.request.method) == [.delete])
    #expect(model.answer?.statusText == "204 No Content")
    for method in ExplorerRequest.Method.allCases where method != .delete {
      model.request.method = method
      await model.send()?.value
    }
    #expect(asked.count == 1)
    _ = observer
  }

  @Test("A slow request blocks nothing else, and can be canceled")
  func cancel() async throws {
    let (page, model) = try await signedIn()
    let isSent = page.authority.hangNext(.api)
    let task = model.send()
    for await _ in isSent { break }
    #expect(model.state.work == .sending && !model.state.canSend)
    #expect(page.model.state.canStart && page.model.state.canSignOut)
    await page.model.callGraph()?.value
    #expect(page.log.last?.contains("displayName") == true)
    model.cancel()
    await task?.value
    #expect(model.answer?.failure?.isCanceled == true && model.state.work == nil)
  }

  @Test("Signing out cancels the request")
  func signOut() async throws {
    let (page, model) = try await signedIn()
    let isSent = page.authority.hangNext(.api)
    let task = model.send()
    for await _ in isSent { break }
    await page.model.signOut.signOut()?.value
    await task?.value
    #expect(model.answer == nil)
    #expect(model.state.account == nil && !model.state.canSend)
  }

  @Test("A token that is rejected is renewed once, and the request is sent again")
  func rejected() async throws {
    let (page, model) = try await signedIn()
    page.authority.next(.api, status: 401, "{}")
    await model.send()?.value
    #expect(sent(page).count == 2)
    #expect(model.answer?.isSuccess == true)
  }

  @Test("Content at another address is saved from there, without the token")
  func download() async throws {
    let (page, model) = try await signedIn()
    let files = try TemporaryDirectory()
    let redirect: ScriptedAuthority.Answer = { _ in
      var reply = HTTPReply.make(302, "")
      reply.response.headerFields[.location] = "https://files.example/x"
      return reply
    }
    model.request.address = "/me/drive/items/1/content"
    page.authority.next(.api, redirect)
    await model.send()?.value
    #expect(model.answer?.isElsewhere == true)
    #expect(model.answer?.failure?.sentence.hasPrefix("The content is at another address") == true)
    #expect(model.answer?.isFailure == false)
    page.authority.next(.api, redirect)
    page.authority.next(.api, status: 200, type: "text/plain", "content")
    await model.download(to: "\(files.path)/x")?.value
    let saved = try Data(contentsOf: URL(filePath: "\(files.path)/x"))
    #expect(String(decoding: saved, as: UTF8.self) == "content")
    #expect(sent(page).last?.url == "https://files.example/x")
    #expect(sent(page).last?.request.headerFields[.authorization] == nil)
    #expect(model.state.work == nil && page.toasts.last == "Saved as x")
  }

  @Test("The result of a finished operation is no content, and cannot be saved")
  func seeOther() async throws {
    let (page, model) = try await signedIn()
    page.authority.next(.api) { _ in
      var reply = HTTPReply.make(303, "")
      reply.response.headerFields[.location] = "https://graph.microsoft.com/v1.0/teams('3')"
      return reply
    }
    await model.send()?.value
    #expect(model.answer?.status == 303 && model.answer?.isElsewhere == false)
    #expect(model.answer?.failure?.sentence.contains("another address") == false)
    #expect(model.download(to: "/nonexistent/x") == nil)
  }

  // RFC 8594, section 3; RFC 9745, section 2.
  @Test("A deprecated resource is reported")
  func deprecation() async throws {
    let (page, model) = try await signedIn()
    let names = try ["Deprecation", "Sunset"].map { try #require(HTTPField.Name($0)) }
    for (name, value, hint) in [
      (names[0], "@1688169599", "This API is deprecated."),
      (
        names[1], "Mon, 31 Dec 2018 23:59:59 GMT",
        "This API is deprecated, and works until 2018-12-31."
      ),
    ] {
      page.authority.next(.api) { _ in
        var reply = HTTPReply.make(200, "{}")
        reply.response.headerFields[name] = value
        return reply
      }
      await model.send()?.value
      #expect(model.answer?.hints == [hint])
    }
  }

  @Test("A link to another host gets no token")
  func foreignLink() async throws {
    let (page, model) = try await signedIn()
    page.authority.next(
      .api, status: 200, self.page(1...2, next: "https://evil.example/v1.0/users"))
    await model.send()?.value
    var messages: [String] = []
    let observer = model.messages.add { messages.append($0) }
    await model.sendForNextPage()?.value
    withExtendedLifetime(observer) {}
    #expect(sent(page).count == 1)
    // The page before it stays.
    #expect(messages.first?.contains("evil.example") == true && model.answer?.isSuccess == true)
  }

  @Test("The Activity page has requests and answers, without what was looked for and received")
  func activity() async throws {
    let (page, model) = try await signedIn()
    let activity = ActivityModel(page.window.status.activity)
    model.request.address = "/me/messages?$search=\"divorce\""
    await model.send()?.value
    let events = activity.events.map { $0.title + $0.text }.joined()
    #expect(events.contains("GET https://graph.microsoft.com/v1.0/me/messages"))
    #expect(!events.contains("divorce"))
    #expect(activity.events.first?.title.hasPrefix("Response with status 200") == true)
  }

  @Test("What a request needs is known before it is sent, for the account and its token")
  func needs() async throws {
    let (page, model) = try await signedIn()
    var warnings: [String] = []
    let observer = model.changes.add { warnings += [$0.permissions?.warning].compactMap(\.self) }
    model.request.address = "/me/messages"
    while model.state.permissions == nil { await Task.yield() }
    #expect(model.state.permissions?.least == ["Mail.ReadBasic"])
    #expect(model.state.permissions?.warning == "Not granted yet: Mail.ReadBasic")
    model.request = ExplorerRequest(.post, "/servicePrincipals/1/appRoleAssignments")
    while (model.state.permissions?.missing.count ?? 0) < 2 { await Task.yield() }
    let lines = model.state.permissions?.warning?.split(separator: "\n").map(String.init) ?? []
    #expect(lines.first == "Not granted yet: ")
    #expect(lines.contains("Application.Read.All: Read the registrations of apps"))
    model.request = ExplorerRequest(.get, "/me")
    while model.state.permissions?.least != ["User.Read"] { await Task.yield() }
    #expect(model.state.permissions?.missing == [])
    #expect(!warnings.isEmpty)
    model.request.address = "/nothing/like/this"
    while model.state.permissions != nil { await Task.yield() }
    #expect(page.model.state.work == nil)
    _ = observer
  }

  @Test("A refused request is explained; the permission is asked for, and the request sent again")
  func requestPermission() async throws {
    let (page, model) = try await signedIn()
    model.request.address = "/me/messages"
    page.authority.next(.api, status: 403, #"{"error":{"code":"ErrorAccessDenied"}}"#)
    await model.send()?.value
    let explanation = try #require(model.answer?.explanation)
    #expect(explanation.missing == ["Mail.ReadBasic"])
    #expect(model.answer?.failure?.sentence.contains("may be missing") == false, "it is known")
    #expect(explanation.text == "The request needs the permission Mail.ReadBasic.")
    let rows = explanation.rows.map { "\($0.name): \($0.details)" }
    #expect(rows.first == "Mail.ReadBasic: Required · Read mail without its content")
    #expect(rows.contains("Mail.Read: Also sufficient · Read mail"))
    #expect(rows.contains("User.Read: In the token · Read the user’s profile"))
    #expect(model.helpRequest?.text.contains("User.Read Mail.ReadBasic") == true)
    // The page asks for what is missing, too.
    #expect(model.helpRequest?.text.contains("graph.microsoft.com%2FMail.ReadBasic") == true)
    page.authority.forget()
    await model.requestPermission()?.value
    let asked = page.authority.authorization["scope"]?.split(separator: " ") ?? []
    #expect(asked.contains("Mail.ReadBasic") && asked.contains("User.Read"))
    #expect(sent(page).count == 1 && model.answer?.isSuccess == true)
    // From now on, its tokens are for it, too.
    page.clock.advance(by: 7200)
    await model.send()?.value
    #expect(page.authority.lastForm["scope"]?.contains("Mail.ReadBasic") == true)
  }

  @Test("Of several permissions, each is enough, and none is called needed")
  func alternatives() async throws {
    let (page, model) = try await signedIn()
    model.request.address = "/groups"
    page.authority.next(.api, status: 403, "{}")
    await model.send()?.value
    let explanation = try #require(model.answer?.explanation)
    let names = explanation.least
    let list = names.joined(separator: ", ")
    #expect(explanation.text == "The request needs one of these permissions: \(list).")
    let uses = explanation.rows.map { $0.details.prefix { $0 != "·" } }
    #expect(names.count > 1 && uses.prefix(names.count).allSatisfy { $0.hasPrefix("Sufficient") })
  }

  @Test("A permission that is not granted leaves the answer as it is")
  func declinedPermission() async throws {
    let (page, model) = try await signedIn()
    model.request.address = "/me/messages"
    page.authority.next(.api, status: 403, "{}")
    await model.send()?.value
    page.authority.next(.token, status: 400, #"{"error":"access_denied"}"#)
    await model.requestPermission()?.value
    #expect(model.answer?.status == 403 && model.state.work == nil && !model.isAnswerNew)
    #expect(sent(page).count == 1)
  }
}
