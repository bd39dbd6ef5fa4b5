import AuthCore
import CurlHTTP
import EntranceKit
import FoundationEssentials
import HTTPTypes
import MicrosoftGraph
import Testing
import TestSupport

@MainActor @Suite("Reports that are saved with a recording")
struct ExplorerReportFilesTests {
  private let folder: TemporaryDirectory
  private let page: Page
  private let model: ExplorerModel

  init() async throws {
    folder = try TemporaryDirectory()
    page = try Page()
    await page.model.callGraph()?.value
    model = ExplorerModel(page.window)
  }

  private var path: String { "\(folder.path)/report.md" }

  private static let body = #"{"displayName":"Grace Hopper","mail":"grace@fabrikam.example"}"#

  private func send(_ address: String = "/users/grace@fabrikam.example") async {
    model.request = ExplorerRequest(.get, address)
    page.authority.next(.api, status: 200, Self.body)
    await model.send()?.value
  }

  private func text(_ name: String) throws -> String {
    String(decoding: try folder.read(name), as: UTF8.self)
  }

  private func urls(_ name: String = "report.har") throws -> [String?] {
    let entries = try JSON(parsing: try folder.read(name))["log"]?["entries"]?.array
    return (entries ?? []).map { $0["request"]?["url"]?.string }
  }

  @Test("A report is Markdown that links to a recording of the request beside it")
  func files() async throws {
    #expect(!model.canSaveReport && model.saveReport(to: path) == nil)
    await send("/me")
    #expect(model.canSaveReport)
    await model.saveReport(to: path)?.value
    #expect(folder.names.sorted() == ["report.har", "report.md"])
    #expect(folder.mode("report.md") == 0o600 && folder.mode("report.har") == 0o600)
    let lines = try text("report.md").split(separator: "\n").map(String.init)
    #expect(lines.first == "GET `https://graph.microsoft.com/v1.0/me`")
    #expect(lines.contains("- Recording: [`report.har`](report.har)"))
    #expect(try urls() == ["https://graph.microsoft.com/v1.0/me"])
    #expect(
      page.toasts == ["Saved as report.md and report.har, without secrets and names"])
    // The recording can be opened.
    await model.openRecording("\(folder.path)/report.har").value
    #expect(model.state.replay != nil)
  }

  @Test("No token, name or address of the account is in either file, in any form")
  func secrets() async throws {
    for isRecorded in [false, true] {
      let recording = "\(folder.path)/session.har"
      if isRecorded { await model.record(to: recording)?.value }
      await send()
      await page.model.callGraph()?.value
      await page.window.recording.stop()?.value
      await model.saveReport(to: path)?.value
      var values = [
        "Grace Hopper", "grace@fabrikam.example", "adele@contoso.example", "Adele Vance",
      ]
      values += page.authority.calls.compactMap {
        $0.request.headerFields[.authorization].map { String($0.dropFirst(7)) }
      }
      #expect(values.count > 5)
      let names = folder.names.filter { $0 != "session.har" }
      #expect(names.count == (isRecorded ? 3 : 2))
      for name in names {
        let text = try text(name)
        for value in values {
          for form in TextForms.all(of: value) where form.count >= 4 {
            #expect(!text.contains(form), "\(value) as \(form) in \(name)")
          }
        }
      }
    }
  }

  @Test("A recording that has the request is attached as a whole: while it goes on, and later")
  func wholeRecording() async throws {
    await send("/me/before")
    await model.record(to: "\(folder.path)/session.har")?.value
    await send("/me")
    await send("/users")
    let expected = ["me", "users"].map { "https://graph.microsoft.com/v1.0/\($0)" }
    await model.saveReport(to: path)?.value
    #expect(try urls() == expected)
    #expect(page.window.recording.text != nil)
    await page.window.recording.stop()?.value
    await model.saveReport(to: path)?.value
    #expect(try urls("report-2.har") == expected)
    // It does not have what is sent after its end.
    await send("/me/messages")
    await model.saveReport(to: path)?.value
    #expect(try urls("report-3.har") == ["https://graph.microsoft.com/v1.0/me/messages"])
  }

  /// The address and the name in the last entry of a recording.
  private func lastEntry(_ file: String) throws -> (url: String, name: String) {
    let entries = try JSON(parsing: try folder.read(file))["log"]?["entries"]?.array
    let entry = try #require(entries?.last)
    let text = try #require(entry["response"]?["content"]?["text"]?.string)
    return (
      try #require(entry["request"]?["url"]?.string),
      try #require(try JSON(parsing: text.utf8)["displayName"]?.string)
    )
  }

  @Test("The same value has the same stand-in in both files, whatever was recorded before")
  func sameStandIns() async throws {
    await model.record(to: "\(folder.path)/session.har")?.value
    for name in ["ada", "grace", "joan"] {
      model.request = ExplorerRequest(.get, "/users/\(name)@fabrikam.example")
      page.authority.next(.api, status: 200, #"{"displayName":"\#(name)"}"#)
      await model.send()?.value
    }
    await model.saveReport(to: path)?.value
    await page.window.recording.stop()?.value
    await model.saveReport(to: "\(folder.path)/later.md")?.value
    for name in ["report", "later"] {
      let entry = try lastEntry("\(name).har")
      let text = try text("\(name).md")
      #expect(text.hasPrefix("GET `\(entry.url)`\n"))
      #expect(text.contains("\"\(entry.name)\"") && entry.name != "name-00001")
    }
  }

  @Test("So it has in a report about an answer of another program's recording")
  func sameStandInsOfForeignRecording() async throws {
    let recording = "\(folder.path)/browser.har"
    let entries = [("users", "Ada"), ("me", "Grace")].map { path, name in
      """
      {"request":{"method":"GET","url":"https://graph.microsoft.com/v1.0/\(path)"},\
      "response":{"status":200,"headers":[{"name":"Content-Type","value":"application/json"}],\
      "content":{"text":"{\\"displayName\\":\\"\(name)\\"}"}}}
      """
    }
    try Data("{\"log\":{\"entries\":[\(entries.joined(separator: ","))]}}".utf8)
      .write(to: URL(filePath: recording))
    await model.openRecording(recording).value
    model.request = ExplorerRequest(.get, "/v1.0/me")
    await model.send()?.value
    await model.saveReport(to: path)?.value
    let name = try lastEntry("report.har").name
    #expect(try text("report.md").contains("\"\(name)\"") && name != "name-00001")
  }

  @Test("A recording that ended before the response is not attached")
  func endedBefore() async throws {
    await model.record(to: "\(folder.path)/session.har")?.value
    await send("/me")
    model.request = ExplorerRequest(.get, "/users")
    page.authority.next(.api) { [recording = page.window.recording] _ in
      await recording.stop()?.value
      return .make(200, "{}")
    }
    await model.send()?.value
    #expect(page.window.recording.text == nil)
    await model.saveReport(to: path)?.value
    #expect(try urls() == ["https://graph.microsoft.com/v1.0/users"])
  }

  @Test("A recording that is gone is not attached")
  func goneRecording() async throws {
    let recording = "\(folder.path)/session.har"
    await model.record(to: recording)?.value
    await send("/me")
    await send("/users")
    await page.window.recording.stop()?.value
    try FileManager.default.removeItem(atPath: recording)
    await model.saveReport(to: path)?.value
    #expect(try urls() == ["https://graph.microsoft.com/v1.0/users"])
  }

  @Test("Of a recording of another program, what is secret is left out, too")
  func foreignRecording() async throws {
    let recording = "\(folder.path)/browser.har"
    try Data(
      """
      {"log":{"entries":[{"time":9223372036854775807,"request":{"method":"GET",\
      "url":"https://graph.microsoft.com/v1.0/me","headers":[{"name":"Authorization",\
      "value":"Bearer foreign-canary"}]},"response":{"status":200,"headers":[\
      {"name":"Content-Type","value":"application/json"},{"name":"Set-Cookie","value":"s=canary"}],\
      "content":{"text":"{\\"displayName\\":\\"Grace Hopper\\"}"}}},{"request":{"method":"GET",\
      "url":"https://graph.microsoft.com/v1.0/me/drive/items/1/content"},"response":{"status":200,\
      "headers":[{"name":"Content-Type","value":"application/json"}],\
      "content":{"text":"{\\"n\\":4711}"}}}]}}
      """.utf8
    ).write(to: URL(filePath: recording))
    await model.openRecording(recording).value
    model.request = ExplorerRequest(.get, "/v1.0/me")
    await model.send()?.value
    #expect(model.answer?.status == 200)
    await model.saveReport(to: path)?.value
    for name in ["report.md", "report.har"] {
      let text = try text(name)
      for secret in ["canary", "Grace", "4711"] { #expect(!text.contains(secret), "\(secret)") }
      #expect(text.contains("displayName"))
    }
    #expect(try urls().count == 2)
  }

  @Test("A recording that is read again is the same")
  func sameAgain() async throws {
    let recording = "\(folder.path)/session.har"
    await model.record(to: recording)?.value
    await send()
    await page.window.recording.stop()?.value
    await model.saveReport(to: path)?.value
    let entries = try ["session.har", "report.har"].map { (name) throws -> [String?] in
      let entry = try JSON(parsing: try folder.read(name))["log"]?["entries"]?.array?.first
      return [
        entry?["request"]?["url"]?.string, entry?["response"]?["content"]?["text"]?.string,
        (entry?["time"]?.integer).map { "\($0)" },
      ]
    }
    #expect(entries[0] == entries[1] && entries[0].allSatisfy { $0 != nil })
  }

  @Test("Nothing that is there is overwritten but what the person was asked about")
  func existing() async throws {
    try folder.write("report.md", "old")
    try folder.write("report.har", "mine")
    await send("/me")
    await model.saveReport(to: path)?.value
    #expect(try text("report.har") == "mine")
    #expect(try text("report.md").contains("[`report-2.har`](report-2.har)"))
    #expect(try urls("report-2.har").count == 1)
  }

  @Test("A failure is said, and leaves neither of the files")
  func failure() async throws {
    await send("/me")
    // A folder cannot be replaced by a file.
    let taken = "\(folder.path)/taken.md"
    try FileManager.default.createDirectory(
      atPath: "\(taken)/x", withIntermediateDirectories: true)
    await model.saveReport(to: taken)?.value
    #expect(folder.names == ["taken.md"])
    #expect(page.toasts.count == 1)
    #expect(page.toasts[0].hasPrefix("The file could not be saved: "))
    await model.saveReport(to: "\(folder.path)/gone/report.md")?.value
    #expect(folder.names == ["taken.md"] && page.toasts.count == 2)
  }

  @Test("The name of a file is no Markdown")
  func names() async throws {
    await send("/me")
    await model.saveReport(to: "\(folder.path)/a](b) `c` ü.md")?.value
    #expect(
      try text("a](b) `c` ü.md").contains(
        "- Recording: [`` a](b) `c` ü.har ``](a%5D%28b%29%20%60c%60%20%C3%BC.har)\n"))
  }
}
