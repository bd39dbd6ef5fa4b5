import FoundationEssentials
import HTTPTypes
import Testing

@testable import IdentityEmulator

/// Requests that a service answers with a refusal, whatever is in them.
struct GraphQueryTests {
  /// An emulator with few users, and an administrator of them.
  private func withGraph(
    colleagues: Int = 5, _ body: (Emulator, GraphSession) async throws -> Void
  ) async throws {
    var configuration = EmulatorConfiguration()
    configuration.colleagueCount = colleagues
    try await withEmulator(configuration) { emulator, client in
      let scopes =
        "User.Read.All Group.Read.All Mail.ReadWrite Calendars.ReadWrite Files.ReadWrite "
        + "Sites.Read.All"
      try await body(emulator, try await GraphSession(emulator, client, scopes: scopes))
    }
  }

  /// One request in a batch, and its answer.
  private func batch(_ graph: GraphSession, _ request: String) async throws -> JSON {
    let reply = try await graph(.post, "/$batch", #"{"requests": [\#(request)]}"#)
    return try #require(reply.json["responses"]?.items?.first)
  }

  // MARK: Numbers

  @Test func `Numbers out of any range are answered`() async throws {
    try await withGraph { emulator, graph in
      #expect(try await graph(.get, "/users?$skiptoken=RFNwdA-1").status == 400)

      var fields = HTTPFields()
      fields[named: "Prefer"] = "odata.maxpagesize=\(Int.max)"
      let delta = try await graph(.get, "/users/delta?$skiptoken=1", fields: fields)
      #expect(delta.status == 200 && delta.items.count == 7)
      for token in ["-1", "1-9", "1-", "\(Int.max)-\(Int.max)", "0-0-0"] {
        #expect(try await graph(.get, "/users/delta?$skiptoken=\(token)").status == 400)
      }

      let session = try await graph.session("/me/drive/root:/a")
      let part: HTTPFields = [.contentRange: "bytes 0-\(Int.max)/\(Int.max)"]
      #expect(try await graph(.put, session, "x", fields: part).status == 400)
    }
  }

  // MARK: Sizes

  @Test func `A long or deep query is refused`() async throws {
    try await withGraph { _, graph in
      let terms = Array(repeating: "accountEnabled%20eq%20true", count: 600)
      let filter = try await graph(
        .get, "/users?$filter=\(terms.joined(separator: "%20or%20"))")
      #expect(filter.status == 400 && filter.message.contains("too deeply"))

      let children = String(repeating: "children($expand=", count: 20) + "children"
      let deep = try await graph(
        .get, "/me/drive/root?$expand=\(children)\(String(repeating: ")", count: 20))")
      #expect(deep.status == 400 && deep.message.contains("too deeply"))
      #expect(try await graph(.get, "/me/drive/root?$expand=children,children").status == 400)
      let two = "children($expand=children)"
      #expect(try await graph(.get, "/me/drive/root?$expand=\(two)").status == 200)
    }
  }

  @Test func `The directory expands one level`() async throws {
    try await withGraph { _, graph in
      let nested = try await graph(.get, "/groups?$top=1&$expand=members($expand=manager)")
      #expect(nested.status == 400 && nested.code == "Request_UnsupportedQuery")
      #expect(try await graph(.get, "/groups?$top=1&$expand=members").status == 200)
    }
  }

  // Microsoft Graph, "Advanced query capabilities on Microsoft Entra ID objects": the errors.
  @Test func `The directory searches and counts only with the header field`() async throws {
    try await withGraph { _, graph in
      var fields = HTTPFields()
      fields[named: "ConsistencyLevel"] = "eventual"
      for (path, code) in [
        ("/users?$search=%22displayName:a%22", "Request_UnsupportedQuery"),
        ("/users/$count", "Request_BadRequest"),
      ] {
        let refused = try await graph(.get, path)
        #expect(refused.status == 400 && refused.code == code, "\(path)")
        #expect(try await graph(.get, path, fields: fields).status == 200, "\(path)")
      }
    }
  }

  @Test func `The links to members come in pages`() async throws {
    try await withGraph(colleagues: 120) { _, graph in
      let group = try await graph(.get, "/groups?$filter=displayName%20eq%20'Everyone'").items
      let id = try #require(group.first?["id"]?.string)
      var link: String? = "/groups/\(id)/members/$ref"
      var links: [String] = []
      while let next = link {
        let page = try await graph(.get, next)
        #expect(page.status == 200 && page.items.count <= 100)
        links += page.items.compactMap { $0["@odata.id"]?.string }
        link = page.json["@odata.nextLink"]?.string
      }
      // With the demo users of the organization.
      #expect(links.count == 123 && Set(links).count == 123)
    }
  }

  // MARK: Batches

  // RFC 4648, section 5
  @Test(arguments: ["-__-", "-_8", "-_8=", "+//+"])
  func `The body of a request in a batch is in base64url`(text: String) async throws {
    try await withGraph { emulator, graph in
      let answer = try await batch(
        graph,
        """
        {"id": "1", "method": "PUT", "url": "/me/drive/root:/b:/content", "body": "\(text)",
          "headers": {"Content-Type": "application/octet-stream"}}
        """)
      #expect(answer["status"]?.text == "201")
      let bytes: [UInt8] = text.count == 4 && !text.hasSuffix("=") ? [251, 255, 254] : [251, 255]
      #expect(await emulator.file("b") == Data(bytes))
    }
  }

  @Test func `A request in a batch that cannot be sent is refused`() async throws {
    try await withGraph { emulator, graph in
      let put = #""method": "PUT", "url": "/me/drive/root:/b:/content""#
      let answer = try await batch(graph, #"{"id": "1", \#(put), "body": "a b"}"#)
      #expect(answer["status"]?.text == "400")
      #expect(await emulator.file("b") == nil)

      let headers = (0..<70_000).map { #""h\#($0)": "1""# }.joined(separator: ",")
      let many = try await batch(
        graph, #"{"id": "1", "method": "GET", "url": "/me", "headers": {\#(headers)}}"#)
      #expect(many["status"]?.text == "400")
    }
  }

  // MARK: What is not played

  @Test func `What Graph has and the emulator does not is told`() async throws {
    try await withGraph { _, graph in
      func first(_ path: String) async throws -> String {
        let item = try await graph(.get, "\(path)?$top=1").items.first
        let id = try #require(item?["id"]?.string)
        return "\(path)/\(id)"
      }
      let (message, event) = (try await first("/me/messages"), try await first("/me/events"))
      let group = try await first("/groups")
      for path in [
        "\(message)/reply", "\(message)/createReply", "\(event)/accept",
        "\(group)/members/microsoft.graph.user", "\(group)/members/graph.user",
        "/me/outlook/masterCategories", "/me/calendar/getSchedule",
      ] {
        #expect(try await graph(.post, path, "{}").status == 501, "\(path)")
      }
      for path in [
        "/sites/root/lists", "/me/onenote/pages", "/me/drive/root/createLink", "/unicorns",
        "\(message)/unicorns", "/me/drive/unicorns",
      ] {
        let refused = try await graph(.get, path)
        #expect(refused.status == 501 && refused.code == "notImplemented", "\(path)")
      }
    }
  }
}
