import AuthCore
import Connections
import CurlHTTP
@testable import EntranceKit
import FoundationEssentials
import HTTPTypes
import MicrosoftGraph
import TestSupport
import Testing

/// *Call Microsoft Graph API* while the API is slow.
@MainActor @Suite("A call of the API beside other work", .timeLimit(.minutes(5)))
struct GraphCallTests {
  private let page: Page
  private let adele: AccountRow.ID
  private static let canceled = "Couldn't get graph result: The request was canceled."
  private static let nameOfAdele = "adele@contoso.example · contoso.example"
  private static let nameOfBen = "ben@contoso.example · contoso.example"

  /// A page on which Adele and Ben have signed in, and Ben is selected.
  init() async throws {
    page = try await AccountsTests().twoAccounts()
    adele = try page.row(.adele).id
    page.authority.forget()
    _ = page.takeLog()
    page.toasts = []
  }

  /// Makes a call, and returns when the API has it.
  ///
  /// - Parameter reply: what the API answers; nil for the usual reply.
  /// - Returns: the call, and what has the API answer.
  private func begin(
    _ reply: HTTPReply? = nil
  ) async throws -> (Task<Void, Never>, AsyncStream<Void>.Continuation) {
    let (sent, answer) = hold(.api, reply)
    let call = try #require(page.model.callGraph())
    for await _ in sent { break }
    return (call, answer)
  }

  /// Has the next request to `endpoint` wait.
  ///
  /// - Returns: a stream with one element, which arrives when the request does; and what ends the
  ///   wait.
  private func hold(
    _ endpoint: ScriptedAuthority.Endpoint, _ reply: HTTPReply? = nil
  ) -> (AsyncStream<Void>, AsyncStream<Void>.Continuation) {
    let (sent, isSent) = AsyncStream<Void>.makeStream()
    let (gate, answer) = AsyncStream<Void>.makeStream()
    page.authority.next(endpoint) { [authority = page.authority] call in
      isSent.yield()
      for await _ in gate {}
      return reply ?? authority.usualReply(to: call)
    }
    return (sent, answer)
  }

  /// An answer of the API, which asks to wait.
  private nonisolated static func busy(_ seconds: Int) -> HTTPReply {
    var reply = HTTPReply.make(429, "{}")
    reply.response.headerFields[.retryAfter] = "\(seconds)"
    return reply
  }

  @Test("A call blocks no other page, is shown and can be canceled")
  func beside() async throws {
    let (explorer, tokens) = (ExplorerModel(page.window), TokensModel(page.window))
    let sent = page.authority.hangNext(.api)
    let call = page.model.callGraph()
    for await _ in sent { break }
    #expect(page.model.state.work == .callingGraph && page.model.state.canStart)
    #expect(!page.model.state.canRequest && page.model.callGraph() == nil)
    #expect(page.model.getDeviceInformation() == nil)
    #expect(explorer.state.canSend && tokens.state.canStart && page.window.heading.canSwitch)
    await explorer.send()?.value
    #expect(explorer.answer?.isSuccess == true)
    await tokens.renew()?.value
    #expect(page.toasts == ["Tokens renewed"])
    #expect(page.model.state.work == .callingGraph && page.window.isWorking)
    page.window.status.cancel()
    await call?.value
    #expect(page.log.last?.hasPrefix(Self.canceled) == true)
    #expect(page.model.state.work == nil && page.model.state.canRequest)
  }

  @Test("After a switch, the result of a call names the account of the call")
  func switched() async throws {
    let (call, answer) = try await begin()
    #expect(page.window.accounts.select(adele))
    #expect(page.toasts == ["Switched to \(Self.nameOfAdele)."])
    answer.finish()
    await call.value
    #expect(page.lastAuthorization == "Bearer access-canary-2")
    #expect(page.model.state.username == "adele@contoso.example")
    #expect(
      page.log.last?.hasPrefix("Account: \(Self.nameOfBen)\nResult from Graph: {") == true)
    #expect(
      page.model.state.outcome == "Switched to \(Self.nameOfAdele)."
        + " \(Self.nameOfBen): The result from Graph is in the log.")
  }

  @Test("After a switch, nothing is repeated for the other account", arguments: [401, 503])
  func refused(status: Int) async throws {
    page.authority.next(.api) { [page, adele] _ in
      await MainActor.run {
        _ = page.window.accounts.select(adele)
        // It is Adele's, and is not removed by the end of Ben's call.
        page.window.status.put(.otherAccount("Another failure."))
      }
      return .make(status, "{}")
    }
    await page.model.callGraph()?.value
    #expect(page.authority.count(.api) == 1 && page.authority.count(.token) == 0)
    #expect(
      page.log.last?.hasPrefix("Account: \(Self.nameOfBen)\nCouldn't get graph result: ") == true)
    #expect(page.model.state.outcome?.contains("\(Self.nameOfBen): Couldn't get") == true)
    #expect(page.model.state.notices.map(\.id) == [Notice.failureID])
    #expect(page.model.state.notices.first?.text.hasPrefix("Another failure.") == true)
  }

  @Test("A failed call is not repeated for an account that has signed in meanwhile")
  func failureBeforeSignIn() async throws {
    let (call, answer) = try await begin(Self.busy(3600))
    page.authority.willSignIn(.megan)
    let (asked, signsIn) = hold(.token)
    let signIn = page.window.accounts.add()
    for await _ in asked { break }
    answer.finish()
    await call.value
    try await page.wait { $0.notices.contains { $0.id == Notice.failureID } }
    signsIn.finish()
    await signIn?.value
    #expect(page.model.state.username == Person.megan.username)
    #expect(page.model.state.notices.isEmpty && page.window.status.tryAgain == nil)
    #expect(page.authority.count(.api) == 1)
  }

  @Test("A call whose pause ends during other work is repeated after it")
  func pauseDuringWork() async throws {
    let tokens = TokensModel(page.window)
    let (call, answer) = try await begin(Self.busy(1))
    let (asked, renews) = hold(.token)
    let renewal = try #require(tokens.renew())
    for await _ in asked { break }
    answer.finish()
    await call.value
    try await page.wait { $0.notices.contains { $0.id == Notice.failureID } }
    // It ends after the pause, which began before.
    let countdown = Countdown()
    countdown.start(2) { _ in
    } end: {
      renews.finish()
    }
    await renewal.value
    while page.authority.count(.api) < 2 { try await Task.sleep(for: .milliseconds(5)) }
    #expect(page.toasts == ["Tokens renewed"])
  }

  @Test("What a call tells during a sign-in for the same account stays")
  func failureDuringSignIn() async throws {
    let (call, answer) = try await begin(.make(503, "{}"))
    page.authority.next(.token) { [authority = page.authority] request in
      answer.finish()
      await call.value
      return authority.usualReply(to: request)
    }
    let account = page.window.status.accounts.selected
    let result = await page.window.status.inTurn(tryAgain: nil) { [page] in
      await page.window.tokens.signIn(account)
    }
    #expect(result?.account.username == "ben@contoso.example")
    #expect(page.model.state.notices.map(\.title) == ["Service Not Available"])
  }

  @Test("A pause that another program was asked for is counted down before anything is sent")
  func sharedPause() async throws {
    let page = try Page(store: ScriptedStore(lockName: "test \(UUID())"))
    let path = page.application.pausesOfAPIs?.path
    defer { if let path { try? FileManager.default.removeItem(atPath: path) } }
    await page.model.callGraph()?.value
    page.authority.forget()
    // The Explorer stands for the other program.
    page.authority.next(.api) { _ in Self.busy(3600) }
    let explorer = ExplorerModel(page.window)
    await explorer.send()?.value
    #expect(page.authority.count(.api) == 1 && explorer.state.wait != nil)
    await page.model.callGraph()?.value
    #expect(page.authority.count(.api) == 1)
    let notice = page.model.state.notices.first { $0.id == Notice.failureID }
    #expect(notice?.text.contains("asked Entrance to wait") == true)
    #expect(notice?.buttons.first?.action == .callGraph)
    // Now the person knows.
    await page.model.callGraph()?.value
    #expect(page.authority.count(.api) == 2)
  }

  @Test("A call that is asked to wait has other programs wait, too")
  func keptPause() async throws {
    let page = try Page(store: ScriptedStore(lockName: "test \(UUID())"))
    let path = page.application.pausesOfAPIs?.path
    defer { if let path { try? FileManager.default.removeItem(atPath: path) } }
    page.authority.next(.api) { _ in Self.busy(3600) }
    await page.model.callGraph()?.value
    #expect(page.authority.count(.api) == 1)
    let explorer = ExplorerModel(page.window)
    await explorer.send()?.value
    #expect(page.authority.count(.api) == 1 && explorer.state.wait != nil)
  }

  @Test("After an edit of the connection, the token is not sent to another host")
  func edited() async throws {
    // The photo is fetched after the first call only.
    let page = try Page()
    let connection = Connection(
      name: "Test", application: page.application.configuration, scopes: ["User.Read"],
      api: "https://other.example/v1.0/me")
    let graph = try GraphClient(api: connection.api, transport: page.authority)
    page.authority.next(.api) { [page] _ in
      await MainActor.run { page.workspace.use(connection, page.application, graph) }
      return .make(200, "{}")
    }
    await page.model.callGraph()?.value
    while page.authority.count(.photo) == 0 { try await Task.sleep(for: .milliseconds(5)) }
    #expect(page.workspace.connection.api == connection.api)
    #expect(!page.authority.calls.contains { $0.url.hasPrefix("https://other.example") })
  }

  @Test("The outcome of a call is not the reason why the Explorer has no token")
  func reasonOfExplorer() async throws {
    let explorer = ExplorerModel(page.window)
    let (call, answer) = try await begin()
    page.clock.advance(by: 7200)
    let refusal = #"{"error":"invalid_grant"}"#
    page.authority.next(.token) { _ in
      answer.finish()
      await call.value
      return .make(400, refusal)
    }
    page.authority.next(.token, status: 400, refusal)
    await explorer.send()?.value
    #expect(page.model.state.outcome?.contains("The result from Graph is in the log.") == true)
    #expect(explorer.answer?.failure?.sentence == "There is no token for this account.")
  }

  @Test("Another account can sign in during a call")
  func signIn() async throws {
    let (call, answer) = try await begin()
    page.authority.willSignIn(.megan)
    await page.window.accounts.add()?.value
    #expect(page.model.state.username == Person.megan.username)
    #expect(page.model.state.work == .callingGraph)
    answer.finish()
    await call.value
    #expect(page.log.last?.hasPrefix("Account: \(Self.nameOfBen)\nResult from Graph: {") == true)
  }

  @Test("A call is canceled when its account is signed out, and only then")
  func left() async throws {
    for (person, isCanceled) in [(Person.adele, false), (Person.ben, true)] {
      _ = page.takeLog()
      let (call, answer) = try await begin()
      // Another program signs the account out.
      page.store.records = page.store.records.filter {
        !String(decoding: $0.contents.exposed, as: UTF8.self).contains(person.objectID)
      }
      page.store.markChanged()
      await page.window.activate()?.value
      #expect(call.isCancelled == isCanceled)
      answer.finish()
      await call.value
      #expect(page.log.contains { $0.hasPrefix(Self.canceled) } == isCanceled)
      #expect(page.log.contains { $0.contains("Result from Graph") } != isCanceled)
    }
  }

  @Test("Signing out while a call is repeated causes no deadlock")
  func signOutDuringRepetition() async throws {
    let tokens = TokensModel(page.window)
    let (begun, isBegun) = AsyncStream<Void>.makeStream()
    let (gate, opening) = AsyncStream<Void>.makeStream()
    page.authority.next(.token) { [authority = page.authority] call in
      isBegun.yield()
      for await _ in gate {}
      return authority.usualReply(to: call)
    }
    // While the renewal has the window's turn, the call waits for it to repeat its request.
    let (refused, isRefused) = AsyncStream<Void>.makeStream()
    page.authority.next(.api) { [tokens] _ in
      await tokens.renew()
      isRefused.yield()
      return .make(401, "{}")
    }
    let call = page.model.callGraph()
    for await _ in begun { break }
    for await _ in refused { break }
    // Nothing shows that the call has its answer, and has tried to get its turn. While other tests
    // keep the main actor busy, each turn of this loop takes long.
    let end = ContinuousClock.now + .seconds(1)
    for _ in 0..<1000 where ContinuousClock.now < end { await Task.yield() }
    let signOut = try #require(page.model.signOut.signOut())
    opening.finish()
    await signOut.value
    await call?.value
    #expect(page.model.state.rows.map(\.title) == ["Adele Vance"])
    #expect(page.model.state.work == nil && page.authority.count(.api) == 1)
  }
}
