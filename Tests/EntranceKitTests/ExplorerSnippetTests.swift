import AuthCore
import CurlHTTP
import EntranceKit
import FoundationEssentials
import Glibc
import HTTPFiles
import TestSupport
import Testing

@MainActor @Suite("Copies of a request for other programs")
struct ExplorerSnippetTests {
  private static let body = "{\n  \"subject\": \"It's here\"\n}"

  private func model(_ body: String = Self.body) async throws -> (Page, ExplorerModel) {
    let page = try Page()
    await page.model.callGraph()?.value
    let model = ExplorerModel(page.window)
    model.request = ExplorerRequest(
      .post, "/me/messages?$select='a b'", fields: "Prefer: IdType=\"ImmutableId\"", body: body)
    while model.state.permissions == nil { await Task.yield() }
    return (page, model)
  }

  /// The words that a shell makes of a command.
  private func words(_ command: String, _ name: String) throws -> [String] {
    let script = "\(name)() { printf '%s\\037' \"$@\"; }; TOKEN=t; \(command)"
    let quoted = "'" + script.replacing("'", with: "'\\''") + "'"
    let pipe = try #require(popen("sh -c \(quoted)", "r"))
    defer { pclose(pipe) }
    var bytes: [UInt8] = []
    while case let byte = fgetc(pipe), byte >= 0 { bytes.append(UInt8(byte)) }
    return String(decoding: bytes, as: UTF8.self).split(
      separator: "\u{1F}", omittingEmptySubsequences: false
    ).dropLast().map(String.init)
  }

  private let url = "https://graph.microsoft.com/v1.0/me/messages?$select='a%20b'"

  @Test("A command of curl has the token as a variable, and quotes everything else")
  func curl() async throws {
    let (_, model) = try await model()
    let command = try #require(model.snippet(.curl))
    #expect(command.contains("Bearer $TOKEN") && !command.contains("canary"))
    let words = try words(command, "curl")
    #expect(Array(words.prefix(3)) == ["--request", "POST", url])
    #expect(words.contains("Authorization: Bearer t"))
    #expect(words.contains("Content-Type: application/json"))
    #expect(words.contains("Prefer: IdType=\"ImmutableId\""))
    #expect(Array(words.suffix(2)) == ["--data-raw", Self.body])
  }

  @Test("A command of entrancectl has the app and the method; a body is never taken for a file")
  func entrancectl() async throws {
    let (_, model) = try await model()
    let words = try words(try #require(model.snippet(.entrancectl)), "entrancectl")
    #expect(Array(words.prefix(5)) == ["graph", "--app", "Test", "--method", "POST"])
    #expect(words.last == url && words.contains(Self.body))
    // Nor does it make a POST of a GET.
    model.request.method = .get
    let getWords = try self.words(
      try #require(model.snippet(.entrancectl)), "entrancectl")
    #expect(Array(getWords.prefix(5)) == ["graph", "--app", "Test", "--method", "GET"])
    let (_, file) = try await self.model("@/etc/passwd")
    let command = try #require(file.snippet(.entrancectl))
    #expect(command.hasPrefix("printf %s '@/etc/passwd' | entrancectl graph"))
    #expect(command.contains("--body @-"))
    // Nor is a number for an option.
    let (_, number) = try await self.model("-1")
    let numberWords = try self.words(
      try #require(number.snippet(.entrancectl)), "entrancectl")
    #expect(numberWords.contains("--body=-1"))
  }

  @Test("A request of an .http file is read as the same request")
  func http() async throws {
    let (_, model) = try await model()
    let text = try #require(model.snippet(.http))
    let file = try HTTPFile(Array(text.utf8))
    let content = try #require(file.requests.first?.content)
    #expect(file.requests.count == 1 && file.requests[0].problems.isEmpty)
    #expect(content.method == "POST" && content.url == url && content.body == Self.body)
    #expect(content.fields.contains(.init("Authorization", "Bearer {{$aadV2Token}}")))
    #expect(content.fields.contains(.init("Prefer", "IdType=\"ImmutableId\"")))
  }

  // `Snippets/SentRequest.swift` is compiled with the tests.
  @Test("A function in Swift is compiled")
  func swift() async throws {
    let (_, model) = try await model()
    let path = "\(#filePath)".replacing(
      "ExplorerSnippetTests.swift", with: "Snippets/SentRequest.swift")
    let file = String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
    #expect(model.snippet(.swift) == file)
  }

  @Test("Nothing in a body ends its literal")
  func literals() async throws {
    for body in ["a\"b", "\\(evil)", "\"\"\"\nx", "a\u{0}b", "x\n\\u{41}", "a\tb\n"] {
      let (_, model) = try await model(body)
      let text = try #require(model.snippet(.swift))
      let line = try #require(text.split(separator: "\n").first { $0.contains("let body") })
      let expected = body.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        .replacing("\n", with: "\\n").replacing("\t", with: "\\t")
        .replacing("\u{0}", with: "\\u{0}")
      #expect(line == "  let body = \"\(expected)\"", "\(body)")
    }
  }

  @Test("What cannot be sent cannot be copied")
  func invalid() async throws {
    let (_, model) = try await model()
    model.request.address = "https://evil.example/"
    for kind in ExplorerSnippet.allCases { #expect(model.snippet(kind) == nil) }
  }

  @Test("A body that a file would not send whole is written to none")
  func wholeBody() async throws {
    let body = "# Notes\nOne\n# Two\nThree"
    let (_, model) = try await model(body)
    let directory = try TemporaryDirectory()
    var messages: [String] = []
    let observer = model.messages.add { messages.append($0) }
    defer { withExtendedLifetime(observer) {} }
    #expect(model.save(as: "\(directory.path)/a.http") == nil)
    #expect(messages.count == 1 && messages[0].contains("would not be sent"))
    #expect(directory.names.isEmpty)
    #expect(model.snippet(.http) == nil && model.snippetProblem(.http) == messages[0])
    #expect(model.snippet(.curl)?.contains(body) == true)

    // In a request of a file, such a line is a comment already.
    let path = "\(directory.path)/b.http"
    try Data("PUT https://graph.microsoft.com/v1.0/me\n\n\(body)\n".utf8).write(
      to: URL(filePath: path))
    model.files.open(path)
    await model.files.finishReading()
    model.choose(try #require(model.files.rows.last))
    #expect(model.request.body == body)
    await model.save(as: "\(directory.path)/c.http")?.value
    #expect(directory.names == ["b.http", "c.http"] && messages.count == 2)

    // A line that is typed into it is to be sent.
    model.request.body = "# Notes\nOne\n  # Five\n# Two\nThree"
    while model.state.bodyProblem != messages[0] { await Task.yield() }
    #expect(!model.state.canSend && model.send() == nil && model.save() == nil)
    #expect(messages.count == 3 && messages[2] == messages[0])
    // What is typed for the contents of a file is meant so.
    model.request.body = body + "\n< photo.jpg"
    while model.state.bodyProblem == messages[0] { await Task.yield() }
    await model.save()?.value
    #expect(messages.count == 4 && messages[3] == messages[1])
  }

  @Test("A line separator in a JSON text of a body is no end of a line in a file")
  func lineSeparator() async throws {
    let body = "{\"subject\":\"one\u{2028}two\"}"
    let (_, model) = try await model(body)
    #expect(model.snippet(.http)?.contains(body) == true)
  }
}
