import AuthCore
import CurlHTTP
import EntranceKit
import FoundationEssentials
import HTTPTypes
import TestSupport
import Testing

/// What the Explorer page does when another account is selected while it works.
@MainActor @Suite("The account of the Explorer's requests")
struct ExplorerAccountTests {
  private let page: Page
  private let model: ExplorerModel
  private let ben: AccountRow.ID

  /// A page on which Adele and Ben have signed in, and Adele is selected.
  init() async throws {
    page = try Page()
    await page.model.callGraph()?.value
    let adele = try page.row(.adele).id
    page.authority.willSignIn(.ben)
    await page.window.accounts.add()?.value
    ben = try page.row(.ben).id
    page.window.accounts.select(adele)
    page.authority.forget()
    model = ExplorerModel(page.window)
  }

  private var sent: [ScriptedAuthority.Call] {
    page.authority.calls.filter { $0.endpoint == .api }
  }

  private func select(_ id: AccountRow.ID) { page.window.accounts.select(id) }

  private static let switched =
    "The account was switched before there was a token. Send the request again."

  @Test("A rejected request is not repeated for an account that is selected meanwhile")
  func rejected() async throws {
    model.request = ExplorerRequest(.post, "/me/sendMail", body: "{}")
    page.authority.next(.api) { [page, ben] _ in
      _ = await page.window.accounts.select(ben)
      return .make(401, "{}")
    }
    await model.send()?.value
    #expect(page.model.state.username == Person.ben.username)
    #expect(sent.count == 1)
    #expect(model.answer?.account.hasPrefix(Person.adele.username) == true)
    #expect(model.answer?.failure?.sentence == Self.switched)
    await model.send()?.value
    #expect(sent.count == 2 && model.answer?.isSuccess == true)
    #expect(model.answer?.account.hasPrefix(Person.ben.username) == true)
  }

  @Test("The pages of a list are not requested for an account that is selected meanwhile")
  func pages() async throws {
    func list(_ id: Int) -> String {
      let link = "https://graph.microsoft.com/v1.0/users?$skiptoken=\(id)"
      return "{\"value\":[{\"id\":\(id)}],\"@odata.nextLink\":\"\(link)\"}"
    }
    page.authority.next(.api, status: 200, list(1))
    await model.send()?.value
    let second = list(2)
    page.authority.next(.api) { [page, ben] _ in
      _ = await page.window.accounts.select(ben)
      return .make(200, second)
    }
    await model.sendForAllPages()?.value
    #expect(sent.count == 2)
    #expect(model.answer?.table?.count == 2)
    #expect(model.answer?.hints.first?.contains(Self.switched) == true)
  }

  @Test("Try Again does not send the request for an account that is selected meanwhile")
  func tryAgain() async throws {
    page.clock.advance(by: 7200)
    page.authority.next(.token, times: 2, status: 400, #"{"error":"invalid_request"}"#)
    await model.send()?.value
    #expect(page.model.state.notices.first?.buttons.first?.action == .tryAgain)
    // Another program signs Adele out.
    page.store.records = page.store.records.filter {
      !String(decoding: $0.contents.exposed, as: UTF8.self).contains(Person.adele.objectID)
    }
    page.store.markChanged()
    await page.window.activate()?.value
    #expect(page.model.state.username == Person.ben.username)
    AccountAction.tryAgain.perform(page.model, "")
    await model.finish()
    #expect(sent.isEmpty && model.state.work == nil)
    #expect(page.model.state.notices.allSatisfy { $0.buttons.first?.action != .tryAgain })
  }

  @Test("A permission is requested only for the account whose request was refused")
  func permission() async throws {
    var messages: [String] = []
    let observer = model.messages.add { messages.append($0) }
    model.request.address = "/me/messages"
    page.authority.next(.api, status: 403, "{}")
    await model.send()?.value
    #expect(model.answer?.explanation?.missing.isEmpty == false)
    #expect(model.state.permissionNote == nil)
    select(ben)
    // It is said beside the button, too.
    #expect(
      model.state.permissionNote
        == "Switch to adele@contoso.example · contoso.example to request the permission.")
    #expect(model.requestPermission() == nil)
    #expect(
      messages == [
        "Switch to adele@contoso.example · contoso.example to request the permission."
      ])
    withExtendedLifetime(observer) {}
  }

  @Test("A DELETE that is confirmed after a switch is asked about again")
  func delete() async throws {
    var asked: [(ExplorerQuestion, @MainActor () -> Void)] = []
    let observer = model.questions.add { asked.append($0) }
    model.request = ExplorerRequest(.delete, "/me/messages/1")
    model.send()
    select(ben)
    try #require(asked.first).1()
    await model.finish()
    #expect(sent.isEmpty && asked.count == 2)
    #expect(asked.last?.0.text.hasPrefix("As ben@contoso.example") == true)
    page.authority.next(.api, status: 204, "")
    try #require(asked.last).1()
    await model.finish()
    #expect(sent.map(\.request.method) == [.delete])
    withExtendedLifetime(observer) {}
  }

  @Test("A DELETE that was refused is asked about again once its permission is granted")
  func refusedDelete() async throws {
    var asked: [(ExplorerQuestion, @MainActor () -> Void)] = []
    let observer = model.questions.add { asked.append($0) }
    model.request = ExplorerRequest(.delete, "/me/messages/1")
    page.authority.next(.api, status: 403, "{}")
    model.send()
    try #require(asked.last).1()
    await model.finish()
    #expect(model.answer?.explanation?.missing.isEmpty == false && sent.count == 1)
    // The page has another request by then.
    model.request = ExplorerRequest(.get, "/me/drive")
    page.authority.willSignIn(.adele)
    await model.requestPermission()?.value
    #expect(sent.count == 1 && asked.count == 2)
    #expect(asked.last?.0.text.hasSuffix("/v1.0/me/messages/1") == true)
    page.authority.next(.api, status: 204, "")
    try #require(asked.last).1()
    await model.finish()
    #expect(sent.map(\.request.method) == [.delete, .delete])
    #expect(model.answer?.status == 204 && model.request.method == .get)
    withExtendedLifetime(observer) {}
  }
}
