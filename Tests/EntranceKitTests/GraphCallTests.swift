import AuthCore
import CurlHTTP
import EntranceKit
import FoundationEssentials
import TestSupport
import Testing

/// *Call Microsoft Graph API* while the API takes its time.
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
  /// - Returns: the call, and what has the API answer.
  private func begin() async throws -> (Task<Void, Never>, AsyncStream<Void>.Continuation) {
    let (sent, isSent) = AsyncStream<Void>.makeStream()
    let (gate, answer) = AsyncStream<Void>.makeStream()
    page.authority.next(.api) { [authority = page.authority] call in
      isSent.yield()
      for await _ in gate {}
      return authority.usualReply(to: call)
    }
    let call = try #require(page.model.callGraph())
    for await _ in sent { break }
    return (call, answer)
  }

  @Test("It blocks no other page, is shown and can be canceled")
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

  @Test("After a switch, its result is that of its own account")
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
      _ = await page.window.accounts.select(adele)
      return .make(status, "{}")
    }
    await page.model.callGraph()?.value
    #expect(page.authority.count(.api) == 1 && page.authority.count(.token) == 0)
    #expect(
      page.log.last?.hasPrefix("Account: \(Self.nameOfBen)\nCouldn't get graph result: ") == true)
    #expect(page.model.state.outcome?.contains("\(Self.nameOfBen): Couldn't get") == true)
    #expect(page.model.state.notices.isEmpty)
  }

  @Test("Another account can sign in meanwhile")
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

  @Test("It ends when its account leaves, and only then")
  func left() async throws {
    for (person, isCanceled) in [(Person.adele, false), (Person.ben, true)] {
      _ = page.takeLog()
      let (call, answer) = try await begin()
      // Another program signs the account out.
      page.store.records = page.store.records.filter {
        !String(decoding: $0.contents.exposed, as: UTF8.self).contains(person.objectID)
      }
      page.store.tellOfChange()
      await page.window.activate()?.value
      #expect(call.isCancelled == isCanceled)
      answer.finish()
      await call.value
      #expect(page.log.contains { $0.hasPrefix(Self.canceled) } == isCanceled)
      #expect(page.log.contains { $0.contains("Result from Graph") } != isCanceled)
    }
  }

  @Test("Signing out in the middle of a repetition waits for nothing that waits for it")
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
    page.authority.next(.api) { [tokens] _ in
      await tokens.renew()
      return .make(401, "{}")
    }
    let call = page.model.callGraph()
    for await _ in begun { break }
    let signOut = try #require(page.model.signOut.signOut())
    opening.finish()
    await signOut.value
    await call?.value
    #expect(page.model.state.rows.map(\.title) == ["adele@contoso.example"])
    #expect(page.model.state.work == nil && page.authority.count(.api) == 1)
  }
}
