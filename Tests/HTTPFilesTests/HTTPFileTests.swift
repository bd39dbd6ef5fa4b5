import FoundationEssentials
import HTTPFiles
import TestSupport
import Testing

@Suite("Files of requests")
struct HTTPFileTests {
  private func file(_ text: String) throws -> HTTPFile { try HTTPFile(Array(text.utf8)) }

  private func resolved(
    _ text: String, _ values: HTTPFile.Values = HTTPFile.Values(),
    directory: String = "/nonexistent"
  ) throws -> HTTPFile.ResolvedRequest {
    let file = try file(text)
    return try file.resolve(#require(file.requests.first), values, directory: directory)
  }

  /// Why the first request cannot be sent.
  private func remark(
    _ text: String, _ values: HTTPFile.Values = HTTPFile.Values(),
    directory: String = "/nonexistent"
  ) -> HTTPFile.Remark? {
    do throws(HTTPFile.Remark) {
      let file = try HTTPFile(Array(text.utf8))
      _ = try file.resolve(file.requests[0], values, directory: directory)
      return nil
    } catch {
      return error
    }
  }

  // MARK: As editors read it

  // The examples of the REST Client's README, and of the specification of JetBrains.
  @Test("Requests between separators, with their names")
  func requests() throws {
    let file = try file(
      """
      @host = https://graph.microsoft.com

      ### Who I am
      GET {{host}}/v1.0/me HTTP/1.1

      ###
      # @name send
      // to someone
      POST {{host}}/v1.0/me/sendMail
      Content-Type: application/json
      # not now: Prefer: x
      Authorization: Bearer {{$aadV2Token}}

      {"message": {}}

      ### The last one
      https://graph.microsoft.com/v1.0/users
          ?$top=5
          &$select=id
      ###
      """)
    #expect(file.requests.map(\.name) == ["Who I am", "send", "The last one"])
    #expect(file.requests.map(\.content.method) == ["GET", "POST", "GET"])
    #expect(
      file.requests.map(\.content.url) == [
        "{{host}}/v1.0/me", "{{host}}/v1.0/me/sendMail",
        "https://graph.microsoft.com/v1.0/users?$top=5&$select=id",
      ])
    #expect(
      file.requests[1].content.fields == [
        .init("Content-Type", "application/json"), .init("Authorization", "Bearer {{$aadV2Token}}"),
      ])
    #expect(file.requests.map(\.content.body) == ["", #"{"message": {}}"#, ""])
    #expect(file.requests.map(\.line) == [4, 9, 17])
    #expect(file.variables.map(\.name) == ["host"])
    #expect(file.requests.allSatisfy { $0.problems.isEmpty && $0.notes.isEmpty })
    #expect(file.requests(called: "send").map(\.line) == [9])
    #expect(file.requests(called: "3").map(\.line) == [17])
    for name in ["4", "0", "-1", "\(Int.min)", "\(Int.max)"] {
      #expect(file.requests(called: name).isEmpty)
    }
  }

  @Test("Lines that end in CR LF, and a byte order mark, are those of a text")
  func lineEndings() throws {
    let lines = "### a\r\nPOST https://a/b\r\nX-Y: 1\r\n\r\none\r\ntwo\r\n\r\n"
    let file = try HTTPFile([0xEF, 0xBB, 0xBF] + Array(lines.utf8))
    #expect(file.requests.map(\.name) == ["a"])
    #expect(file.requests[0].content.fields == [.init("X-Y", "1")])
    #expect(file.requests[0].content.body == "one\ntwo")
  }

  // REST Client's `CommentIdentifiersRegex`, which it applies to each line: `^\s*(#|\/{2})`.
  @Test("Comments are not sent, also indented ones of the body")
  func comments() throws {
    let request = try resolved(
      "POST https://a/b\n\n# one\n{\n// two\n  // three\n\t# four\n  \"a\": \"#\"\n}\n\n  # end\n")
    #expect(String(decoding: request.body, as: UTF8.self) == "{\n  \"a\": \"#\"\n}")
  }

  @Test(
    "A body is sent whole only if none of its lines means something else in a file",
    arguments: [
      ("", true), ("{\n  \"a\": \"# // < >\"\n}", true), ("<html>\n> quoted\n - #", true),
      ("# Notes\nOne", false), ("a\n  // b", false), ("a\n< other.txt", false),
      ("<@ other.txt", false), ("a\n<> x", false), ("a\n### b", false), ("a\n> {% x %}", false),
      ("{% x %}", false), (">> out.json", false),
    ])
  func wholeBody(body: String, isSentWhole: Bool) throws {
    let content = HTTPFile.Content(method: "PUT", url: "https://a/b", body: body)
    #expect(content.isBodySentWhole == isSentWhole)
    guard isSentWhole else { return }
    var file = try HTTPFile([])
    try file.append(content, called: "x")
    let sent = try file.resolve(file.requests[0], HTTPFile.Values(), directory: "/nonexistent")
    #expect(String(decoding: sent.body, as: UTF8.self) == body)
  }

  @Test("A comment between the lines of an address leaves a part of it out")
  func commentsInAddress() throws {
    let request = try file(
      "GET https://h/x\n    ?a=1\n    # &b=2\n// &c=3\n    &d=4\n# A: 1\nB: 2\n"
    ).requests[0]
    #expect(request.content.url == "https://h/x?a=1&d=4")
    #expect(request.content.fields == [.init("B", "2")])
    #expect(request.problems.isEmpty)
  }

  @Test("A path with the field Host, and an address without a scheme")
  func host() throws {
    #expect(try resolved("GET /me\nHost: a.example").url == "https://a.example/me")
    #expect(try resolved("a.example/me").url == "https://a.example/me")
    #expect(remark("GET /me")?.line == 1)
  }

  @Test("A form on several lines is one line, and the parts of a multipart body end in CR LF")
  func bodies() throws {
    let form = try resolved(
      "POST https://a\nContent-Type: application/x-www-form-urlencoded\n\na=1\n&b=2\n")
    #expect(String(decoding: form.body, as: UTF8.self) == "a=1&b=2")
    let parts = try resolved(
      "POST https://a\nContent-Type: multipart/form-data; boundary=x\n\n--x\nA: b\n\n1\n--x--\n")
    #expect(String(decoding: parts.body, as: UTF8.self) == "--x\r\nA: b\r\n\r\n1\r\n--x--\r\n")
  }

  // The REST Client adds nothing after the last line of a body with files.
  @Test(
    "A file at the end of a body is sent as it is, whatever the type",
    arguments: ["multipart/form-data; boundary=x", "application/x-ndjson", "text/plain"])
  func wholeFile(type: String) throws {
    let directory = try TemporaryDirectory()
    let content = "--x\n\n1\r\n--x--"
    try Data(content.utf8).write(to: URL(filePath: "\(directory.path)/body"))
    func body(_ text: String) throws -> String {
      let request = "POST https://a\nContent-Type: \(type)\n\n\(text)\n\n"
      return String(
        decoding: try resolved(request, directory: directory.path).body, as: UTF8.self)
    }
    #expect(try body("< ./body") == content)
    let newline = type.hasPrefix("multipart") ? "\r\n" : "\n"
    #expect(try body("a\n< ./body") == "a" + newline + content)
    let ending = type == "text/plain" ? "" : newline
    #expect(try body("< ./body\n--x--") == content + newline + "--x--" + ending)
  }

  // MARK: Variables

  @Test("Variables have the values that were given, or those of the file")
  func variables() throws {
    let text = "@a = 1\n@b = {{a}}-{{$dotenv NAME}}\n@n=NAME\nGET https://h/{{b}}/{{ c }}?{{%c}}"
    let values = HTTPFile.Values(given: ["c": "x y"], dotenv: ["NAME": "env"])
    #expect(try resolved(text, values).url == "https://h/1-env/x y?x%20y")
    var other = values
    other.given["a"] = "2"
    #expect(try resolved(text, other).url == "https://h/2-env/x y?x%20y")
    #expect(try resolved(text + "{{$dotenv %n}}", values).url.hasSuffix("env"))
  }

  @Test("System variables")
  func systemVariables() throws {
    // RFC 9110, section 5.6.7
    let values = HTTPFile.Values(
      environment: { ["HOME": "/h"][$0] }, now: { Date(timeIntervalSince1970: 784_111_777) })
    func value(_ text: String) throws -> String {
      String(try resolved("GET https://h/{{\(text)}}", values).url.dropFirst(10))
    }
    #expect(try value("$timestamp") == "784111777")
    #expect(try value("$timestamp -1 d") == "784025377")
    #expect(try value("$datetime rfc1123") == "Sun, 06 Nov 1994 08:49:37 GMT")
    #expect(try value("$datetime iso8601 1 y") == "1995-11-06T08:49:37Z")
    #expect(try value("$processEnv HOME") == "/h")
    #expect(try UUID(uuidString: value("$guid")) != nil)
    #expect(try ["10", "11"].contains(value("$randomInt 10 12")))
    for text in [
      "$timestamp 1", "$timestamp 99999999999 y", "$datetime", "$randomInt 2 1",
      "$processEnv NONE", "$dotenv", "$unknown", "$aadV2Token", "$", "$localDatetime iso8601",
    ] {
      #expect(throws: HTTPFile.Remark.self, "\(text)") { try value(text) }
    }
  }

  @Test("The same new ID is used wherever its variable is")
  func oneID() throws {
    let request = try resolved("@id = {{$guid}}\nPOST https://h/{{id}}\n\n{{id}}")
    #expect(String(decoding: request.body, as: UTF8.self) == request.url.dropFirst(10))
  }

  @Test("A variable without a value, of itself, or without an end, has a line")
  func wrongVariables() {
    #expect(remark("\nGET https://h/{{none}}")?.line == 2)
    #expect(remark("@a = {{b}}\n@b = {{a}}\nGET https://h/{{a}}")?.line == 1)
    var text = "@v0 = 0123456789\n"
    for index in 1...40 { text += "@v\(index) = {{v\(index - 1)}}{{v\(index - 1)}}\n" }
    #expect(remark(text + "GET https://h/{{v40}}") != nil)
    #expect(remark("GET https://h/\nX: {{login.response.body.$.id}}")?.line == 2)
  }

  @Test("Variables can be nested, but not without end")
  func nestedVariables() throws {
    func text(_ depth: Int) -> String {
      (1...depth).map { "@v\($0) = {{v\($0 - 1)}}\n" }.joined()
        + "@v0 = x\nGET https://h/{{v\(depth)}}"
    }
    #expect(try resolved(text(10)).url == "https://h/x")
    let refusal = try #require(remark(text(100_000)))
    #expect("\(refusal.reason)" == "The variables are nested too deeply.")
    // Only one percent sign has a meaning.
    let signs = String(repeating: "%", count: 500_000)
    for name in ["\(signs)v", "$dotenv \(signs)v", "%%v", "$processEnv %%v"] {
      #expect(remark("@v = x\nGET https://h/{{\(name)}}")?.line == 2)
    }
  }

  @Test("Header fields that are too long together are an error with a line")
  func longFields() {
    var text = "@v0 = 0123456789abcdef\n"
    for index in 1...16 { text += "@v\(index) = {{v\(index - 1)}}{{v\(index - 1)}}\n" }
    text += "GET https://h/\n" + String(repeating: "X: {{v16}}\n", count: 2000)
    // 16 MB are 16 values of 1 MB.
    #expect(remark(text)?.line == 18 + 17)
  }

  @Test("The file .env: names, quotation marks and comments")
  func dotenv() {
    let text = "A=1\nexport B = two words # no\n# C=3\nD=\"x # y\"\nE='z'\n=4\nF"
    #expect(
      HTTPFile.Values.dotenv(Array(text.utf8))
        == ["A": "1", "B": "two words", "D": "x # y", "E": "z"])
  }

  // MARK: Tokens

  @Test("A token is asked for, and never in the file")
  func token() throws {
    for text in [
      "Bearer {{$aadV2Token}}", "{{$aadToken}}", "Bearer {{ $aadV2Token new }}",
      "Bearer {{token}}",
    ] {
      let request = try resolved("@token = {{$aadV2Token}}\nGET https://h/\nAuthorization: \(text)")
      #expect(request.usesToken && request.fields.isEmpty, "\(text)")
    }
    let scoped = try resolved(
      "GET https://h/\nAuthorization: Bearer {{$aadV2Token scopes:Mail.Read,User.Read tenantid:x}}")
    #expect(scoped.scopes == ["Mail.Read", "User.Read"] && scoped.notes.map(\.line) == [2])
    for text in ["Bearer eyJhbGciOiJub25lIn0.e30.", "Basic YTpi", "Bearer {{$aadV2Token}} x"] {
      #expect(remark("GET https://h/\nAuthorization: \(text)")?.line == 2, "\(text)")
    }
    #expect(remark("GET https://h/?{{$aadV2Token}}") != nil)
    #expect(try !resolved("GET https://h/").usesToken)
  }

  // MARK: What cannot be done

  @Test(
    "What cannot be done is said, with its line",
    arguments: [
      ("GET https://h/\n\n> {% client.test() %}", 3), ("< {% x\n %}\nGET https://h/", 1),
      ("GET https://h/\n\n> after.js", 3), ("GET https://h/\n\n>> out.json", 3),
      ("GET https://h/\n> {% %}", 2), ("BREW https://h/", 1), ("curl https://h/", 1),
      ("GET https://h/\nno field", 2), ("@x\nGET https://h/", 1),
      ("POST https://h/\nX-Request-Type: GraphQL\n\nquery", 2), ("GET https://h/\n\n{{x}}", 3),
      ("POST https://h/\n\n<@latin1 x", 3),
    ])
  func unsupported(text: String, line: Int) {
    #expect(remark(text)?.line == line)
  }

  @Test("A request that cannot be sent leaves the others alone")
  func others() throws {
    let file = try file("GET https://h/\n\n> {%\n ### \n%}\n### b\nGET https://h/b\n")
    #expect(file.requests.map(\.problems.isEmpty) == [false, true])
  }

  @Test("A line without an effect has a remark")
  func notes() throws {
    let file = try file(
      "import other.http\n###\n# @prompt name\n# @timeout 5\n# @no-redirect\nGET https://h/\n\n<> 1.json"
    )
    #expect(file.notes.map(\.line) == [1])
    #expect(file.requests.first?.notes.map(\.line) == [3, 4, 8])
  }

  @Test("A text in another encoding is an error with its line")
  func encoding() {
    let error = #expect(throws: HTTPFile.Remark.self) {
      try HTTPFile(Array("GET https://h/\n\n".utf8) + [0xE4, 0x0A])
    }
    #expect(error?.line == 3)
    // Half a pair of UTF-16.
    #expect(throws: HTTPFile.Remark.self) { try HTTPFile([0xFF, 0xFE, 0x3D, 0xD8]) }
  }

  // MARK: Files

  @Test("The file of a body is in the folder, and nothing else")
  func files() throws {
    let directory = FileManager.default.temporaryDirectory.path + "/\(UUID().uuidString)"
    try FileManager.default.createDirectory(
      atPath: directory + "/sub", withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let inside = directory + "/sub/body.json"
    // What would be comments in the body itself is sent.
    try Data("# A\n  // {{a}}\n".utf8).write(to: URL(filePath: inside))
    for (name, target) in [("link", inside), ("out", "/etc"), ("device", "/dev/zero")] {
      try FileManager.default.createSymbolicLink(
        atPath: "\(directory)/\(name)", withDestinationPath: target)
    }
    func body(_ line: String) throws -> String {
      let values = HTTPFile.Values(given: ["a": "1"])
      return String(
        decoding: try resolved("PUT https://h/\n\n\(line)\n", values, directory: directory).body,
        as: UTF8.self)
    }
    #expect(try body("< sub/body.json") == "# A\n  // {{a}}\n")
    #expect(try body("< ./sub/body.json") == "# A\n  // {{a}}\n")
    #expect(try body("<@ sub/body.json") == "# A\n  // 1\n")
    // What is a text may be in UTF-16; the bytes of a file are sent as they are.
    let units = "ä{{a}}".utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    let wide: [UInt8] = [0xFE, 0xFF] + units
    try Data(wide).write(to: URL(filePath: directory + "/wide"))
    #expect(try body("<@ wide") == "ä1")
    #expect(try resolved("PUT https://h/\n\n< wide", directory: directory).body == wide)
    for name in ["../x", inside, "sub/../../x", "link", "out/passwd", "device", "sub", "none", "/"]
    {
      #expect(
        remark("PUT https://h/\n\n< \(name)", directory: directory)?.line == 3, "\(name)")
    }
  }

  @Test("A hidden file, and one in a hidden folder, is not sent")
  func hiddenFiles() throws {
    let directory = try TemporaryDirectory()
    try FileManager.default.createDirectory(
      atPath: "\(directory.path)/.ssh", withIntermediateDirectories: false)
    for name in [".env", ".ssh/id", "..x"] {
      try Data("secret".utf8).write(to: URL(filePath: "\(directory.path)/\(name)"))
      for line in ["< \(name)", "<@ ./\(name)"] {
        let refusal = remark("PUT https://h/\n\n\(line)", directory: directory.path)
        #expect(refusal?.line == 3)
        #expect(refusal.map { "\($0.reason)" }?.contains("begins with a dot") == true, "\(name)")
      }
    }
  }

  @Test("Requests from standard input are in no folder")
  func standardInput() throws {
    #expect(HTTPFile.directory(of: "-").isEmpty && HTTPFile.directory(of: "a") == ".")
    let refusal = remark(
      "PUT https://h/\n\n< Package.swift", directory: HTTPFile.directory(of: "-"))
    #expect(refusal.map { "\($0.reason)" }?.contains("standard input") == true)
  }

  @Test("Values of this computer in a request are listed once, by their names")
  func sources() throws {
    let directory = try TemporaryDirectory()
    try Data("{{$env.USER}} {{none}}".utf8).write(to: URL(filePath: "\(directory.path)/a"))
    let values = HTTPFile.Values(
      given: ["none": "x"], dotenv: ["KEY": "k", "OTHER": "o"],
      environment: { ["HOME": "/h", "USER": "u"][$0] })
    let request = try resolved(
      """
      @home = {{$processEnv HOME}}
      @unused = {{$dotenv OTHER}}
      POST https://h/{{home}}?{{home}}
      X-Key: {{%$dotenv KEY}}
      X-Number: {{$guid}}

      <@ a
      < a
      """, values, directory: directory.path)
    #expect(
      request.sources == [
        .environment("HOME"), .dotEnv("KEY"), .file("a"), .environment("USER"),
      ])
    #expect(try resolved("GET https://h/{{none}}", values).sources.isEmpty)
    #expect(directory.names == ["a"])
  }
}
