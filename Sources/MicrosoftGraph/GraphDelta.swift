public import AuthCore
import FoundationEssentials
import HTTPTypes

/// A change of a collection.
public enum GraphChange<Item: Sendable>: Sendable {
  /// The item is new, or has these properties now.
  case changed(Item)
  /// The item is gone, or no longer in the collection.
  ///
  /// The reason is `deleted` or `changed`, or the state of an item that was deleted from a drive
  /// (the resource `deleted` of Graph's documentation).
  case removed(id: String, reason: String?)
}

extension GraphChange: Equatable where Item: Equatable {}

extension GraphChange: Decodable where Item: Decodable {
  private enum CodingKeys: String, CodingKey {
    case id, deleted, state
    case removed = "@removed"
  }

  private struct Removal: Decodable {
    var reason: String?
  }

  /// Decodes an item, or its removal.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    if let removal = try container.decodeIfPresent(Removal.self, forKey: .removed) {
      self = .removed(id: try container.decode(String.self, forKey: .id), reason: removal.reason)
    } else if let id = try? container.decode(String.self, forKey: .id),
      let deleted = try? container.nestedContainer(keyedBy: CodingKeys.self, forKey: .deleted)
    {
      let state = try? deleted.decode(String.self, forKey: .state)
      self = .removed(id: id, reason: state ?? "deleted")
    } else {
      self = .changed(try Item(from: decoder))
    }
  }
}

/// Where a delta query has ended: keep it, to ask later for the changes since then.
public struct GraphDeltaToken: Sendable, Hashable, Codable, RawRepresentable {
  /// The link, which can identify the account: keep it like its data.
  public let rawValue: String

  /// A token that was kept.
  public init(rawValue: String) { self.rawValue = rawValue }
}

/// One page of changes.
public struct GraphChanges<Item: Sendable>: Sendable {
  /// The changes, in order; an item can occur several times, and its last state counts.
  public let changes: [GraphChange<Item>]
  /// Whether the service has forgotten the token, and sends everything from here on: what is not
  /// among it is gone.
  public let startsOver: Bool
  /// The token to keep, on the last page only.
  public let token: GraphDeltaToken?
}

/// The changes of a collection, a page at a time.
public struct GraphDelta<Item: Sendable>: AsyncSequence, Sendable {
  let client: GraphClient
  let request: GraphRequest
  let token: GraphDeltaToken?
  let decode: @Sendable (GraphResponse) throws(GraphError) -> GraphEnvelope<GraphChange<Item>>

  /// Requests the pages.
  public struct Iterator: AsyncIteratorProtocol {
    let delta: GraphDelta
    var state: DeltaState

    /// Requests the next page; nil after the one with a token.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws(GraphError) -> GraphChanges<Item>? {
      while let request = state.next {
        do throws(GraphError) {
          let response = try await delta.client.send(request)
          let page = try delta.decode(response)
          let startsOver = state.startsOver
          try state.receive(page.nextLink, page.deltaLink, in: response)
          return GraphChanges(changes: page.value, startsOver: startsOver, token: state.token)
        } catch {
          try state.startOver(after: error)
        }
      }
      return nil
    }
  }

  /// Begins with the changes since the token.
  public func makeAsyncIterator() -> Iterator {
    Iterator(delta: self, state: DeltaState(request, since: token))
  }
}

/// How far a delta query is.
struct DeltaState {
  private let first: GraphRequest
  private var trail: PageTrail
  private var hasStartedOver = false
  /// The request for the next page; nil at the end.
  private(set) var next: GraphRequest?
  /// Whether the next page is the first one of everything, instead of changes.
  private(set) var startsOver = false
  /// The token to keep, at the end.
  private(set) var token: GraphDeltaToken?

  init(_ request: GraphRequest, since token: GraphDeltaToken?) {
    first = request
    let start = token.map { request.following($0.rawValue) } ?? request
    next = start
    trail = PageTrail(start)
  }

  /// Notes the links of a page.
  mutating func receive(
    _ nextLink: String?, _ deltaLink: String?, in response: GraphResponse
  ) throws(GraphError) {
    startsOver = false
    if let nextLink, let request = next {
      next = try trail.next(after: request, at: nextLink, in: response)
    } else {
      next = nil
      token = deltaLink.map(GraphDeltaToken.init)
    }
  }

  /// Begins again when the service has forgotten the token, once; throws any other error.
  ///
  /// Some services say where (`Location`).
  mutating func startOver(after error: GraphError) throws(GraphError) {
    let codes = ["resyncRequired", "syncStateNotFound", "syncStateInvalid"]
    guard !hasStartedOver, error.status == 410 || codes.contains(error.serverCode ?? "") else {
      throw error
    }
    hasStartedOver = true
    startsOver = true
    let start = error.headerFields[.location].map(first.following) ?? first
    next = start
    trail = PageTrail(start)
  }
}

extension GraphClient {
  /// The changes of a collection since `token`; everything without one.
  ///
  /// - Parameters:
  ///   - request: the request for the first page, such as `/users/delta`.
  ///   - type: the type of the items; with a token, an item may have only the properties that were
  ///     changed.
  ///   - token: the token of the last time.
  public func delta<Item: Decodable & Sendable>(
    _ request: GraphRequest, of type: Item.Type, since token: GraphDeltaToken? = nil
  ) -> GraphDelta<Item> {
    GraphDelta(client: self, request: request, token: token) { response throws(GraphError) in
      try response.decode()
    }
  }

  /// The changes of a collection since `token`, whose items are JSON as the server wrote it.
  ///
  /// - Parameters:
  ///   - request: the request for the first page, such as `/users/delta`.
  ///   - token: the token of the last time.
  public func delta(
    _ request: GraphRequest, since token: GraphDeltaToken? = nil
  ) -> GraphDelta<JSON> {
    GraphDelta(client: self, request: request, token: token) { response throws(GraphError) in
      let page = try GraphEnvelope<JSON>(response)
      let changes = try page.value.map { item throws(GraphError) -> GraphChange<JSON> in
        let id = item["id"]?.string
        if let removal = item["@removed"] {
          guard let id else { throw GraphError(invalid: response) }
          return .removed(id: id, reason: removal["reason"]?.string)
        }
        guard let id, let deleted = item["deleted"], deleted.object != nil else {
          return .changed(item)
        }
        return .removed(id: id, reason: deleted["state"]?.string ?? "deleted")
      }
      return GraphEnvelope(
        value: changes, count: page.count, nextLink: page.nextLink, deltaLink: page.deltaLink)
    }
  }
}
