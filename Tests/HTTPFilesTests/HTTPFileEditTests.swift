import HTTPFiles
import Testing

@Suite("Edits of files of requests")
struct HTTPFileEditTests {
  private let text = """
    # Mine\r
    @host = https://h\r
    \r
    ### one \r
    # @name first\r
    get {{host}}/a\r
        ?x=1  \r
    A:  1\r
    # between\r
    B: 2  \r
    \r
    \tbody\r
    # in it\r
    \r
    \r
    ###two\r
    {{host}}/b   HTTP/1.1\r

    """

  private func edited(_ edit: (inout HTTPFile) throws -> Void) throws -> String {
    var file = try HTTPFile(Array(text.utf8))
    try edit(&file)
    return String(decoding: file.bytes, as: UTF8.self)
  }

  @Test("Only what is changed is written")
  func replace() throws {
    #expect(try edited { try $0.replace(0, with: $0.requests[0].content) } == text)
    let address = try edited { file in
      var content = file.requests[1].content
      content.url = "{{host}}/c"
      try file.replace(1, with: content)
    }
    #expect(address == text.replacing("{{host}}/b ", with: "{{host}}/c "))
    let field = try edited { file in
      var content = file.requests[0].content
      content.fields[1].value = "3"
      try file.replace(0, with: content)
    }
    #expect(field == text.replacing("B: 2  ", with: "B: 3"))
    let body = try edited { file in
      var content = file.requests[0].content
      content.body = "one\ntwo"
      try file.replace(0, with: content)
    }
    #expect(body == text.replacing("\tbody", with: "one\r\ntwo"))
  }

  @Test("Fields and bodies come and go")
  func parts() throws {
    let less = try edited { file in
      var content = file.requests[0].content
      content.fields = []
      content.body = ""
      try file.replace(0, with: content)
    }
    #expect(
      less
        == text.replacing("A:  1\r\n", with: "").replacing("B: 2  \r\n", with: "")
        .replacing("\r\n\r\n\tbody", with: ""))
    let more = try edited { file in
      try file.replace(
        1, with: .init(method: "PUT", url: "{{host}}/b", fields: [.init("C", "3")], body: "{}"))
    }
    #expect(
      more
        == text.replacing(
          "{{host}}/b   HTTP/1.1", with: "PUT {{host}}/b   HTTP/1.1\r\nC: 3\r\n\r\n{}"))
  }

  @Test("Requests are added and renamed")
  func list() throws {
    let added = try edited { try $0.append(.init(url: "{{host}}/c"), called: "three") }
    #expect(added == text + "\r\n### three\r\nGET {{host}}/c\r\n")
    let nameless = try edited { try $0.append(.init(url: "{{host}}/c"), called: "") }
    #expect(nameless == text + "\r\n###\r\nGET {{host}}/c\r\n")
    let renamed = try edited {
      try $0.rename(0, to: "1st")
      try $0.rename(1, to: "2nd")
    }
    #expect(
      renamed
        == text.replacing("# @name first", with: "# @name 1st")
        .replacing("###two", with: "### 2nd"))
  }

  @Test(
    "What the file would not say is refused, and nothing changes",
    arguments: [
      HTTPFile.Content(url: "https://h/\nA: b"), .init(url: ""), .init(method: "BREW IT", url: "x"),
      .init(url: "https://h/", fields: [.init("A b", "c")]),
      .init(url: "https://h/", fields: [.init("A", "b\r\nC: d")]),
      .init(url: "https://h/", body: "a\n### b"), .init(url: "https://h/", body: "a\n> {% %}"),
      .init(url: "https://h/", body: "a\n\n"),
    ])
  func refused(content: HTTPFile.Content) throws {
    let same = try edited { file in
      #expect(throws: HTTPFile.EditError.self) { try file.replace(0, with: content) }
      #expect(throws: HTTPFile.EditError.self) { try file.append(content, called: "x") }
    }
    #expect(same == text)
  }

  @Test("In any file, an edit of one request keeps all other bytes", arguments: 0..<300)
  func anyFile(seed: UInt64) throws {
    var random = Numbers(state: seed &+ 1)
    let pieces = [
      "###", "### name", "# @name x", "// comment", "#", "@v = 1", "GET https://h/{{v}}",
      "https://h/ HTTP/1.1", "POST https://h/", "  ?a=b", "&c=d", "A: 1", "B:2", "", "", " ", "{",
      "}", "< file", "> {% %}", "<> x", "text", "ümlaut 🙂", "import x", "HTTP/1.1 200",
    ]
    var text = ""
    for _ in 0..<Int.random(in: 0...40, using: &random) {
      text += pieces.randomElement(using: &random) ?? ""
      text += ["\n", "\n", "\r\n"].randomElement(using: &random) ?? ""
    }
    let file = try HTTPFile(Array(text.utf8))
    #expect(file.bytes == Array(text.utf8))
    for index in file.requests.indices {
      var copy = file
      try copy.replace(index, with: file.requests[index].content)
      #expect(copy == file)
      var content = file.requests[index].content
      content.fields.append(.init("X-New", "1"))
      guard (try? copy.replace(index, with: content)) != nil else { continue }
      // The new line, and nothing else.
      let added = copy.bytes.count - file.bytes.count
      #expect(["\nX-New: 1".utf8.count, "\r\nX-New: 1".utf8.count].contains(added))
      let same = zip(file.bytes, copy.bytes).prefix { $0 == $1 }.count
      #expect(copy.bytes.dropFirst(same + added).elementsEqual(file.bytes.dropFirst(same)))
      try copy.replace(index, with: file.requests[index].content)
      #expect(copy == file)
    }
  }

  /// The same numbers in each run (xorshift).
  private struct Numbers: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return state
    }
  }
}
