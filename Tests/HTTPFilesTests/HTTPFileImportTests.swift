import HTTPFiles
import Sentences
import Testing

@Suite("Requests of other programs")
struct HTTPFileImportTests {
  private func imported(_ text: String) throws -> HTTPFileImport {
    try HTTPFileImport(Array(text.utf8))
  }

  /// The only request of an import.
  private func content(_ text: String) throws -> HTTPFile.Content {
    let requests = try imported(text).file.requests
    try #require(requests.count == 1)
    return requests[0].content
  }

  private func failure(_ text: String) -> HTTPFileImport.Failure? {
    do throws(HTTPFileImport.Failure) {
      _ = try HTTPFileImport(Array(text.utf8))
      return nil
    } catch {
      return error
    }
  }

  private static let token = HTTPFile.Field("Authorization", "Bearer {{$aadV2Token}}")
  private static let form = HTTPFile.Field("Content-Type", "application/x-www-form-urlencoded")

  @Test("A header field with a secret is recognized by its name or its value")
  func secretFields() {
    let secrets = [
      ("Authorization", "Basic a"), ("proxy-authorization", "a"), ("Cookie", "a=b"),
      ("Set-Cookie", "a=b"), ("X-Api-Key", "a"), ("Ocp-Apim-Subscription-Key", "a"),
      ("X-Auth-Token", "a"), ("X-Query", "client_secret=a"),
      ("X-Value", "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhIn0.c2ln"),
    ]
    let others = [
      ("Prefer", "return=minimal"), ("ConsistencyLevel", "eventual"), ("If-Match", "W/\"1\""),
      ("Content-Type", "application/json"), ("X-Empty", ""),
    ]
    #expect(secrets.filter { !HTTPFile.Field($0.0, $0.1).isSecret }.map { $0.0 } == [])
    #expect(others.filter { HTTPFile.Field($0.0, $0.1).isSecret }.map { $0.0 } == [])
  }

  // MARK: curl

  // Commands and what they send are those of curl's manual page and "Everything curl".
  @Test(
    "curl's options mean what its manual says",
    arguments: [
      ("curl https://curl.se", "GET", "https://curl.se", ""),
      ("curl -I https://curl.se", "HEAD", "https://curl.se", ""),
      ("curl -X DELETE https://curl.se/x", "DELETE", "https://curl.se/x", ""),
      ("curl -XPUT --url https://curl.se/x", "PUT", "https://curl.se/x", ""),
      (
        "curl -d name=daniel -d skill=lousy https://a.b", "POST", "https://a.b",
        "name=daniel&skill=lousy"
      ),
      ("curl --data-raw '@at@at@' https://a.b", "POST", "https://a.b", "@at@at@"),
      ("curl -G -d q=kitties -d n=2 https://a.b/x", "GET", "https://a.b/x?q=kitties&n=2", ""),
      ("curl -G -d a=1 'https://a.b/x?c=2'", "GET", "https://a.b/x?c=2&a=1", ""),
      (
        "curl --url-query '+$filter=a%20eq%20b' --url-query 'q=a b' https://a.b/x", "GET",
        "https://a.b/x?$filter=a%20eq%20b&q=a%20b", ""
      ),
      ("curl --data-urlencode 'name=a b&c' https://a.b", "POST", "https://a.b", "name=a%20b%26c"),
      ("curl --data-urlencode '=a b' https://a.b", "POST", "https://a.b", "a%20b"),
      ("curl -d @data.json https://a.b", "POST", "https://a.b", "< data.json"),
      ("curl -T a.bin https://a.b/f", "PUT", "https://a.b/f", "< a.bin"),
      ("curl --json '{\"a\":' --json '1}' https://a.b", "POST", "https://a.b", "{\"a\":1}"),
      ("curl -sSL -o out --compressed -- https://a.b", "GET", "https://a.b", ""),
      ("curl a.b/c#part", "GET", "https://a.b/c", ""),
    ])
  func options(command: String, method: String, url: String, body: String) throws {
    let content = try content(command)
    #expect(content.method == method)
    #expect(content.url == url)
    #expect(content.body == body)
  }

  @Test("Header fields are given, removed, and set by options")
  func fields() throws {
    // "Host:" removes a field of curl's own, and "X-Custom-Header;" has no value.
    let content = try content(
      """
      curl -H 'X-First-Name: Joe' -H 'User-Agent:' -H 'X-Custom-Header;' -A Agent/1 \\
        -e 'https://a.b;auto' -r 0-99 https://curl.se
      """)
    #expect(
      content.fields == [
        HTTPFile.Field("X-First-Name", "Joe"), HTTPFile.Field("X-Custom-Header", ""),
        HTTPFile.Field("Referer", "https://a.b"), HTTPFile.Field("Range", "bytes=0-99"),
      ])
    #expect(try self.content("curl -d a=1 https://a.b").fields == [Self.form])
    #expect(
      try self.content("curl --json {} https://a.b").fields == [
        HTTPFile.Field("Content-Type", "application/json"),
        HTTPFile.Field("Accept", "application/json"),
      ])
  }

  @Test("A command of entrancectl is imported, too")
  func entrancectl() throws {
    let content = try content(
      """
      entrancectl graph --app 'My App' \\
        --account adele@contoso.example \\
        --method PATCH \\
        --header 'Prefer: return=minimal' --body '{"a":1}' \\
        'https://graph.microsoft.com/v1.0/me?$select=id'
      """)
    #expect(content.method == "PATCH" && content.body == "{\"a\":1}")
    #expect(content.url == "https://graph.microsoft.com/v1.0/me?$select=id")
    #expect(
      content.fields == [
        Self.token, HTTPFile.Field("Prefer", "return=minimal"),
        HTTPFile.Field("Content-Type", "application/json"),
      ])
    let path = try self.content("entrancectl graph /beta/me --query '$filter=a eq b'")
    #expect(path.method == "GET" && path.fields == [Self.token])
    #expect(path.url == "https://graph.microsoft.com/beta/me?$filter=a%20eq%20b")
    let text = try self.content("entrancectl graph me/x --body=-1 -H 'Content-Type: text/plain'")
    #expect(text.method == "POST" && text.body == "-1")
    #expect(text.url == "https://graph.microsoft.com/v1.0/me/x")
    #expect(text.fields.last == HTTPFile.Field("Content-Type", "text/plain"))
    #expect(failure("entrancectl token --app x") != nil)
    #expect(failure("entrancectl graph batch x.json") != nil)
  }

  // POSIX, "Shell Command Language", 2.2 Quoting, and $'…' of POSIX.1-2024.
  @Test("Words are quoted as for a shell")
  func quoting() throws {
    let body = try content(
      #"curl https://a.b --data-raw 'a"b'\''c'"d'\"\$x\\ \n"$'\u0021\x41\101\t\'\n'e\ f"#
    ).body
    #expect(body == "a\"b'c" + "d'\"$x\\ \\n" + "!AA\t'\ne f")
    // No scalars: the largest number, and half of a pair. Bash takes the others as they are.
    #expect(
      try content(#"curl https://a.b --data-raw $'\UFFFFFFFF\uD800\u\xg'"#).body
        == "\u{FFFD}\u{FFFD}" + #"\u\xg"#)
    #expect(try content("curl \\\n  https://a.b \\\r\n  -X POST # a comment\n").method == "POST")
    let file = try imported("curl https://a.b/1;\ncurl https://a.b/2 | jq .\n$ curl https://a.b/2")
    #expect(file.file.requests.map(\.name) == ["GET a.b/1", "GET a.b/2", "GET a.b/2 2"])
    #expect(file.remarks.map { "\($0)" } == ["“jq” is left out: it is not a curl command."])
    let variables = try imported("curl \"https://a.b/${ID}/$NAME?$select=id\" > out.json 2>&1")
    #expect(
      variables.file.requests.map(\.content.url) == ["https://a.b/{{ID}}/{{NAME}}?$select=id"])
  }

  @Test(
    "A command that cannot be imported says where and why",
    arguments: [
      ("curl -s -u a:b https://a.b", 1, 9, "password"),
      ("curl \\\n  'https://a.b", 2, 3, "not closed"),
      ("curl https://a.b -H \"X: $(date)\"", 1, 25, "within the command"),
      ("curl https://a.b -F a=1", 1, 18, "parts"),
      ("curl https://a.b --nonsense", 1, 18, "“--nonsense”"),
      ("curl https://a.b -d", 1, 18, "needs a value"),
      ("curl -s", 1, 6, "no address"),
    ])
  func refusals(command: String, line: Int, column: Int, reason: String) throws {
    let failure = try #require(self.failure(command))
    #expect(failure.line == line)
    #expect(failure.column == column)
    #expect("\(failure.reason)".contains(reason))
  }

  // MARK: Secrets

  @Test(
    "Secrets are not imported",
    arguments: [
      "curl https://a.b -H 'Authorization: Bearer s3cret'",
      "curl https://a.b -H 'authorization: Basic s3cret'",
      "curl https://a.b --oauth2-bearer s3cret",
      "curl https://a.b -b 'session=s3cret'",
      "curl https://a.b -H 'Cookie: session=s3cret' -H 'X-Api-Key: s3cret'",
      "curl https://a.b -H 'x-functions-key: s3cret' -H 'aeg-sas-key: s3cret'",
      "curl https://a.b -H 'Ocp-Apim-Subscription-Key: s3cret' -H 'api-key: s3cret'",
      "curl https://a.b -H 'X-Auth-Key: s3cret' -H 'X-ZUMO-AUTH: s3cret'",
      "curl https://a.b -d 'AccountName=x;AccountKey=s3cret;SharedAccessKey=s3cret'",
      "curl https://a.b --json '{\"primaryAccessKey\": \"s3cret\", \"accountKey\": \"s3cret\"}'",
      "curl 'https://me:s3cret@a.b/x'",
      "curl 'https://a.b/x?access_token=s3cret&a=1'",
      "curl 'https://a.b/x?client%5Fsecret=s3cret'",
      "curl -k 'https://a.b/x#access_token=s3cret'",
      "curl https://a.b -d 'grant_type=x&client_secret=s3cret'",
      "curl https://a.b -d code=s3cret -d refresh_token=s3cret",
      "curl https://a.b --json '{\"passwordProfile\": {\"password\": \"s3cret\"}}'",
      "curl https://a.b --json '{\"clientSecret\" : \"s3cret \\\" s3cret\"}'",
      "curl https://a.b -d '\"{\\\"client_secret\\\":\\\"s3cret\\\"}\"'",
      "curl https://a.b -d '%7B%22password%22%3A%22s3cret+s3cret%22%7D'",
      "curl https://a.b -d '<password>s3cret; s3cret</password>'",
      "curl https://a.b -H 'X: eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJzM2NyZXQifQ.s3cret'",
    ])
  func secrets(command: String) throws {
    let imported = try imported(command)
    #expect(imported.file.requests.count == 1)
    #expect(!String(decoding: imported.file.bytes, as: UTF8.self).contains("s3cret"))
    #expect(!imported.remarks.contains { "\($0)".contains("s3cret") })
    let hasToken = imported.file.requests[0].content.fields.contains(Self.token)
    #expect(hasToken || !imported.remarks.isEmpty, "what is left out is said")
  }

  @Test("A value that only looks like a secret is imported")
  func noSecrets() throws {
    let url = "https://a.b/x?$skiptoken=abc&token_type=x&$select=displayName"
    let body =
      #"{"code": "1", "hasPassword": true, "password": "{{mine}}", "token": null, "#
      + #""partitionKey": "a", "key": "b"}"#
    let imported = try imported("curl '\(url)' --json '\(body)'")
    #expect(imported.file.requests[0].content.url == url)
    #expect(imported.file.requests[0].content.body == body)
    #expect(imported.remarks.isEmpty)
  }

  @Test("An imported request cannot read files or the environment")
  func otherFiles() throws {
    let body = try imported("curl https://a.b --data-raw '< ./.env'")
    #expect(body.file.requests[0].content.body.isEmpty)
    #expect(
      body.remarks.map { "\($0)" } == [
        "POST a.b: the body is left out. It cannot be written in a file."
      ])
    #expect(failure("curl 'https://a.b/{{$processEnv HOME}}'") != nil)
  }

  // MARK: Postman

  // https://schema.postman.com/collection/json/v2.1.0/draft-07/collection.json
  @Test("A Postman collection with folders, variables and bodies")
  func postman() throws {
    let imported = try imported(
      #"""
      {"info": {"name": "Graph",
        "schema": "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"},
       "auth": {"type": "oauth2"},
       "variable": [{"key": "base", "value": "https://graph.microsoft.com/v1.0"},
                    {"key": "clientSecret", "value": "s3cret"},
                    {"key": "off", "value": "1", "disabled": true}],
       "item": [
        {"name": "Mail", "item": [{"name": "Send",
          "event": [{"listen": "test", "script": {"exec": ["pm.test()"]}}],
          "request": {"method": "POST",
           "header": [{"key": "Prefer", "value": "x"}, {"key": "Off", "value": "1", "disabled": true}],
           "body": {"mode": "raw", "raw": "{\r\n  \"a\": {{a}}\r\n}",
             "options": {"raw": {"language": "json"}}},
           "url": {"raw": "{{base}}/users/:id/sendMail?a=1&b=2",
             "query": [{"key": "a", "value": "1"}, {"key": "b", "value": "2", "disabled": true}],
             "variable": [{"key": "id", "value": "adele"}]}}}]},
        {"name": "Form", "request": {"method": "POST", "auth": {"type": "noauth"},
          "url": {"protocol": "https", "host": ["a", "example"], "path": ["x", "y"]},
          "body": {"mode": "urlencoded", "urlencoded": [
            {"key": "a b", "value": "{{c}} d"}, {"key": "e", "value": "f", "disabled": true}]}}},
        {"name": "Short", "request": "https://a.example"}]}
      """#)
    #expect(imported.source == .postman)
    #expect(imported.file.variables.map(\.name) == ["base"])
    #expect(imported.file.requests.map(\.name) == ["Mail / Send", "Form", "Short"])
    let contents = imported.file.requests.map(\.content)
    #expect(contents[0].url == "{{base}}/users/adele/sendMail?a=1")
    #expect(
      contents[0].fields == [
        Self.token, HTTPFile.Field("Prefer", "x"),
        HTTPFile.Field("Content-Type", "application/json"),
      ])
    #expect(contents[0].body == "{\n  \"a\": {{a}}\n}")
    #expect(contents[1].url == "https://a.example/x/y" && contents[1].fields == [Self.form])
    #expect(contents[1].body == "a%20b={{c}}%20d")
    #expect(contents[2] == HTTPFile.Content(url: "https://a.example", fields: [Self.token]))
    #expect(imported.remarks.count == 2)
    #expect("\(imported.remarks[0])".contains("“clientSecret”"))
    #expect(imported.remarks[1] == Sentence("Scripts are left out."))
  }

  // MARK: HAR

  // http://www.softwareishard.com/blog/har-12-spec/
  @Test("The requests of a HAR file")
  func har() throws {
    let imported = try imported(
      #"""
      {"log": {"version": "1.2", "creator": {"name": "Firefox", "version": "1"}, "entries": [
        {"request": {"method": "GET", "url": "https://graph.microsoft.com/v1.0/me?a=1",
          "httpVersion": "HTTP/2", "cookies": [{"name": "s", "value": "s3cret"}],
          "headers": [{"name": ":authority", "value": "graph.microsoft.com"},
            {"name": "Host", "value": "graph.microsoft.com"}, {"name": "Accept", "value": "*/*"},
            {"name": "authorization", "value": "Bearer s3cret"}],
          "queryString": [{"name": "a", "value": "1"}]}, "response": {}},
        {"request": {"method": "POST", "url": "https://a.example/form", "headers": [],
          "postData": {"mimeType": "application/x-www-form-urlencoded",
            "params": [{"name": "a", "value": "b c"}]}}},
        {"request": {"method": "GET", "url": "data:text/plain,x", "headers": []}},
        {"request": {"method": "SEARCH", "url": "https://a.example/", "headers": []}}]}}
      """#)
    #expect(imported.source == .har)
    #expect(
      imported.file.requests.map(\.name) == [
        "GET graph.microsoft.com/v1.0/me", "POST a.example/form",
      ])
    let contents = imported.file.requests.map(\.content)
    #expect(contents[0].fields == [HTTPFile.Field("Accept", "*/*"), Self.token])
    #expect(contents[1].body == "a=b+c" && contents[1].fields == [Self.form])
    #expect(
      imported.remarks.map { "\($0)" } == [
        "Entry 3 is left out: its address does not begin with “https”.",
        "SEARCH a.example/ is left out: “SEARCH” is not a method that can be sent.",
      ])
  }

  // MARK: Graph Explorer

  // The schema is tests/samples.schema.json of microsoftgraph/microsoft-graph-devx-content.
  @Test("The samples of Graph Explorer", arguments: ["SampleQueries", "sampleQueries"])
  func graphExplorer(list: String) throws {
    let imported = try imported(
      #"""
      {"\#(list)": [
        {"id": "0d5b1c0e-5c0f-4a53-9f0e-0b1f7a3a2c11", "category": "Users", "method": "GET",
          "humanName": "who I am", "requestUrl": "/v1.0/me?$select=displayName, mail",
          "docLink": "https://learn.microsoft.com/graph/api/user-get", "skipTest": false},
        {"id": "5b8f3f57-1b57-4a77-8f0c-3b7d8a6f2d22", "category": "OneNote", "method": "POST",
          "humanName": "new section",
          "requestUrl": "/beta/me/onenote/notebooks/{notebook-id}/sections",
          "docLink": "https://learn.microsoft.com/graph/api/notebook-post-sections",
          "headers": [{"name": "Content-type", "value": "application/json"},
            {"name": "If-Match", "value": "{if-match}"}],
          "postBody": "{\r\n  \"displayName\": \"Ideas\"\r\n}", "tip": "Fill in the ID."},
        {"category": "Users", "method": "POST", "humanName": "new user", "headers": null,
          "requestUrl": "https://graph.microsoft.com/v1.0/users",
          "postBody": "{\"passwordProfile\": {\"password\": \"s3cret\"}}"},
        {"category": "Users", "humanName": "who I am",
          "requestUrl": "/v1.0/sites?$filter=webUrl eq 'https://a.example'"},
        {"category": "Users", "method": "GET", "humanName": "elsewhere",
          "requestUrl": "ftp://a.example/x"},
        {"category": "Users", "method": "GET", "humanName": "nothing"}]}
      """#)
    #expect(imported.source == .graphExplorer)
    #expect(
      imported.file.requests.map(\.name) == [
        "Users / who I am", "OneNote / new section", "Users / new user", "Users / who I am 2",
      ])
    let graph = "https://graph.microsoft.com"
    let contents = imported.file.requests.map(\.content)
    #expect(
      contents[0]
        == HTTPFile.Content(
          url: "\(graph)/v1.0/me?$select=displayName,%20mail", fields: [Self.token]))
    #expect(
      contents[1]
        == HTTPFile.Content(
          method: "POST", url: "\(graph)/beta/me/onenote/notebooks/{notebook-id}/sections",
          fields: [
            Self.token, HTTPFile.Field("Content-type", "application/json"),
            HTTPFile.Field("If-Match", "{if-match}"),
          ], body: "{\n  \"displayName\": \"Ideas\"\n}"))
    #expect(
      contents[2]
        == HTTPFile.Content(
          method: "POST", url: "\(graph)/v1.0/users",
          fields: [Self.token, HTTPFile.Field("Content-Type", "application/json")],
          body: #"{"passwordProfile": {"password": "{{password}}"}}"#))
    #expect(contents[3].url == "\(graph)/v1.0/sites?$filter=webUrl%20eq%20'https://a.example'")
    #expect(
      imported.remarks.map { "\($0)" } == [
        "Users / new user: a secret is left out. Define “@password = value” in the file.",
        "Entry 5 is left out: its address does not begin with “https”.",
        "Entry 6 is left out: it has no request.",
      ])
  }

  // MARK: Anything else

  @Test(
    "A file of no known kind is rejected",
    arguments: [
      "", "GET https://a.b\n", "{}", "[]", "it's a text", #"{"requests": [], "order": []}"#,
      #"{"log": {"entries": []}}"#, "\u{0}", #"{"SampleQueries": []}"#,
    ])
  func unknown(text: String) {
    #expect(failure(text) != nil)
  }

  @Test("An error in JSON has its place")
  func place() throws {
    let failure = try #require(self.failure("{\n  \"log\": }"))
    #expect(failure.line == 2 && failure.column == 10)
  }

  @Test("Nothing takes too long or too much memory")
  func limits() throws {
    #expect(failure("curl" + String(repeating: " a.b", count: 10_001)) != nil)
    #expect(failure(String(repeating: " ", count: HTTPFileImport.largest + 1)) != nil)
    for opening in ["token={", "token=[", "token>{", "code={"] {
      let text = String(repeating: opening, count: 100_000)
      let request =
        #"{"method": "POST", "url": "https://a.b", "postData": {"text": "\#(text)"}}"#
      let imported = try imported(#"{"log": {"entries": [{"request": \#(request)}]}}"#)
      #expect(imported.file.requests.map(\.content.body) == [text])
    }
  }
}
