import AuthCore
import CurlHTTP
import EntranceKit
import FoundationEssentials
import HTTPTypes
import MicrosoftGraph
import TestSupport
import Testing

@MainActor @Suite("Reports of an answer, its kind and its text")
struct ExplorerReportTests {
  private func answered(
    _ request: ExplorerRequest, status: Int = 200, type: String = "application/json",
    _ body: Data, preferences: Preferences? = nil
  ) async throws -> (Page, ExplorerModel) {
    let page = try Page(preferences: preferences)
    await page.model.callGraph()?.value
    let model = ExplorerModel(page.window)
    model.request = request
    let requestID = try #require(HTTPField.Name("request-id"))
    page.authority.next(.api) { _ in
      var reply = HTTPReply.make(status, type: type, "")
      reply.response.headerFields.append(
        HTTPField(name: requestID, value: "6b1f0d3e-98a1-4b5e-8a7d-2f6a0f8f1c11"))
      reply.response.headerFields.append(HTTPField(name: .setCookie, value: "session=canary"))
      reply.body = body
      return reply
    }
    await model.send()?.value
    return (page, model)
  }

  private static let body = """
    {"displayName":"Grace Hopper","mail":"grace@fabrikam.example","n":1,\
    "passwordProfile":{"password":"hunter2!"},"secretText":"s3cret",\
    "@microsoft.graph.downloadUrl":"https://files.example/x?tempauth=canary1",\
    "webUrl":"https://files.example/y?sig=canary2","t":"eyJhbGciOi.eyJzdWIiOi.c2ln"}
    """

  private static let secrets = [
    "hunter2!", "s3cret", "canary", "eyJ", "Bearer", "session=",
  ]

  @Test("A HAR is a recording with its time, and without secrets and names")
  func har() async throws {
    let before = Date().addingTimeInterval(-1)
    let request = ExplorerRequest(
      .post, "/users", fields: "Prefer: return=minimal", body: #"{"password":"hunter2!"}"#)
    let (_, model) = try await answered(request, Data(Self.body.utf8))
    let har = try #require(await model.report(.har))
    for secret in Self.secrets + ["Grace", "fabrikam"] {
      #expect(!har.contains(secret), "\(secret)")
    }
    let entry = try #require(try JSON(parsing: har.utf8)["log"]?["entries"]?.array?.first)
    #expect(entry["request"]?["method"]?.string == "POST")
    #expect(entry["request"]?["url"]?.string == "https://graph.microsoft.com/v1.0/users")
    #expect(entry["response"]?["status"]?.integer == 200)
    #expect(entry["time"]?.integer == entry["timings"]?["wait"]?.integer)
    let start = try #require(entry["startedDateTime"]?.string)
    // With milliseconds.
    #expect(start.count == "2026-11-23T20:25:57.123Z".count)
    let date = try Date(String(start.prefix(19)) + "Z", strategy: .iso8601)
    #expect(date >= before.addingTimeInterval(-1) && date <= Date())
    // It can be replayed.
    let files = try TemporaryDirectory()
    try Data(har.utf8).write(to: URL(filePath: "\(files.path)/x.har"))
    let written = HTTPRequest(url: "https://graph.microsoft.com/v1.0/users", method: .post)
    let reply = try await Cassette(replaying: "\(files.path)/x.har")
      .execute(written, body: Data(request.body.utf8))
    #expect(reply.response.status == 200)
  }

  @Test("A report of a later page has the URL of that page")
  func laterPage() async throws {
    let link = "https://graph.microsoft.com/v1.0/users?$skiptoken=2"
    let (page, model) = try await answered(
      ExplorerRequest(.get, "/users"), Data(#"{"value":[],"@odata.nextLink":"\#(link)"}"#.utf8))
    page.authority.next(.api, status: 200, #"{"value":[]}"#)
    await model.sendForNextPage()?.value
    let markdown = try #require(await model.report(.markdown))
    #expect(markdown.hasPrefix("GET `https://graph.microsoft.com/v1.0/users?$skiptoken="))
    let har = try JSON(parsing: try #require(await model.report(.har)).utf8)
    let url = har["log"]?["entries"]?.array?.first?["request"]?["url"]?.string
    #expect(url?.hasPrefix("https://graph.microsoft.com/v1.0/users?$skiptoken=") == true)
  }

  @Test("Markdown has the request, the status, the request ID and the beginning of the answer")
  func markdown() async throws {
    let (_, model) = try await answered(
      ExplorerRequest(.get, "/users/1?$select=mail"), status: 403,
      Data(#"{"error":{"code":"Authorization_RequestDenied","message":"No ``` here"}}"#.utf8))
    let text = try #require(await model.report(.markdown))
    let lines = text.split(separator: "\n").map(String.init)
    #expect(lines.first == "GET `https://graph.microsoft.com/v1.0/users/id-00001?$select=mail`")
    #expect(lines.dropFirst().first == "- Status: 403 Forbidden")
    #expect(lines.contains("- Request ID: `6b1f0d3e-98a1-4b5e-8a7d-2f6a0f8f1c11`"))
    #expect(text.contains(#""code": "Authorization_RequestDenied""#))
    // No run of backquotes in it ends the block.
    #expect(lines.contains("````json") && lines.last == "````")
  }

  @Test("Markdown has no secrets and names, and only the first lines")
  func excerpt() async throws {
    let (_, model) = try await answered(ExplorerRequest(.get, "/me"), Data(Self.body.utf8))
    let text = try #require(await model.report(.markdown))
    for secret in Self.secrets + ["Grace", "fabrikam"] {
      #expect(!text.contains(secret), "\(secret)")
    }
    #expect(text.contains("\"displayName\": \"name-00001\""))
    #expect(text.contains("\"n\": 1"))
    let long = "[\((0..<500).map(String.init).joined(separator: ","))]"
    let (_, other) = try await answered(ExplorerRequest(.get, "/me"), Data(long.utf8))
    let report = try #require(await other.report(.markdown))
    #expect(report.split(separator: "\n").count < 50 && report.hasSuffix("\n…\n```\n"))
  }

  @Test("A text that is not JSON is in no report")
  func text() async throws {
    let (_, model) = try await answered(
      ExplorerRequest(.get, "/me"), type: "text/plain", Data("From Grace".utf8))
    for kind in ExplorerReport.allCases {
      #expect(try #require(await model.report(kind)).contains("Grace") == false)
    }
  }

  @Test("While personal details are hidden, reports have none")
  func hidden() async throws {
    let preferences = Preferences(MemorySettings())
    preferences.hidesPersonalDetails = true
    let (_, model) = try await answered(
      ExplorerRequest(.get, "/users/grace@fabrikam.example"), Data(Self.body.utf8),
      preferences: preferences)
    for kind in ExplorerReport.allCases {
      let text = try #require(await model.report(kind))
      #expect(!text.contains("grace@"), "\(kind)")
    }
  }

  @Test("What was not answered has no report")
  func noAnswer() async throws {
    let page = try Page()
    await page.model.callGraph()?.value
    let model = ExplorerModel(page.window)
    for kind in ExplorerReport.allCases { #expect(await model.report(kind) == nil) }
  }

  // The registry of media types: iana.org/assignments/media-types.
  @Test(
    "What cannot be shown has its kind and size in words",
    arguments: [
      ("application/pdf", "PDF document, 3 B"), ("application/zip", "ZIP archive, 3 B"),
      (
        "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        "Word document, 3 B"
      ),
      ("video/mp4", "Video, 3 B"), ("image/tiff; x=1", "Picture, 3 B"),
      ("application/octet-stream", "Unknown file type, 3 B"),
      ("application/x-own", "application/x-own, 3 B"),
    ])
  func kinds(type: String, text: String) async throws {
    let (_, model) = try await answered(
      ExplorerRequest(.get, "/me"), type: type, Data([0, 1, 0xFF]))
    #expect(model.answer?.content == .other && model.answer?.kindText == text)
  }

  @Test("A document has a first page to show, but not while personal details are hidden")
  func documents() async throws {
    let document = Data("%PDF-1.7\n".utf8)
    for type in ["application/pdf", "application/octet-stream"] {
      let (_, model) = try await answered(ExplorerRequest(.get, "/me"), type: type, document)
      #expect(model.answer?.content == .document && model.answer?.document == document)
      let preferences = Preferences(MemorySettings())
      preferences.hidesPersonalDetails = true
      let (_, hidden) = try await answered(
        ExplorerRequest(.get, "/me"), type: type, document, preferences: preferences)
      #expect(hidden.answer?.content == .other && hidden.answer?.document == nil)
    }
  }

  @Test("A text is shown in the encoding that it has")
  func encodings() async throws {
    for (type, bytes, text) in [
      ("text/plain", Array("é\n".utf8), "é\n"),
      ("text/csv; charset=ISO-8859-1", [0x61, 0xE9, 0x80], "aé€"),
      ("text/html; charset=\"windows-1252\"", [0x93, 0x61, 0x94], "“a”"),
      ("text/plain", [0xFF, 0xFE, 0xE9, 0x00, 0x61, 0x00], "éa"),
      ("text/plain; charset=utf-16", [0x00, 0xE9, 0x00, 0x61], "éa"),
    ] as [(String, [UInt8], String)] {
      let (_, model) = try await answered(ExplorerRequest(.get, "/me"), type: type, Data(bytes))
      #expect(model.answer?.content == .text && model.answer?.raw?.whole == text, "\(type)")
      #expect(model.answer?.body == Data(bytes))
    }
    let (_, model) = try await answered(
      ExplorerRequest(.get, "/me"), type: "text/plain", Data([0xE9, 0x61]))
    #expect(model.answer?.content == .other)
  }

  @Test("A text keeps lines and columns, and shows characters that act instead of being seen")
  func visibleText() async throws {
    let (_, model) = try await answered(
      ExplorerRequest(.get, "/me"), type: "text/csv",
      Data("a\tb\r\né\u{202E}\tc\r\n\r\n\td".utf8))
    #expect(model.answer?.raw?.whole == "a\tb\né\\u{202e}\tc\n\n\td")
  }

  @Test("A text in another encoding is not shown while personal details are hidden")
  func hiddenText() async throws {
    let preferences = Preferences(MemorySettings())
    preferences.hidesPersonalDetails = true
    let (_, model) = try await answered(
      ExplorerRequest(.get, "/me"), type: "text/plain; charset=iso-8859-1",
      Data([0xE9, 0x20] + Array("grace@fabrikam.example".utf8)), preferences: preferences)
    #expect(model.answer?.content == .other && model.answer?.raw == nil)
  }
}
