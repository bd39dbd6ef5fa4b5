import AuthCore
import CurlHTTP
import FoundationEssentials
import HTTPTypes
import MicrosoftGraph

/// An API that returns one response and records requests.
final class API: HTTPTransport {
  private let calls = LockedValue<[(request: HTTPRequest, body: Data)]>([])
  private let answer: @Sendable (_ number: Int) throws(HTTPError) -> HTTPReply

  init(_ answer: @escaping @Sendable () throws(HTTPError) -> HTTPReply) {
    self.answer = { _ throws(HTTPError) in try answer() }
  }

  /// Returns these in order, and then the last one.
  init(_ answers: [HTTPReply]) {
    answer = { answers[min($0, answers.count - 1)] }
  }

  /// Returns or throws these in order, and then the last one.
  init(results: [Result<HTTPReply, HTTPError>]) {
    answer = { number throws(HTTPError) in try results[min(number, results.count - 1)].get() }
  }

  convenience init(_ status: Int, _ body: String, type: String = "application/json") {
    self.init { () throws(HTTPError) in
      HTTPReply(
        response: HTTPResponse(
          status: .init(code: status), headerFields: [.contentType: type]),
        body: Data(body.utf8))
    }
  }

  var requests: [HTTPRequest] { calls.withLock { $0.map(\.request) } }
  var bodies: [Data] { calls.withLock { $0.map(\.body) } }

  func execute(
    _ request: HTTPRequest, body: Data, limits: HTTPLimits
  ) async throws(HTTPError) -> HTTPReply {
    let number = calls.withLock { calls in
      calls.append((request, body))
      return calls.count - 1
    }
    return try answer(number)
  }
}

extension Result<HTTPReply, HTTPError> {
  /// The connection was lost before there was a response.
  static var lost: Self {
    .failure(HTTPError(.connectionLost, host: "h", message: "The connection was lost."))
  }
}

extension HTTPReply {
  /// A reply with JSON.
  init(_ status: Int, _ body: String = "{}", _ fields: HTTPFields = [:]) {
    var fields = fields
    fields[.contentType] = "application/json"
    self.init(
      response: HTTPResponse(status: .init(code: status), headerFields: fields),
      body: Data(body.utf8))
  }
}

/// Gives a new token each time, and records why.
final class Tokens: GraphTokenSource {
  struct Call: Sendable, Equatable {
    var claims: ClaimsRequest?
    var forceRefresh: Bool
  }

  private let list = LockedValue<[Call]>([])
  var calls: [Call] { list.withLock { $0 } }

  func authorization(
    for request: HTTPRequest, claims: ClaimsRequest?, forceRefresh: Bool
  ) async throws -> Secret<String> {
    let count = list.withLock { list in
      list.append(Call(claims: claims, forceRefresh: forceRefresh))
      return list.count
    }
    return Secret("Bearer token-\(count)")
  }
}

/// A clock that records how long it slept, without sleeping.
final class Sleeps: Sendable {
  private let list = LockedValue<[Duration]>([])
  var all: [Duration] { list.withLock { $0 } }
  func sleep(_ pause: Duration) { list.withLock { $0.append(pause) } }
}

extension GraphClient {
  /// A client of `api` that never sleeps, and whose random numbers are in the middle.
  static func of(
    _ api: API, tokens: any GraphTokenSource = Tokens(), sleeps: Sleeps = Sleeps()
  ) -> GraphClient {
    GraphClient(
      tokens: tokens,
      runtime: Runtime(
        randomBytes: { [UInt8](repeating: 0x80, count: $0) },
        newCorrelationID: { "our-id" }, sleep: { sleeps.sleep($0) }, transport: api))
  }
}
