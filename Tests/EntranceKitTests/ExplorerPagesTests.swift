import AuthCore
import CurlHTTP
import EntranceKit
import FoundationEssentials
import HTTPTypes
import TestSupport
import Testing

@MainActor @Suite("Tables and pages of lists on the Explorer page")
struct ExplorerPagesTests {
  private let explorer = ExplorerTests()

  @Test("The items of a list are a table, which is sorted and saved")
  func table() async throws {
    let (page, model) = try await explorer.signedIn()
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
    let (page, model) = try await explorer.signedIn()
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

  @Test("A table says which rows and columns are not shown")
  func largeTable() async throws {
    let (page, model) = try await explorer.signedIn()
    let members = (0..<41).map { "\"a\($0)\":\($0)" }.joined(separator: ",")
    page.authority.next(.api, status: 200, "{\"value\":[{\(members)}]}")
    await model.send()?.value
    #expect(
      model.answer?.hints == [
        "The table shows only the first 10000 rows and 40 columns. To get all, save it as CSV."
      ])
  }

  @Test("The Activity page names the options of a request, without what may be their values")
  func optionsOfActivity() async throws {
    let (page, model) = try await explorer.signedIn()
    let activity = ActivityModel(page.window.status.activity)
    model.request.address =
      "/me/messages?$search=\"divorce\"&$top=2&divorce&custody@b.example=1&api-version=1.0"
    await model.send()?.value
    let line = "GET https://graph.microsoft.com/v1.0/me/messages?$search=…&$top=…&…&…&api-version=…"
    #expect(activity.events.contains { $0.kind == .request && $0.title == line })
    #expect(activity.events.contains { $0.kind == .response && $0.text.contains("\n" + line) })
    let events = activity.events.map { $0.title + $0.text }.joined()
    #expect(!events.contains("divorce") && !events.contains("custody"))
  }

  private let link = "https://graph.microsoft.com/v1.0/users?$skiptoken=a%3D"

  @Test("The next page is asked for with the link as it is, and the same header fields")
  func nextPage() async throws {
    let (page, model) = try await explorer.signedIn()
    model.request = ExplorerRequest(.get, "/users", fields: "ConsistencyLevel: eventual")
    page.authority.next(.api, status: 200, explorer.page(1...2, next: link))
    await model.send()?.value
    #expect(model.answer?.pagesText == "2 items, more available")
    page.authority.next(.api, status: 200, explorer.page(3...3, next: nil))
    await model.sendForNextPage()?.value
    let call = try #require(explorer.sent(page).last)
    #expect(call.url == link)
    #expect(call.request.headerFields.contains { $0.value == "eventual" })
    #expect(model.answer?.table?.count == 1 && model.answer?.pagesText == nil)
    #expect(model.request.address == "/users")
  }

  @Test("Very many members beside the items are joined at once", .timeLimit(.minutes(1)))
  func manyMembers() async throws {
    let (page, model) = try await explorer.signedIn()
    page.authority.next(.api, status: 200, explorer.page(1...2, next: link))
    await model.send()?.value
    let members = (0..<60_000).map { "\"@odata.a\($0)\":1," }.joined()
    page.authority.next(.api, status: 200, "{\(members)\"value\":[]}")
    await model.sendForAllPages()?.value
    #expect(model.answer?.table?.count == 2)
  }

  @Test(
    "After a page that failed, “Next Page” goes on with that page, and “All Pages” begins again")
  func failedPage() async throws {
    let (page, model) = try await explorer.signedIn()
    page.authority.next(.api, status: 200, explorer.page(1...2, next: link))
    await model.send()?.value
    for isLast in [false, true] {
      page.authority.next(.api, status: 500, explorer.page(1...1, next: "https://graph.test/other"))
      await model.sendForNextPage()?.value
      #expect(model.answer?.status == 500 && model.answer?.nextLink == link)
      if !isLast { continue }
      // The pages before it are not there any more.
      page.authority.next(.api, status: 200, explorer.page(1...2, next: link))
      page.authority.next(.api, status: 200, explorer.page(3...3, next: nil))
      await model.sendForAllPages()?.value
    }
    let first = try #require(explorer.sent(page).first?.url)
    #expect(explorer.sent(page).map(\.url) == [first, link, link, first, link])
    #expect(model.answer?.isSuccess == true && model.answer?.table?.count == 3)
  }

  @Test("The link of a large error body is not that of a next page")
  func largeErrorOfPage() async throws {
    let (page, model) = try await explorer.signedIn()
    page.authority.next(.api, status: 200, explorer.page(1...2, next: link))
    await model.send()?.value
    let text = String(repeating: "a", count: 3 << 20)
    page.authority.next(.api, status: 500, "{\"text\":\"\(text)\",\"@odata.nextLink\":\"x\"}")
    await model.sendForNextPage()?.value
    #expect(model.answer?.status == 500 && model.answer?.nextLink == link)
    page.authority.next(.api, status: 500, explorer.page(1...1, next: link))
    await model.send()?.value
    #expect(model.answer?.nextLink == nil && model.answer?.pagesText == nil)
  }

  @Test("The answer to a request that may change something leads to no next page")
  func writtenList() async throws {
    let (page, model) = try await explorer.signedIn()
    model.request = ExplorerRequest(.patch, "/users")
    page.authority.next(.api, status: 200, explorer.page(1...2, next: link))
    await model.send()?.value
    #expect(model.answer?.table?.count == 2 && model.answer?.nextLink == nil)
  }

  @Test("A refused page is requested again once the permission is granted, and not the first")
  func refusedPage() async throws {
    let (page, model) = try await explorer.signedIn()
    model.request = ExplorerRequest(.get, "/me/messages")
    let link = "https://graph.microsoft.com/v1.0/me/messages?$skiptoken=a"
    page.authority.next(.api, status: 200, explorer.page(1...2, next: link))
    await model.send()?.value
    page.authority.next(.api, status: 403, "{}")
    await model.sendForNextPage()?.value
    #expect(model.answer?.explanation?.missing == ["Mail.ReadBasic"])
    page.authority.next(.api, status: 200, explorer.page(3...3, next: nil))
    await model.requestPermission()?.value
    #expect(explorer.sent(page).map(\.url).suffix(2) == [link, link])
    #expect(model.answer?.table?.count == 1)
  }

  @Test("All pages are one answer; a page that fails leaves those before it, and the way on")
  func allPages() async throws {
    let (page, model) = try await explorer.signedIn()
    page.authority.next(.api, status: 200, explorer.page(1...2, next: link))
    await model.send()?.value
    page.authority.next(.api, status: 200, explorer.page(3...4, next: link + "2"))
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
    page.authority.next(.api, status: 200, explorer.page(5...5, next: nil))
    await model.sendForAllPages()?.value
    #expect(model.answer?.table?.count == 5 && model.answer?.nextLink == nil)
    #expect(model.answer?.table?.text(row: 4, column: 0) == "5")
    #expect(model.answer?.hints == ["All pages: 5 items"])
  }

  @Test("The table of all pages says what it does not show, too")
  func largeTableOfPages() async throws {
    let (page, model) = try await explorer.signedIn()
    let members = (0..<41).map { "\"a\($0)\":\($0)" }.joined(separator: ",")
    page.authority.next(
      .api, status: 200, "{\"value\":[{\(members)}],\"@odata.nextLink\":\"\(link)\"}")
    await model.send()?.value
    page.authority.next(.api, status: 200, explorer.page(1...1, next: nil))
    await model.sendForAllPages()?.value
    let hints = model.answer?.hints ?? []
    #expect(hints.count == 2 && hints.first == "All pages: 2 items")
    #expect(hints.last?.hasPrefix("The table shows only the first") == true)
  }

  @Test("Pages that lead in a circle have an end, which is not taken for that of the list")
  func circle() async throws {
    let (page, model) = try await explorer.signedIn()
    page.authority.next(.api, status: 200, explorer.page(1...2, next: link))
    await model.send()?.value
    page.authority.next(.api, status: 200, explorer.page(3...4, next: link + "2"))
    page.authority.next(.api, status: 200, explorer.page(5...6, next: link))
    await model.sendForAllPages()?.value
    #expect(model.answer?.table?.count == 6 && model.answer?.nextLink == nil)
    #expect(
      model.answer?.hints == [
        "Not all pages were received: A page of the collection leads back to an earlier one, so"
          + " not all items can be read."
      ])
  }

  @Test("All Pages from a later page leaves that page when no page comes")
  func noPages() async throws {
    let (page, model) = try await explorer.signedIn()
    var messages: [String] = []
    let observer = model.messages.add { messages.append($0) }
    page.authority.next(.api, status: 200, explorer.page(1...2, next: link))
    await model.send()?.value
    page.authority.next(.api, status: 200, explorer.page(3...4, next: link + "2"))
    await model.sendForNextPage()?.value
    page.authority.next(.api, status: 500, "{}")
    await model.sendForAllPages()?.value
    #expect(model.answer?.table?.count == 2 && model.answer?.nextLink == link + "2")
    #expect(messages.count == 1)
    #expect(messages.first?.hasPrefix("Not all pages were received: ") == true)
    // What was said of the page that stays is not said again.
    #expect(!model.isAnswerNew)
    let isSent = page.authority.hangNext(.api)
    let task = model.sendForAllPages()
    for await _ in isSent { break }
    model.cancel()
    await task?.value
    #expect(model.answer?.table?.count == 2 && messages.count == 1)
    withExtendedLifetime(observer) {}
  }

  @Test("No page is requested any more after the account has signed out")
  func signOutDuringPages() async throws {
    let (page, model) = try await explorer.signedIn()
    page.authority.next(.api, status: 200, explorer.page(1...2, next: link))
    await model.send()?.value
    let second = explorer.page(3...4, next: link + "2")
    page.authority.next(.api) { [weak page] _ in
      await page?.model.signOut.signOut()?.value
      return .make(200, second)
    }
    let before = explorer.sent(page).count
    await model.sendForAllPages()?.value
    #expect(explorer.sent(page).count == before + 1)
    #expect(page.model.state.username == nil)
    #expect(model.answer == nil)
  }
}
