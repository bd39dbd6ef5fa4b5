import AuthCore
import CurlHTTP
import FoundationEssentials
import HTTPTypes
import MicrosoftGraph
import Testing

@Suite("What a recording holds")
struct CassetteRedactionTests {
  /// The file of one exchange, and the same request's reply from it.
  private func record(
    _ url: String, _ reply: HTTPReply, fields: HTTPFields = [:], body: String = "",
    method: HTTPRequest.Method = .get
  ) async throws -> (file: String, again: HTTPReply) {
    let path = FileManager.default.temporaryDirectory.path + "/\(UUID().uuidString).har"
    defer { try? FileManager.default.removeItem(atPath: path) }
    var request = HTTPRequest(url: url, method: method)
    request.headerFields = fields
    let cassette = try Cassette(recordingTo: path, over: API([reply]))
    _ = try await cassette.execute(request, body: Data(body.utf8))
    try cassette.save()
    let file = String(
      decoding: try #require(FileManager.default.contents(atPath: path)), as: UTF8.self)
    let again = try await Cassette(replaying: path).execute(request, body: Data(body.utf8))
    return (file, again)
  }

  @Test("An error keeps its code, and its message without addresses, identifiers and tokens")
  func error() async throws {
    let text = """
      {"error": {"code": "Request_UnsupportedQuery", "message": "adele@contoso.example \
      (1f0c3e9d-7b2a-4c58-9e64-0a5d8b13f7c2) sent eyJhbGciOiJub25lIn0.e30.c2lnbmF0dXJl for Adele.", \
      "innerError": {"displayName": "Adele", "@odata.type": "#microsoft.graph.directoryError"}}}
      """
    let (file, again) = try await record(
      "https://graph.microsoft.com/v1.0/users?$filter=mail eq 'adele@contoso.example'",
      HTTPReply(400, text))
    for word in ["adele", "Adele", "contoso", "1f0c3e9d", "eyJhbGci"] {
      #expect(!file.contains(word), "\(word)")
    }
    let error = try JSON(parsing: again.body)["error"]
    #expect(error?["code"]?.string == "Request_UnsupportedQuery")
    #expect(error?["innerError"]?["@odata.type"]?.string == "#microsoft.graph.directoryError")
    let name = try #require(error?["innerError"]?["displayName"]?.string)
    #expect(error?["message"]?.string?.hasSuffix(" for \(name).") == true)
    #expect(again.response.status == 400)
  }

  @Test("The names in a path, the address of a download, and contents of files are left out")
  func files() async throws {
    let path = "https://graph.microsoft.com/v1.0/me/drive/root:/Plans/Top%20secret.docx:/content"
    let moved = HTTPReply(
      302, "", [.location: "https://contoso.sharepoint.com/Plans/download?tempauth=v1.eyJzaXRlaWQ"])
    let (file, again) = try await record(path, moved)
    for word in ["Plans", "secret.docx", "contoso", "sharepoint", "tempauth=v1", "eyJz"] {
      #expect(!file.contains(word), "\(word)")
    }
    #expect(again.response.headerFields[.location]?.hasPrefix("https://host-") == true)

    var content = HTTPReply(200, "PK-content-of-the-file")
    content.response.headerFields[.contentType] = "application/octet-stream"
    let (second, download) = try await record(
      "https://contoso.sharepoint.com/Plans/download?tempauth=v1", content)
    #expect(!second.contains("PK-content") && !second.contains("contoso"))
    #expect(download.body == Data(count: 22))
  }

  /// Runs `story` with a client that records, and returns the file; then with one that replays it.
  private func session(
    _ replies: [HTTPReply], _ story: (GraphClient) async throws -> Void
  ) async throws -> String {
    let path = FileManager.default.temporaryDirectory.path + "/\(UUID().uuidString).har"
    defer { try? FileManager.default.removeItem(atPath: path) }
    let cassette = try Cassette(recordingTo: path, over: API(replies))
    try await story(GraphClient(tokens: Tokens(), runtime: Runtime(transport: cassette)))
    try cassette.save()
    let file = String(
      decoding: try #require(FileManager.default.contents(atPath: path)), as: UTF8.self)
    let replay = try Cassette(replaying: path)
    try await story(GraphClient(tokens: Tokens(), runtime: Runtime(transport: replay)))
    return file
  }

  @Test("A download is replayed with its redirect, and a file of JSON is left out, too")
  func download() async throws {
    let location = "https://contoso.sharepoint.com/Plans/download?tempauth=v1.eyJzaXRlaWQ"
    let content = #"{"plans": 4711}"#
    let file = try await session([
      HTTPReply(302, "", [.location: location]), HTTPReply(200, content),
    ]) { graph in
      var size = 0
      for try await piece in graph.download("/me/drive/items/1/content") { size += piece.count }
      #expect(size == content.utf8.count)
    }
    for word in ["plans", "4711", "contoso", "tempauth=v1"] {
      #expect(!file.contains(word), "\(word)")
    }
  }

  @Test("The error of a download is recorded, also one that is not read to its end")
  func failedDownload() async throws {
    for padding in ["", String(repeating: " ", count: 100_000)] {
      let body = #"{"error": {"code": "itemNotFound"}}"# + padding
      _ = try await session([HTTPReply(404, body)]) { graph in
        let error = await #expect(throws: GraphError.self) {
          for try await _ in graph.download("/me/drive/items/1/content") {}
        }
        #expect(error?.status == 404 && error?.serverCode == "itemNotFound")
      }
    }
  }

  @Test("The fragments of an upload, and small files, are left out, with their sizes")
  func uploads() async throws {
    let path = FileManager.default.temporaryDirectory.path + "/\(UUID().uuidString).json"
    defer { try? FileManager.default.removeItem(atPath: path) }
    let content = #"{"plans": 4711}"#
    try Data(content.utf8).write(to: URL(filePath: path))
    let session = #"{"uploadUrl": "https://contoso.sharepoint.com/up?tempauth=v1"}"#
    let file = try await self.session([
      HTTPReply(200, session), HTTPReply(201, #"{"size": 15}"#), HTTPReply(201),
      HTTPReply(200, content),
    ]) { graph in
      let item = try await graph.upload(path, to: "/me/drive/root:/a.json:")
      #expect(try item.json()["size"]?.integer == 15)
      let body = GraphBody(Data(content.utf8), contentType: "application/json")
      _ = try await graph.send(GraphRequest(.put, "/me/drive/root:/b.json:/content", body: body))
      _ = try await graph.get("/me/messages/1/attachments/2/$value")
    }
    #expect(!file.contains("plans") && !file.contains("4711"))
    let entries = try JSON(parsing: file.utf8)["log"]?["entries"]?.array ?? []
    #expect(
      entries.map { $0["request"]?["bodySize"]?.integer } == [
        #"{"item":{"@microsoft.graph.conflictBehavior":"fail"}}"#.utf8.count, 15, 15, 0,
      ])
    #expect(entries.last?["response"]?["content"]?["size"]?.integer == 15)
  }

  @Test("Addresses within addresses are no hindrance", arguments: ["?", "#"])
  func nestedAddresses(mark: String) async throws {
    let link = String(repeating: "https://a/\(mark)scope=", count: 200_000 / 17) + "Adele"
    for name in ["webUrl", "scope"] {
      let body = JSON.object([JSON.Member(name, .string(link))]).compactText
      let (file, again) = try await record(
        "https://graph.microsoft.com/v1.0/me", HTTPReply(200, body))
      #expect(!file.contains("Adele"))
      #expect(again.response.status == 200)
    }
  }

  @Test(
    "What people write is replaced as a whole, whatever addresses are in it",
    arguments: [
      "See https://aka.ms/x? Adele resigns Friday",
      "Read https://contoso.sharepoint.com/sites/Layoffs x y", "<https://aka.ms/x?Adele=resigns>",
      "Adele:https://aka.ms/resigns", "Adele://resigns/on?Friday",
      "https://aka.ms/Layoffs?Adele-resigns#Friday", "https://Adele:resigns/",
      "https://localhost:resigns/", "https://graph.microsoft.com/v1.0/me?Adele@resigns",
    ])
  func prose(text: String) async throws {
    let body = JSON.object([JSON.Member("bodyPreview", .string(text))]).compactText
    let (file, _) = try await record(
      "https://graph.microsoft.com/v1.0/me/messages", HTTPReply(200, body))
    for word in ["Adele", "resigns", "Friday", "Layoffs", "contoso", "aka.ms"] {
      #expect(!file.lowercased().contains(word.lowercased()), "\(word)")
    }
  }

  @Test("The names of another host's parameters have stand-ins, and the request is found again")
  func otherParameters() async throws {
    let (file, again) = try await record(
      "https://api.contoso.example/Layoffs?Adele=resigns&$top=5&b=1", HTTPReply(200))
    for word in ["Layoffs", "Adele", "resigns", "contoso"] {
      #expect(!file.contains(word), "\(word)")
    }
    #expect(file.contains("$top=5"))
    #expect(again.response.status == 200)
  }

  @Test("Errors within errors are read once each")
  func nestedErrors() async throws {
    var error = #"{"code": "c", "message": "m"}"#
    for _ in 0..<40 { error = #"{"code": "c", "message": "m", "innerError": \#(error)}"# }
    let (_, again) = try await record(
      "https://graph.microsoft.com/v1.0/me", HTTPReply(400, #"{"error": \#(error)}"#))
    #expect(again.response.status == 400)
  }

  @Test("Each of more than a hundred thousand values has its own stand-in")
  func manyValues() async throws {
    let path = FileManager.default.temporaryDirectory.path + "/\(UUID().uuidString).har"
    defer { try? FileManager.default.removeItem(atPath: path) }
    let users = "https://graph.microsoft.com/v1.0/users"
    let all = (0...100_000).map { "{\"id\":\"u\($0)\"}" }.joined(separator: ",")
    let cassette = try Cassette(
      recordingTo: path,
      over: API([
        HTTPReply(200, "{\"value\":[\(all)]}"),
        HTTPReply(200, #"{"id":"u9999","manager":{"id":"u100000"}}"#),
      ]))
    for url in [users, users + "/u9999"] {
      _ = try await cassette.execute(HTTPRequest(url: url))
    }
    try cassette.save()

    let replay = try Cassette(replaying: path)
    let list = try await JSON(parsing: replay.execute(HTTPRequest(url: users)).body)["value"]
    #expect(Set(list?.array?.compactMap { $0["id"]?.string } ?? []).count == 100_001)
    // The stand-in of one value is the start of another's.
    let user = try await JSON(parsing: replay.execute(HTTPRequest(url: users + "/u9999")).body)
    #expect(user["id"]?.string == "u9999")
    #expect(user["manager"]?["id"]?.string == "id-100001")
  }

  @Test("A recording of thousands of requests ends", .timeLimit(.minutes(5)))
  func longRecording() async throws {
    let path = FileManager.default.temporaryDirectory.path + "/\(UUID().uuidString).har"
    defer { try? FileManager.default.removeItem(atPath: path) }
    let fields: HTTPFields = [
      .cacheControl: "no-store", .date: "Mon, 23 Nov 2026 20:25:57 GMT", .vary: "Accept-Encoding",
      .expires: "0", .retryAfter: "120",
    ]
    let replies = (0..<2000).map { number in
      let names = (0..<20).map { "\"Name \(number) \($0)\"" }.joined(separator: ",")
      return HTTPReply(200, "{\"value\":[\(names)]}", fields)
    }
    let cassette = try Cassette(recordingTo: path, over: API(replies))
    for _ in replies {
      _ = try await cassette.execute(HTTPRequest(url: "https://graph.microsoft.com/v1.0/me"))
    }
    try cassette.save()
    let file = try #require(FileManager.default.contents(atPath: path))
    #expect(try JSON(parsing: file)["log"]?["entries"]?.array?.count == replies.count)
  }

  @Test("A file with any number of header fields can be replayed")
  func manyFields() async throws {
    let path = FileManager.default.temporaryDirectory.path + "/\(UUID().uuidString).har"
    defer { try? FileManager.default.removeItem(atPath: path) }
    let url = "https://graph.microsoft.com/v1.0/me"
    let fields = (0..<80_000).map { "{\"name\":\"a\($0)\",\"value\":\"b\"}" }
      .joined(separator: ",")
    let file = """
      {"log":{"entries":[{"request":{"method":"GET","url":"\(url)","headers":[\(fields)]},\
      "response":{"status":200,"headers":[\(fields)],"content":{"text":"{}"}}}]}}
      """
    try Data(file.utf8).write(to: URL(filePath: path))
    let reply = try await Cassette(replaying: path).execute(HTTPRequest(url: url), body: Data())
    #expect(reply.response.status == 200)
  }

  @Test("A stand-in of another recording that is sent is not taken for the value that has it here")
  func foreignStandIns() async throws {
    let path = FileManager.default.temporaryDirectory.path + "/\(UUID().uuidString).har"
    defer { try? FileManager.default.removeItem(atPath: path) }
    let (users, adele) = ("https://graph.microsoft.com/v1.0/users", "adele@contoso.example")
    let message = "id-00001 is not \(adele): https://www.contoso.example/id-00001/\(adele)"
    let error = "{\"error\": {\"code\": \"x\", \"message\": \"\(message)\"}}"
    let cassette = try Cassette(
      recordingTo: path, over: API([HTTPReply(200, "{}"), HTTPReply(404, error)]))
    for user in [adele, "id-00001"] {
      _ = try await cassette.execute(HTTPRequest(url: "\(users)/\(user)"))
    }
    try cassette.save()
    let file = try #require(FileManager.default.contents(atPath: path))
    let entries = try JSON(parsing: file)["log"]?["entries"]?.array ?? []
    #expect(
      entries.map { $0["request"]?["url"]?.string } == ["\(users)/id-00001", "\(users)/id-00002"])
    let text = entries.last?["response"]?["content"]?["text"]?.string ?? ""
    let said = try JSON(parsing: text.utf8)["error"]?["message"]?.string
    #expect(said == "id-00002 is not id-00001: https://host-00001.example/id-00002/id-00001")
  }

  @Test("Header fields and bodies of requests have stand-ins, too")
  func requests() async throws {
    let (file, again) = try await record(
      "https://graph.microsoft.com/v1.0/me/sendMail", HTTPReply(202, ""),
      fields: [
        .authorization: "Bearer opaque-token", .contentType: "application/json",
        .ifMatch: "W/\"tag-of-mine\"", .cookie: "session=mine",
      ],
      body: #"{"message": {"subject": "Top secret", "code": "x", "isRead": true, "size": 12.50}}"#,
      method: .post)
    for word in ["opaque-token", "tag-of-mine", "session=mine", "Top secret"] {
      #expect(!file.contains(word), "\(word)")
    }
    #expect(file.contains(#"\"isRead\":true,\"size\":12.50"#))
    #expect(again.response.status == 202)
  }

  @Test("The names of members have stand-ins where they are values, the same as elsewhere")
  func memberNames() async throws {
    let user = "1f0c3e9d-7b2a-4c58-9e64-0a5d8b13f7c2"
    let body = """
      {"assignments": {"\(user)": {"assignedBy": {"id": "\(user)"}}}, \
      "references": {"https%3A//contoso%2Esharepoint%2Ecom/Plans": {"alias": "Plans"}}, \
      "details@odata.context": "x", "#microsoft.graph.forward": {}}
      """
    let (file, again) = try await record(
      "https://graph.microsoft.com/v1.0/planner/tasks/1", HTTPReply(200, body))
    for word in ["1f0c3e9d", "contoso", "sharepoint", "Plans"] {
      #expect(!file.contains(word), "\(word)")
    }
    let task = try JSON(parsing: again.body)
    #expect(
      task.object?.map(\.name) == [
        "assignments", "references", "details@odata.context", "#microsoft.graph.forward",
      ])
    let key = try #require(task["assignments"]?.object?.first?.name)
    #expect(task["assignments"]?[key]?["assignedBy"]?["id"]?.string == key)
  }

  @Test("An identifier that is the name of a member is that of the app that replays")
  func memberNamesOfReplay() async throws {
    let path = FileManager.default.temporaryDirectory.path + "/\(UUID().uuidString).har"
    defer { try? FileManager.default.removeItem(atPath: path) }
    func request(_ user: String) -> HTTPRequest {
      HTTPRequest(url: "https://graph.microsoft.com/v1.0/users/\(user)/planner/tasks")
    }
    let recorded = "1f0c3e9d-7b2a-4c58-9e64-0a5d8b13f7c2"
    let own = "7c1b9e02-55d4-4f3a-8a86-c0d2e94f6b31"
    let body = #"{"assignments": {"\#(recorded)": {"assignedBy": "\#(recorded)"}}}"#
    let cassette = try Cassette(recordingTo: path, over: API([HTTPReply(200, body)]))
    _ = try await cassette.execute(request(recorded))
    try cassette.save()
    let reply = try await Cassette(replaying: path).execute(request(own))
    let assignments = try JSON(parsing: reply.body)["assignments"]
    #expect(assignments?.object?.map(\.name) == [own])
    #expect(assignments?[own]?["assignedBy"]?.string == own)
  }

  @Test("A secret that is a number has a stand-in, too")
  func numbers() async throws {
    let body = #"{"password": 123456, "newPassword": 345678, "pin": 4711, "otp": [567890], "n": 1}"#
    let (file, again) = try await record(
      "https://graph.microsoft.com/v1.0/me", HTTPReply(200, body))
    for number in ["123456", "345678", "4711", "567890"] {
      #expect(!file.contains(number), "\(number)")
    }
    #expect(try JSON(parsing: again.body)["n"]?.integer == 1)
  }

  @Test(
    "The segments of Graph's paths are kept, and what people call something is not",
    arguments: [
      ("/sites/root/lists/Salaries/items", "/sites/root/lists/id-00001/items"),
      ("/users/adele/mailFolders/Layoffs", "/users/id-00001/mailFolders/id-00002"),
      ("/me/drive/root/children/$count", "/me/drive/root/children/$count"),
      ("/groups/1/members/microsoft.graph.user", "/groups/id-00001/members/microsoft.graph.user"),
    ])
  func segments(path: String, written: String) async throws {
    let graph = "https://graph.microsoft.com/v1.0"
    let context = #"{"@odata.context": "\#(graph)/$metadata#users(id,displayName)/$entity"}"#
    let (file, again) = try await record(graph + path, HTTPReply(200, context))
    let entry = try JSON(parsing: file.utf8)["log"]?["entries"]?.array?.first
    #expect(entry?["request"]?["url"]?.string == graph + written)
    #expect(again.body == Data(try JSON(parsing: context.utf8).compactText.utf8))
  }

  @Test("What only documents of sign-in services say is kept in them, and nowhere else")
  func documents() async throws {
    let body = #"{"alg": "Grace", "scope": "Layoffs", "code": "Adele", "message": "It is Friday"}"#
    let (file, _) = try await record("https://graph.microsoft.com/v1.0/me", HTTPReply(200, body))
    for word in ["Grace", "Layoffs", "Adele", "Friday"] { #expect(!file.contains(word), "\(word)") }

    let path = FileManager.default.temporaryDirectory.path + "/\(UUID().uuidString).har"
    defer { try? FileManager.default.removeItem(atPath: path) }
    let tokens = #"{"token_type":"Bearer","scope":"openid Mail.Read"}"#
    let cassette = try Cassette(
      recordingTo: path,
      over: API([
        HTTPReply(200, #"{"displayName": "Mail"}"#),
        HTTPReply(200, #"{"token_endpoint": "https://id.contoso.example/connect/token"}"#),
        HTTPReply(200, tokens),
      ]))
    let requests = [
      HTTPRequest(url: "https://graph.microsoft.com/v1.0/me"),
      HTTPRequest(url: "https://id.contoso.example/.well-known/openid-configuration"),
      HTTPRequest(url: "https://id.contoso.example/connect/token", method: .post),
    ]
    for request in requests { _ = try await cassette.execute(request) }
    try cassette.save()
    let replay = try Cassette(replaying: path)
    for request in requests.dropLast() { _ = try await replay.execute(request) }
    #expect(try await replay.execute(requests[2]).body == Data(tokens.utf8))
  }

  @Test("A host, a tenant and a port are those of the app that replays")
  func hosts() async throws {
    let url =
      "https://login.contoso.example:8443/contoso.example/v2.0/.well-known/openid-configuration"
    let (file, again) = try await record(
      url, HTTPReply(200, #"{"issuer": "https://login.contoso.example:8443/contoso.example/v2.0"}"#)
    )
    #expect(!file.contains("contoso"))
    #expect(
      try JSON(parsing: again.body)["issuer"]?.string
        == "https://login.contoso.example:8443/contoso.example/v2.0")
  }
}
