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
  private func signedIn() async throws -> (Page, ExplorerModel) {
    let page = try Page()
    await page.model.callGraph()?.value
    page.authority.forget()
    return (page, ExplorerModel(page.window))
  }

  private func sent(_ page: Page) -> [ScriptedAuthority.Call] {
    page.authority.calls.filter { $0.endpoint == .api }
  }

  @Test("Without an account nothing can be sent; the address is that of the app's API")
  func signedOut() async throws {
    let page = try Page()
    await page.window.activate()?.value
    let model = ExplorerModel(page.window)
    #expect(model.state.account == nil && model.state.standing == .known)
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
    #expect(answer.raw?.whole == body && answer.pretty != nil)
  }

  @Test("A service that is busy is not asked again, and its wish is shown")
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

  /// Makes the API answer only when the request is canceled.
  private func willHang(_ page: Page) -> AsyncStream<Void> {
    let (sent, isSent) = AsyncStream<Void>.makeStream()
    page.authority.next(.api) { [authority = page.authority] _ throws(HTTPError) in
      isSent.yield()
      for await _ in AsyncStream<Void>.makeStream().stream {}
      throw HTTPError(.cancelled, host: authority.host, message: "Canceled.")
    }
    return sent
  }

  @Test("A request that takes its time blocks nothing else, and can be canceled")
  func cancel() async throws {
    let (page, model) = try await signedIn()
    let isSent = willHang(page)
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
    let isSent = willHang(page)
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

  @Test("Without a token nothing is sent, and the reason is said")
  func noToken() async throws {
    let (page, model) = try await signedIn()
    page.clock.advance(by: 7200)
    page.authority.next(.token, times: 2, status: 400, #"{"error":"invalid_grant"}"#)
    await model.send()?.value
    #expect(sent(page).isEmpty)
    #expect(model.answer?.status == nil)
    #expect(model.answer?.failure?.sentence.hasPrefix("Could not acquire token") == true)
  }

  @Test("Try Again sends the request that had no token, though another one is on the page")
  func tryAgain() async throws {
    let (page, model) = try await signedIn()
    page.clock.advance(by: 7200)
    page.authority.next(.token, times: 2, status: 400, #"{"error":"invalid_request"}"#)
    await model.send()?.value
    #expect(page.model.state.notices.first?.buttons.first?.action == .tryAgain)
    model.request.address = "users"
    AccountAction.tryAgain.perform(page.model, "")
    await model.finish()
    #expect(sent(page).count == 1 && model.answer?.isSuccess == true)
    #expect(model.answer?.request.address == "/v1.0/me")
    #expect(!page.model.state.notices.contains { $0.id == "failure" })
  }

  @Test("The items of a list are a table, which is sorted and saved")
  func table() async throws {
    let (page, model) = try await signedIn()
    page.authority.next(
      .api, status: 200,
      #"{"value":[{"@odata.etag":"x","n":10,"t":"b,c"},{"n":9,"u":null},{"t":"A","n":"x"}]}"#)
    await model.send()?.value
    let table = try #require(model.answer?.table)
    #expect(table.columns == ["n", "t", "u"] && table.count == 3)
    #expect(table.csv == "n,t,u\r\n10,\"b,c\",\r\n9,,\r\nx,A,\r\n")
    #expect(table.precedes(1, 0, by: 0) && table.precedes(2, 0, by: 1))
    #expect(table.precedes(0, 1, by: 1) && !table.precedes(1, 0, by: 1))
    #expect(table.text(row: 9, column: 9).isEmpty)
    #expect(model.answer?.hints == [])
  }

  @Test("A table of items that all have other members has an end, and says so")
  func manyColumns() async throws {
    let (page, model) = try await signedIn()
    let items = (0..<100_000).map { "{\"a\($0)\":\($0)}" }.joined(separator: ",")
    page.authority.next(.api, status: 200, "{\"value\":[\(items)]}")
    await model.send()?.value
    let table = try #require(model.answer?.table)
    #expect(table.columns.count == 256 && table.count == 100_000)
    #expect(table.text(row: 255, column: 255) == "255" && table.text(row: 256, column: 255) == "")
    #expect(table.cells.first { $0.contains("99") }?.count == 256)
    #expect(
      model.answer?.hints == [
        "The table has only the first 256 columns. Choose those that you need with $select."
      ])
  }

  @Test("What is not shown of a table is said")
  func largeTable() async throws {
    let (page, model) = try await signedIn()
    let members = (0..<41).map { "\"a\($0)\":\($0)" }.joined(separator: ",")
    page.authority.next(.api, status: 200, "{\"value\":[{\(members)}]}")
    await model.send()?.value
    #expect(
      model.answer?.hints == [
        "The table shows only the first 10000 rows and 40 columns. To get all, save it as CSV."
      ])
  }

  private func page(_ items: ClosedRange<Int>, next: String?) -> String {
    let link = next.map { ",\"@odata.nextLink\":\"\($0)\"" } ?? ""
    return "{\"value\":[\(items.map { "{\"id\":\($0)}" }.joined(separator: ","))]\(link)}"
  }

  private let link = "https://graph.microsoft.com/v1.0/users?$skiptoken=a%3D"

  @Test("The next page is asked for with the link as it is, and the same header fields")
  func nextPage() async throws {
    let (page, model) = try await signedIn()
    model.request = ExplorerRequest(.get, "/users", fields: "ConsistencyLevel: eventual")
    page.authority.next(.api, status: 200, self.page(1...2, next: link))
    await model.send()?.value
    #expect(model.answer?.pagesText == "2 items, and there are more")
    page.authority.next(.api, status: 200, self.page(3...3, next: nil))
    await model.sendForNextPage()?.value
    let call = try #require(sent(page).last)
    #expect(call.url == link)
    #expect(call.request.headerFields.contains { $0.value == "eventual" })
    #expect(model.answer?.table?.count == 1 && model.answer?.pagesText == nil)
    #expect(model.request.address == "/users")
  }

  @Test("All pages are one answer; a page that fails leaves those before it, and the way on")
  func allPages() async throws {
    let (page, model) = try await signedIn()
    page.authority.next(.api, status: 200, self.page(1...2, next: link))
    await model.send()?.value
    page.authority.next(.api, status: 200, self.page(3...4, next: link + "2"))
    page.authority.next(.api, status: 500, "{}")
    await model.sendForAllPages()?.value
    #expect(model.answer?.table?.count == 4 && model.answer?.nextLink == link + "2")
    #expect(model.answer?.hints.first?.hasPrefix("Not all pages were received") == true)
    let activity = ActivityModel(page.window.status.activity)
    activity.filter.account = "adele@contoso.example"
    let kinds = activity.events.map(\.kind).filter { $0 != .signIn }
    // One token is enough for both pages.
    #expect(kinds.prefix(5) == [.failure, .request, .response, .token, .request])
    let problem = activity.events.first { $0.kind == .failure }
    #expect(problem?.text.contains("\nGET https://graph.microsoft.com/v1.0/users") == true)
    page.authority.next(.api, status: 200, self.page(5...5, next: nil))
    await model.sendForAllPages()?.value
    #expect(model.answer?.table?.count == 5 && model.answer?.nextLink == nil)
    #expect(model.answer?.table?.text(row: 4, column: 0) == "5")
    #expect(model.answer?.hints == ["All pages: 5 items"])
  }

  @Test("No page is requested any more after the account has signed out")
  func signOutDuringPages() async throws {
    let (page, model) = try await signedIn()
    page.authority.next(.api, status: 200, self.page(1...2, next: link))
    await model.send()?.value
    let second = self.page(3...4, next: link + "2")
    page.authority.next(.api) { [weak page] _ in
      await page?.model.signOut.signOut()?.value
      return .make(200, second)
    }
    let before = sent(page).count
    await model.sendForAllPages()?.value
    #expect(sent(page).count == before + 1)
    #expect(page.model.state.username == nil)
    #expect(model.answer == nil)
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
    page.authority.next(.api, redirect)
    page.authority.next(.api, status: 200, type: "text/plain", "content")
    await model.download(to: "\(files.path)/x")?.value
    let saved = try Data(contentsOf: URL(filePath: "\(files.path)/x"))
    #expect(String(decoding: saved, as: UTF8.self) == "content")
    #expect(sent(page).last?.url == "https://files.example/x")
    #expect(sent(page).last?.request.headerFields[.authorization] == nil)
    #expect(model.state.work == nil && page.toasts.last == "Saved")
  }

  @Test("A link to another host gets no token")
  func foreignLink() async throws {
    let (page, model) = try await signedIn()
    page.authority.next(
      .api, status: 200, self.page(1...2, next: "https://evil.example/v1.0/users"))
    await model.send()?.value
    await model.sendForNextPage()?.value
    #expect(sent(page).count == 1)
    #expect(model.answer?.failure?.sentence.contains("evil.example") == true)
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
    model.request.address = "/me"
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
    #expect(explanation.text.hasPrefix("The request needs the permission Mail.ReadBasic."))
    #expect(model.helpRequest?.text.contains("User.Read Mail.ReadBasic") == true)
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

  @Test("A permission that is not granted leaves the answer as it is")
  func declinedPermission() async throws {
    let (page, model) = try await signedIn()
    model.request.address = "/me/messages"
    page.authority.next(.api, status: 403, "{}")
    await model.send()?.value
    page.authority.next(.token, status: 400, #"{"error":"access_denied"}"#)
    await model.requestPermission()?.value
    #expect(model.answer?.status == 403 && model.state.work == nil)
    #expect(sent(page).count == 1)
  }
}
