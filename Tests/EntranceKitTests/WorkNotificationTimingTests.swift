import AuthCore
import CurlHTTP
@testable import EntranceKit
import FoundationEssentials
import HTTPTypes
import Testing
import TestSupport

@Suite("What is told of work that ends while its window is not in front")
struct WorkNotificationTimingTests {
  private typealias Timing = WorkNotificationTiming

  private static let download = EndedWork(.download("report.bin"), .done)
  private static let pages = EndedWork(.pages, .failed)

  /// The actions after `events`; nil where nothing is done.
  private func actions(_ events: Timing.Event...) -> [Timing.Action?] {
    var timing = Timing()
    return events.map { timing.handle($0) }
  }

  @Test("Nothing is told while the window is in front")
  func front() {
    #expect(actions(.ended(Self.download), .front, .ended(Self.pages)) == [nil, nil, nil])
    #expect(actions(.back, .front, .ended(Self.download)) == [nil, nil, nil])
    // What has ended in front is not told later.
    #expect(actions(.ended(Self.download), .back) == [nil, nil])
  }

  @Test("What ends behind other windows is told until the window comes to the front")
  func back() {
    #expect(
      actions(.back, .ended(Self.download), .back, .front, .front, .back)
        == [nil, .send(Self.download), nil, .withdraw, nil, nil])
  }

  @Test("The last that has ended takes the place of what was told before")
  func several() {
    #expect(
      actions(.back, .ended(Self.download), .ended(Self.pages), .front)
        == [nil, .send(Self.download), .send(Self.pages), .withdraw])
  }

  @Test("What was told goes with the window, and nothing is told after that")
  func closed() {
    #expect(
      actions(.back, .ended(Self.download), .closed, .back, .ended(Self.pages), .front)
        == [nil, .send(Self.download), .withdraw, nil, nil, nil])
    #expect(actions(.closed, .closed) == [nil, nil])
    #expect(actions(.back, .closed, .ended(Self.pages)) == [nil, nil, nil])
  }

  @Test("A request is told only if it took ten seconds at least")
  func requests() {
    for (seconds, isSent) in [(9, false), (10, true), (600, true)] {
      let work = EndedWork(.request(.seconds(seconds)), .done)
      let expected: Timing.Action? = isSent ? .send(work) : nil
      #expect(actions(.back, .ended(work)) == [nil, expected])
    }
  }

  @Test("What is told now is known until it is taken away")
  func told() {
    var timing = Timing()
    _ = timing.handle(.back)
    #expect(timing.told == nil)
    _ = timing.handle(.ended(Self.download))
    #expect(timing.told == Self.download)
    _ = timing.handle(.front)
    #expect(timing.told == nil)
  }

  @Test("The text has the file's name, and not even that while personal details are hidden")
  func texts() {
    #expect(Self.download.title == "Download Finished")
    #expect(Self.download.text(hidesDetails: false) == "“report.bin” is saved.")
    #expect(Self.download.text(hidesDetails: true) == "The file is saved.")
    for outcome in [EndedWork.Outcome.done, .failed, .paused] {
      let work = EndedWork(.download("grace\u{202E}.bin"), outcome)
      #expect(work.text(hidesDetails: false).contains("grace"))
      #expect(!work.text(hidesDetails: false).contains("\u{202E}"))
      #expect(!(work.title + work.text(hidesDetails: true)).contains("grace"))
    }
    let long = EndedWork(.download(String(repeating: "x", count: 255)), .done)
    #expect(long.text(hidesDetails: false).count < 120)
  }

  @Test("Only a sign-in is not of the Explorer")
  func pageOfWork() {
    #expect(Self.download.isOfExplorer && Self.pages.isOfExplorer)
    #expect(!EndedWork(.signIn, .done).isOfExplorer)
  }
}

/// Which work tells that it has ended.
@MainActor @Suite("Work that ends", .timeLimit(.minutes(5)))
struct EndedWorkTests {
  private let explorer = ExplorerTests()

  /// Collects what has ended in a window.
  @MainActor
  private final class Ended {
    private(set) var all: [EndedWork] = []
    private var observer: Observer?

    init(_ page: Page) {
      observer = page.window.status.endedWork.add { [weak self] in self?.all.append($0) }
    }
  }

  @Test("A request says how long it took, also when there was no response; a canceled one does not")
  func requests() async throws {
    let (page, model) = try await explorer.signedIn()
    let ended = Ended(page)
    await model.send()?.value
    page.authority.next(.api) { _ throws(HTTPError) in
      throw HTTPError(.cannotConnect, host: "graph.microsoft.com", message: "Gone.")
    }
    await model.send()?.value
    let isSent = page.authority.hangNext(.api)
    let task = model.send()
    for await _ in isSent { break }
    model.cancel()
    await task?.value
    #expect(ended.all.map(\.outcome) == [.done, .failed])
    for work in ended.all {
      guard case .request(let time) = work.kind else {
        Issue.record("\(work)")
        continue
      }
      // It was answered at once.
      #expect(time < .seconds(10) && !work.isLong)
    }
  }

  @Test("All pages are told, and a page that fails; a cancellation is not")
  func pages() async throws {
    let link = "https://graph.microsoft.com/v1.0/users?$skiptoken=a"
    for (status, outcome) in [(200, EndedWork.Outcome.done), (500, .failed)] {
      let (page, model) = try await explorer.signedIn()
      page.authority.next(.api, status: 200, explorer.page(1...2, next: link))
      await model.send()?.value
      let ended = Ended(page)
      page.authority.next(.api, status: status, explorer.page(3...4, next: nil))
      await model.sendForAllPages()?.value
      #expect(ended.all == [EndedWork(.pages, outcome)])
    }
    let (page, model) = try await explorer.signedIn()
    page.authority.next(.api, status: 200, explorer.page(1...2, next: link))
    await model.send()?.value
    let ended = Ended(page)
    let isSent = page.authority.hangNext(.api)
    let task = model.sendForAllPages()
    for await _ in isSent { break }
    model.cancel()
    await task?.value
    #expect(ended.all.isEmpty && model.answer?.table?.count == 2)
  }

  @Test("A download is told with the name of its file alone", arguments: [200, 404])
  func downloads(status: Int) async throws {
    let (page, model) = try await explorer.signedIn()
    let folder = try TemporaryDirectory()
    model.request.address = "/me/drive/items/1/content"
    func lead() {
      page.authority.next(.api) { _ in
        var reply = HTTPReply.make(302, "")
        reply.response.headerFields[.location] = "https://files.example/x?ticket=1"
        return reply
      }
    }
    lead()
    await model.send()?.value
    let ended = Ended(page)
    lead()
    page.authority.next(.api, status: status, "0123456789")
    await model.download(to: "\(folder.path)/report.bin")?.value
    #expect(
      ended.all == [EndedWork(.download("report.bin"), status == 200 ? .done : .failed)])
  }

  @Test("A sign-in is told that takes place in the browser, and not one in the sign-in window")
  func signIns() async throws {
    let ways = SignInWayTests()
    for (way, expected) in [
      (SignInWay.browser, [EndedWork(.signIn, .done)]), (.embedded, []),
    ] {
      let page = try Page(authority: ways.authority, desktop: ways.desktop(way))
      let ended = Ended(page)
      await page.model.callGraph()?.value
      #expect(page.model.state.username == Person.adele.username)
      #expect(ended.all == expected)
    }
  }

  @Test("A sign-in that fails in the browser is told")
  func failedSignIn() async throws {
    let ways = SignInWayTests()
    let page = try Page(authority: ways.authority, desktop: ways.desktop(.browser))
    ways.authority.next(
      .token, status: 400,
      #"{"error": "invalid_grant", "error_description": "AADSTS53000: Not compliant."}"#)
    let ended = Ended(page)
    await page.model.callGraph()?.value
    #expect(ended.all == [EndedWork(.signIn, .failed)])
  }
}
