import AuthCore
import CurlHTTP
import FoundationEssentials
import HTTPTypes
import MicrosoftGraph
import Testing

@Suite("Long operations, deprecations and numbers of Microsoft Graph")
struct GraphOperationTests {
  private static let monitor = "https://files.example/monitor/1"

  private static func accepted(_ location: String) -> HTTPReply {
    HTTPReply(202, "{}", [.location: location, .retryAfter: "4"])
  }

  @Test("An accepted operation is asked for until it is done, without the token elsewhere")
  func completion() async throws {
    let api = API([
      Self.accepted(Self.monitor),
      HTTPReply(202, "{\"status\":\"inProgress\",\"percentageComplete\":27.8}"),
      HTTPReply(
        200, "{\"status\":\"completed\",\"resourceId\":\"01MOWKYVJML57KN2ANMBA3JZJS2MBGC7KM\"}"),
    ])
    let sleeps = Sleeps()
    let graph = GraphClient.of(api, sleeps: sleeps)
    let response = try await graph.send(
      GraphRequest(.post, "/me/drive/items/1/copy", body: .json(JSON.object([]))))
    var percentages: [Double] = []
    let last = try await graph.completion(of: response) { percentages.append($0) }
    #expect(try last.json()["resourceId"]?.string == "01MOWKYVJML57KN2ANMBA3JZJS2MBGC7KM")
    #expect(percentages == [27.8])
    #expect(sleeps.all == [.seconds(4), .seconds(2)])
    #expect(api.requests.dropFirst().allSatisfy { $0.headerFields[.authorization] == nil })
  }

  @Test("The state of an operation of Graph itself is asked for with the token")
  func ownHost() async throws {
    let location = "https://graph.microsoft.com/v1.0/teams('1')/operations('2')"
    let api = API([
      Self.accepted(location), HTTPReply(200, "{\"status\":\"running\"}"),
      HTTPReply(200, "{\"status\":\"succeeded\"}"),
    ])
    let graph = GraphClient.of(api)
    _ = try await graph.completion(of: try await graph.get("/x"))
    #expect(api.requests.count == 3)
    #expect(api.requests.allSatisfy { $0.headerFields[.authorization] != nil })
  }

  @Test("An operation that fails is an error with the service's code")
  func failure() async throws {
    let api = API([
      Self.accepted(Self.monitor),
      HTTPReply(
        200,
        "{\"status\":\"failed\",\"error\":{\"code\":\"nameAlreadyExists\",\"message\":\"Name already exists\"}}"
      ),
    ])
    let graph = GraphClient.of(api)
    let response = try await graph.get("/x")
    let error = await #expect(throws: GraphError.self) { try await graph.completion(of: response) }
    #expect(error?.code == .refused && error?.serverCode == "nameAlreadyExists")
  }

  @Test("The state is asked for by its path, as Teams tells it, and with its 303")
  func path() async throws {
    let api = API([
      Self.accepted("/teams('1')/operations('2')"),
      HTTPReply(303, "", [.location: "https://graph.microsoft.com/v1.0/teams('3')"]),
    ])
    let graph = GraphClient.of(api)
    let last = try await graph.completion(of: try await graph.get("/x"))
    #expect(api.requests.map(\.path) == ["/v1.0/x", "/v1.0/teams('1')/operations('2')"])
    #expect(last.status == 303)
    #expect(last.location == "https://graph.microsoft.com/v1.0/teams('3')")
  }

  @Test("A monitor that is busy is asked again, and any pause it asks for is one")
  func pauses() async throws {
    let running = "{\"status\":\"inProgress\"}"
    let api = API([
      Self.accepted(Self.monitor), HTTPReply(503, "", [.retryAfter: "7"]),
      HTTPReply(200, running, [.retryAfter: "0"]),
      HTTPReply(200, running, [.retryAfter: String(repeating: "9", count: 400)]),
      HTTPReply(200, running, [.retryAfter: "-1"]),
      HTTPReply(200, "{\"status\":\"completed\",\"percentageComplete\":1e400}"),
    ])
    let sleeps = Sleeps()
    let graph = GraphClient.of(api, sleeps: sleeps)
    let response = try await graph.get("/x")
    var percentages: [Double] = []
    _ = try await graph.completion(of: response) { percentages.append($0) }
    #expect(sleeps.all == [4, 7, 0.5, 3600, 2].map { .seconds($0) })
    #expect(percentages.isEmpty)
  }

  @Test("An operation that never ends can be canceled")
  func cancellation() async throws {
    let api = API([Self.accepted(Self.monitor), HTTPReply(202, "{\"status\":\"inProgress\"}")])
    let graph = GraphClient.of(api)
    let response = try await graph.get("/x")
    let task = Task { try await graph.completion(of: response) }
    while api.requests.count < 10 { await Task.yield() }
    task.cancel()
    let error = await #expect(throws: GraphError.self) { try await task.value }
    #expect(error?.code == .cancelled)
  }

  @Test("What is done at once is not asked for")
  func done() async throws {
    let api = API([HTTPReply(201)])
    let graph = GraphClient.of(api)
    #expect(try await graph.completion(of: try await graph.get("/x")).status == 201)
    #expect(api.requests.count == 1)
  }

  @Test("A deprecated resource says until when it works, and where to read on")
  func deprecation() async throws {
    let names = try ["Deprecation", "Sunset", "Link"].map { try #require(HTTPField.Name($0)) }
    // The date of RFC 8594, section 3; 2018-12-31T23:59:59Z by GNU date.
    let api = API([
      HTTPReply(
        200, "{}",
        [
          names[0]: "Fri, 11 Nov 2022 23:59:59 GMT", names[1]: "Mon, 31 Dec 2018 23:59:59 GMT",
          names[2]:
            "<https://graph.microsoft.com/v1.0/me/old?$skip=1>; rel=\"next\", <https://developer.microsoft.com/graph/changes>; rel=\"deprecation\"; type=\"text/html\"",
        ]),
      HTTPReply(200),
    ])
    let graph = GraphClient.of(api)
    let deprecation = try #require(try await graph.get("/me/old").deprecation)
    #expect(deprecation.sunset == Date(timeIntervalSince1970: 1_546_300_799))
    #expect(deprecation.link == "https://developer.microsoft.com/graph/changes")
    #expect(try await graph.get("/me").deprecation == nil)
  }

  @Test("Numbers are as the server wrote them, in a batch, too")
  func numbers() async throws {
    let api = API([
      HTTPReply(
        200,
        "{\"responses\":[{\"id\":\"0\",\"status\":200,\"body\":{\"a\":1.0,\"b\":9007199254740993,\"c\":1e400}}]}"
      )
    ])
    let results = try await GraphClient.of(api).batch(["/me"])
    #expect(
      try results[0].get().json().compactText == "{\"a\":1.0,\"b\":9007199254740993,\"c\":1e400}")
  }

  @Test("A response of a batch can have any number of header fields")
  func manyFields() async throws {
    let fields = (0..<80_000).map { "\"a\($0)\":\"b\"" }.joined(separator: ",")
    let api = API([
      HTTPReply(200, "{\"responses\":[{\"id\":\"0\",\"status\":200,\"headers\":{\(fields)}}]}")
    ])
    let results = try await GraphClient.of(api).batch(["/me"])
    #expect(try results[0].get().status == 200)
  }

  @Test("A request of a batch is sent again as often as it would be alone")
  func lateThrottling() async throws {
    func reply(_ statuses: [Int: Int]) -> HTTPReply {
      let parts = statuses.map { "{\"id\":\"\($0.key)\",\"status\":\($0.value)}" }
      return HTTPReply(200, "{\"responses\":[\(parts.joined(separator: ","))]}")
    }
    var first = Dictionary(uniqueKeysWithValues: (0..<20).map { ($0, 200) })
    first[0] = 429
    let api = API([
      reply(first), reply([0: 200, 20: 429]), reply([20: 429]), reply([20: 429]),
      reply([20: 200]),
    ])
    let requests = [GraphRequest](repeating: GraphRequest(.get, "/me"), count: 21)
    let results = try await GraphClient.of(api).batch(requests)
    for result in results { #expect(try result.get().status == 200) }
    #expect(api.requests.count == 5)
  }

  @Test("A batch of sixty thousand requests that are all throttled ends")
  func largeBatch() async throws {
    let ids = 0..<60_000
    let requests = [GraphRequest](repeating: GraphRequest(.get, "/me"), count: ids.count)
    var client = GraphClient.of(API([HTTPReply(200, "{\"responses\":[]}")]))
    client.retry = .never
    let results = try await client.batch(requests)
    #expect(results.count == ids.count)
  }
}
