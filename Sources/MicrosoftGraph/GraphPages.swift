public import AuthCore
import FoundationEssentials
import Sentences

/// One page of a collection.
public struct GraphPage<Item: Sendable>: Sendable {
  /// The items; a page may have none, although another follows.
  public let items: [Item]
  /// The number of all items, which only the first page has, if it was asked for (`$count`).
  public let count: Int?
  /// The URL of the next page; nil on the last one.
  public let nextLink: GraphPath?
  /// The response.
  public let response: GraphResponse
}

/// The pages of a collection, requested one after the other.
///
/// The link to the next page is used as a whole, and with the header fields of the first request. It
/// must be on the host of the client, as each request must (`GraphClient+URL`).
public struct GraphPages<Item: Sendable>: AsyncSequence, Sendable {
  let client: GraphClient
  let request: GraphRequest
  let pageLimit: Int
  let decode: @Sendable (GraphResponse) throws(GraphError) -> GraphEnvelope<Item>

  /// Requests the pages.
  public struct Iterator: AsyncIteratorProtocol {
    let pages: GraphPages
    private var next: GraphRequest?
    private var trail: PageTrail
    private var count = 0

    init(_ pages: GraphPages) {
      self.pages = pages
      next = pages.request
      trail = PageTrail(pages.request)
    }

    /// Requests the next page; nil after the last one, or when the page limit is reached.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws(GraphError) -> GraphPage<Item>? {
      guard let request = next, count < pages.pageLimit else { return nil }
      count += 1
      let response = try await pages.client.send(request)
      let envelope = try pages.decode(response)
      if let link = envelope.nextLink {
        next = try trail.next(after: request, at: link, in: response)
      } else {
        next = nil
      }
      return GraphPage(
        items: envelope.value, count: envelope.count, nextLink: next?.path, response: response)
    }
  }

  /// Begins with the first page.
  public func makeAsyncIterator() -> Iterator { Iterator(self) }
}

/// The items of a collection, whose pages are requested as they are needed.
public struct GraphItems<Item: Sendable>: AsyncSequence, Sendable {
  let pages: GraphPages<Item>

  /// Requests the pages, and returns their items.
  public struct Iterator: AsyncIteratorProtocol {
    var pages: GraphPages<Item>.Iterator
    var items: ArraySlice<Item> = []

    /// The next item; nil after the last one.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws(GraphError) -> Item? {
      while items.isEmpty {
        guard let page = try await pages.next(isolation: actor) else { return nil }
        items = page.items[...]
      }
      return items.popFirst()
    }
  }

  /// Begins with the first item.
  public func makeAsyncIterator() -> Iterator { Iterator(pages: pages.makeAsyncIterator()) }
}

/// What a collection looks like.
struct GraphEnvelope<Item: Sendable>: Sendable {
  var value: [Item]
  var count: Int?
  var nextLink: String?
  var deltaLink: String?
}

extension GraphEnvelope: Decodable where Item: Decodable {
  enum CodingKeys: String, CodingKey {
    case value
    case count = "@odata.count"
    case nextLink = "@odata.nextLink"
    case deltaLink = "@odata.deltaLink"
  }
}

extension GraphEnvelope<JSON> {
  init(_ response: GraphResponse) throws(GraphError) {
    guard let json = try? response.json(), let items = json["value"]?.array else {
      throw GraphError(invalid: response)
    }
    value = items
    count = json["@odata.count"]?.integer
    nextLink = json["@odata.nextLink"]?.string
    deltaLink = json["@odata.deltaLink"]?.string
  }
}

extension GraphRequest {
  /// The request for the page at `link`, which a page has.
  func following(_ link: String) -> GraphRequest {
    var next = self
    next.path = GraphPath(url: link)
    next.query = []
    return next
  }
}

extension GraphClient {
  /// The pages of a collection.
  ///
  /// - Parameters:
  ///   - request: the request for the first page.
  ///   - type: the type of the items.
  ///   - pageLimit: the number of pages after which it ends.
  public func pages<Item: Decodable & Sendable>(
    _ request: GraphRequest, of type: Item.Type, pageLimit: Int = .max
  ) -> GraphPages<Item> {
    GraphPages(client: self, request: request, pageLimit: pageLimit) {
      response throws(GraphError) in
      try response.decode()
    }
  }

  /// The pages of a collection, whose items are JSON as the server wrote it.
  ///
  /// - Parameters:
  ///   - request: the request for the first page.
  ///   - pageLimit: the number of pages after which it ends.
  public func pages(_ request: GraphRequest, pageLimit: Int = .max) -> GraphPages<JSON> {
    GraphPages(client: self, request: request, pageLimit: pageLimit) {
      response throws(GraphError) in
      try GraphEnvelope<JSON>(response)
    }
  }

  /// The items of a collection, on all of its pages.
  ///
  /// - Parameters:
  ///   - request: the request for the first page.
  ///   - type: the type of the items.
  ///   - pageLimit: the number of pages after which it ends.
  public func items<Item: Decodable & Sendable>(
    _ request: GraphRequest, of type: Item.Type, pageLimit: Int = .max
  ) -> GraphItems<Item> {
    GraphItems(pages: pages(request, of: type, pageLimit: pageLimit))
  }
}
