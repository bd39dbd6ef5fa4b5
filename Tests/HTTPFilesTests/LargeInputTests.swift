import FoundationEssentials
import HTTPFiles
import TestSupport
import Testing

/// No work takes a time that grows with the square of the input's size.
@Suite("Very large files of requests")
struct LargeInputTests {
  private func file(_ text: String) throws -> HTTPFile { try HTTPFile(Array(text.utf8)) }

  @Test("An address of very many flags is read", .timeLimit(.minutes(1)))
  func flags() throws {
    let flags = String(repeating: "\u{1F1E9}\u{1F1EA}", count: 100_000)
    let url = "https://example.com/\(flags)"
    #expect(try file("GET \(url) HTTP/1.1\n").requests.first?.content.url == url)
    // A password may be before the host.
    let imported = try HTTPFileImport(Array("curl https://me:\(flags)@example.com/\n".utf8))
    #expect(imported.file.requests.first?.content.url == "https://example.com/")
  }

  @Test("A letter with very many accents is refused at once", .timeLimit(.minutes(1)))
  func accents() throws {
    // Above and below the letter by turns, so that they have to be sorted.
    func text(_ pairs: Int) -> String { "a" + String(repeating: "\u{301}\u{316}", count: pairs) }
    #expect(throws: Never.self) { try file("@\(text(200)) = 1\n") }
    let long = text(100_000)
    let error = #expect(throws: HTTPFile.Remark.self) { try file("\n@\(long) = 1\n") }
    #expect(error?.line == 2)
    #expect(throws: HTTPFileImport.Failure.self) {
      try HTTPFileImport(Array("curl -H '\(long): 1' https://example.com\n".utf8))
    }
    #expect(HTTPFile.Values.dotenv(Array("\(long)=1\nB=2\n".utf8)) == ["B": "2"])
  }

  @Test("Very many variables of .env are put in", .timeLimit(.minutes(1)))
  func manyVariables() throws {
    let names = (0..<60_000).map { "n\($0)" }
    let lines = names.map { "{{$dotenv \($0)}}" }.joined(separator: "\n")
    let file = try file("POST https://example.com\n\n\(lines)\n")
    let values = HTTPFile.Values(
      dotenv: Dictionary(uniqueKeysWithValues: names.map { ($0, "1") }))
    let request = try #require(file.requests.first)
    let result = try file.resolve(request, values, directory: "/nonexistent")
    #expect(result.body.count == 2 * names.count - 1)
    #expect(result.sources.count == names.count)
  }

  @Test("One token for very many fields is read once", .timeLimit(.minutes(1)))
  func manyTokens() throws {
    let words = String(repeating: " " + String(repeating: "x", count: 50), count: 20_000)
    let fields = String(repeating: "Authorization: Bearer {{token}}\n", count: 1000)
    let file = try file("@token = {{$aadV2Token\(words)}}\nGET https://example.com\n\(fields)")
    let request = try #require(file.requests.first)
    #expect(throws: HTTPFile.Remark.self) {
      try file.resolve(request, HTTPFile.Values(), directory: "/nonexistent")
    }
  }

  @Test("A file that is named very often is not read without end", .timeLimit(.minutes(1)))
  func manyFiles() throws {
    let directory = try TemporaryDirectory()
    // Nothing of it is left.
    let name = String(repeating: "n", count: 10_000)
    try directory.write("part", String(repeating: "{{\(name)}}", count: 100))
    let lines = String(repeating: "<@ part\n", count: 20_000)
    let file = try file("@\(name) =\nPOST https://example.com\n\n\(lines)")
    let request = try #require(file.requests.first)
    #expect(throws: HTTPFile.Remark.self) {
      try file.resolve(request, HTTPFile.Values(), directory: directory.path)
    }
  }

  @Test("Very many fields are removed from a large file", .timeLimit(.minutes(1)))
  func manyFields() async throws {
    try await onOwnThread {
      let fields = String(repeating: "a: b\n", count: 200_000)
      let body = String(repeating: "b", count: 6_500_000)
      var file = try file("POST https://example.com\n\(fields)\n\(body)\n")
      var content = try #require(file.requests.first?.content)
      content.fields = []
      try file.replace(0, with: content)
      #expect(file.bytes.count == 26 + body.utf8.count + 1)
    }
  }

  @Test("A command with very many addresses is not repeated without end", .timeLimit(.minutes(10)))
  func manyAddresses() async {
    await onOwnThread {
      let value = String(repeating: "v", count: 1_000_000)
      let urls = String(repeating: " a.example", count: 9000)
      // No request can have this method.
      #expect(throws: HTTPFileImport.Failure.self) {
        try HTTPFileImport(Array("curl -X FOO -H 'a: \(value)'\(urls)\n".utf8))
      }
    }
  }

  @Test("A folder whose name is one character of any length is read", .timeLimit(.minutes(1)))
  func longCharacter() {
    let name = String(repeating: "\u{1100}", count: 1_500_000)
    let items = String(repeating: "{},", count: 300_000)
    let text = #"{"info": {}, "item": [{"name": "\#(name)", "item": [\#(items){}]}]}"#
    #expect(throws: HTTPFileImport.Failure.self) { try HTTPFileImport(Array(text.utf8)) }
  }

  @Test("The authorization of very many requests is looked for once", .timeLimit(.minutes(4)))
  func manyAuthorizedRequests() async {
    await onOwnThread {
      let members = (0..<100_000).map { #""\#($0)": 0, "# }.joined()
      let items = String(repeating: #"{"request": ""}, "#, count: 100_000)
      let text = """
        {"info": {}, "item": [\(items){}], \(members)"auth": {\(members)"type": "noauth"}}
        """
      #expect(throws: HTTPFileImport.Failure.self) { try HTTPFileImport(Array(text.utf8)) }
    }
  }

  @Test("A variable that is named very often in an address is refused", .timeLimit(.minutes(1)))
  func manyNamesInAddress() async {
    await onOwnThread {
      let path = String(repeating: "/:a", count: 200_000)
      let variable = #"{"key": "a", "value": "\#(String(repeating: "v", count: 200_000))"}"#
      let url = #"{"raw": "https://example.com\#(path)", "variable": [\#(variable)]}"#
      let text = #"{"info": {}, "item": [{"request": {"url": \#(url)}}]}"#
      #expect(throws: HTTPFileImport.Failure.self) { try HTTPFileImport(Array(text.utf8)) }
    }
  }
}
