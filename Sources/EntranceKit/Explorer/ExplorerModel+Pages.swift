import AuthCore
import FoundationEssentials
import HTTPTypes
import Localization
import MicrosoftGraph

// The other pages of a list.
extension ExplorerModel {
  /// *Next Page*: requests the page that the answer leads to, which takes its place.
  @discardableResult
  public func sendForNextPage() -> Task<Void, Never>? {
    guard state.work == nil, !state.isWindowBusy, let answer, let link = answer.nextLink else {
      return nil
    }
    guard canSend(for: answerSender) else { return nil }
    let other = otherSender
    return start { await $0.perform(answer.request, $1, at: link, as: other) }
  }

  /// *All Pages*: requests all pages that follow, and makes one answer with all items; canceling it
  /// keeps the items so far.
  @discardableResult
  public func sendForAllPages() -> Task<Void, Never>? {
    guard state.work == nil, !state.isWindowBusy, let answer, let link = answer.nextLink else {
      return nil
    }
    guard canSend(for: answerSender) else { return nil }
    let other = otherSender
    return start { await $0.performAll(after: answer, from: link, $1, as: other) }
  }

  /// How often progress is shown.
  private static let progressInterval = Duration.milliseconds(100)

  private func performAll(
    after answer: ExplorerAnswer, from link: String, _ number: Int, as other: AccountRow?
  ) async {
    var pages = GraphPageBodies()
    var request = answer.request.graphRequest()
    let url = try? graph.url(of: request)
    var next: String? = link
    if answer.isFirstPage {
      _ = await pages.add(answer.original)
    } else {
      // The pages before this one are not there any more.
      next = ""
    }
    var problem: String?
    // The account can leave meanwhile, and the answer with it.
    let sender = answerSender
    tokens.begin(for: other) { _ in }
    var shown: ContinuousClock.Instant?
    while let link = next {
      if shown.map({ .now - $0 > Self.progressInterval }) ?? true {
        show(.gettingPages(pages.pageCount, items: pages.itemCount))
        shown = .now
      }
      if !link.isEmpty { request = answer.request.graphRequest(at: link) }
      log(request, for: sender)
      do throws(GraphError) {
        let response = try await client.send(request)
        log(.success(response), to: request, for: sender)
        next = await pages.add(response.body)
      } catch {
        log(.failure(error), to: request, for: sender)
        if error.code != .cancelled { problem = tr(error.sentence) }
        break
      }
      if pages.leadsBack {
        problem = tr(
          "A page of the collection leads back to an earlier one, so not all items can be read.")
        break
      }
      guard pages.size < GraphPageBodies.largest else {
        problem = tr("There are more items than can be shown at once.")
        break
      }
    }
    let problemText = problem.map {
      tr("Not all pages were received: {reason}", ["reason": $0])
    }
    guard pages.pageCount > 0 else {
      // Nothing takes the place of the page that is shown.
      if let problemText {
        messages.notify(privacy.shown(problemText))
        reportEnd(of: EndedWork(.pages, .failed))
      }
      return
    }
    show(.preparing)
    let body = await pages.joined(next: next)
    let parts = ExplorerAnswer.Parts(
      id: number, request: answer.request, account: answer.account, duration: nil, url: url)
    let fields: HTTPFields = [.contentType: "application/json"]
    await set(
      parts, GraphResponse(status: 200, headerFields: fields, body: body), for: sender,
      hint: problemText ?? (next == nil ? Self.total(pages) : nil))
    // A cancellation leaves what there is so far, without a problem.
    if problem != nil || next == nil {
      reportEnd(of: EndedWork(.pages, problem == nil ? .done : .failed))
    }
  }

  private static func total(_ pages: GraphPageBodies) -> String {
    tr(
      .plural(
        "All pages: {count} item", "All pages: {count} items", count: pages.itemCount))
  }
}

/// The bodies of a list's pages.
private struct GraphPageBodies: Sendable {
  /// How many bytes of pages are put together.
  static let largest = 32 << 20

  private var bodies: [Data] = []
  private var links: Set<String> = []
  private(set) var itemCount = 0
  var pageCount: Int { bodies.count }
  private(set) var size = 0
  /// Whether a page has the link of an earlier one, so that nobody knows what else there is.
  private(set) var leadsBack = false

  /// Adds a page.
  ///
  /// - Returns: the link to the next page; nil after the last one, or when it ``leadsBack``.
  mutating func add(_ body: Data) async -> String? {
    let page = await Self.read(body)
    bodies.append(body)
    itemCount += page.count
    size += body.count
    guard let next = page.next else { return nil }
    leadsBack = !links.insert(next).inserted
    return leadsBack ? nil : next
  }

  @concurrent
  private static func read(_ body: Data) async -> (count: Int, next: String?) {
    let json = try? JSON(parsing: body)
    return (json?["value"]?.array?.count ?? 0, json?["@odata.nextLink"]?.string)
  }

  /// One list with the items of all pages, and the link to the first page that is missing.
  @concurrent
  func joined(next: String?) async -> Data {
    var members: [JSON.Member] = []
    var names: Set = ["@odata.nextLink"]
    var items: [JSON] = []
    for body in bodies {
      guard let json = try? JSON(parsing: body) else { continue }
      for member in json.object ?? [] where member.name.hasPrefix("@odata.") {
        if names.insert(member.name).inserted { members.append(member) }
      }
      items += json["value"]?.array ?? []
    }
    members.append(JSON.Member("value", .array(items)))
    if let next { members.append(JSON.Member("@odata.nextLink", .string(next))) }
    return Data(JSON.object(members).compactText.utf8)
  }
}
