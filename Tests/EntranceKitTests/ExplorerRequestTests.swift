import CurlHTTP
import EntranceKit
import MicrosoftGraph
import TestSupport
import Testing

@MainActor @Suite("A request of the Explorer page")
struct ExplorerRequestTests {
  private func state(
    _ address: String, api: String = "https://graph.microsoft.com/v1.0/me"
  ) throws -> ExplorerState {
    let page = try Page(api: api)
    let model = ExplorerModel(page.window)
    model.request.address = address
    #expect(model.request.address == address, "what was typed is kept")
    return model.state
  }

  // What is sent: RFC 3986, section 2.1; "#" and blanks cannot stand in a query.
  @Test(
    "What is typed is sent to the app's API, encoded where it must be",
    arguments: [
      ("/v1.0/me?$select=id", "https://graph.microsoft.com/v1.0/me?$select=id", false),
      ("me", "https://graph.microsoft.com/v1.0/me", false),
      ("/beta/me", "https://graph.microsoft.com/beta/me", false),
      ("  me  ", "https://graph.microsoft.com/v1.0/me", false),
      (
        "https://graph.microsoft.com/v1.0/users?$top=1",
        "https://graph.microsoft.com/v1.0/users?$top=1", false
      ),
      (
        "/users?$filter=startsWith(displayName,'A b')",
        "https://graph.microsoft.com/v1.0/users?$filter=startsWith(displayName,'A%20b')", true
      ),
      (
        "/users/a#ext#@b.example",
        "https://graph.microsoft.com/v1.0/users/a%23ext%23@b.example", true
      ),
      ("/users?$filter=x%20y", "https://graph.microsoft.com/v1.0/users?$filter=x%20y", false),
    ])
  func address(typed: String, sent: String, differs: Bool) throws {
    let state = try state(typed)
    #expect(state.sentURL == sent)
    #expect(state.difference == (differs ? sent : nil))
    #expect(state.problem == nil)
  }

  @Test(
    "Another host, and plain HTTP, are refused with words",
    arguments: [
      "https://evil.example/v1.0/me", "https://graph.microsoft.com.evil.example/",
      "https://graph.microsoft.com@evil.example/", "http://graph.microsoft.com/v1.0/me",
      "ftp://graph.microsoft.com/", "https://graph.microsoft.com:444/",
    ])
  func otherHosts(address: String) throws {
    let state = try state(address)
    #expect(state.sentURL == nil && state.problem != nil)
    #expect(!state.canSend)
  }

  @Test("Nothing is wrong with an empty address, and nothing can be sent")
  func empty() throws {
    let state = try state("  ")
    #expect(state.sentURL == nil && state.problem == nil && !state.canSend)
  }

  @Test(
    "The version is read from the address, and written into it",
    arguments: [
      ("/v1.0/me", "v1.0", "/beta/me"), ("beta/me", "beta", nil), ("me", nil, "/beta/me"),
      ("/me?$select=id", nil, "/beta/me?$select=id"), ("", nil, "/beta"),
      ("https://graph.microsoft.com/v1.0/me", "v1.0", "https://graph.microsoft.com/beta/me"),
      ("https://graph.microsoft.com", nil, "https://graph.microsoft.com/beta"),
      ("/v1.0", "v1.0", "/beta"), ("/users?$filter=a eq '/v1.0/'", nil, nil),
    ] as [(String, String?, String?)])
  func version(address: String, version: String?, beta: String?) {
    var request = ExplorerRequest(.get, address)
    #expect(request.version?.rawValue == version)
    request.version = .beta
    if let beta { #expect(request.address == beta) }
    #expect(request.version == .beta)
  }

  @Test("A version that the address means already is not written")
  func meantVersion() {
    var request = ExplorerRequest(.get, "me")
    request.version = .v1
    #expect(request.address == "me")
  }

  @Test("An API without versions has no switch of them")
  func ownAPI() throws {
    let state = try state("/things", api: "https://api.example/things/1")
    #expect(state.version == nil && state.sentURL == "https://api.example/things")
  }

  @Test("Header fields are checked, and the line is named")
  func fields() {
    func problem(_ text: String) -> String? { ExplorerRequest(fields: text).fieldProblem }
    #expect(problem("ConsistencyLevel: eventual\n\n  Prefer : return=minimal  ") == nil)
    #expect(
      problem("Prefer: a\n\nnonsense")
        == "Line 3 is not a header field. Write it as “Name: value”.")
    for name in ["Authorization", "authorization", "Host", "Content-Length", "client-request-id"] {
      #expect(problem("\(name): x")?.hasPrefix("Line 1: “\(name)” is set by Entrance") == true)
    }
    // As Windows ends lines.
    #expect(problem("ConsistencyLevel: eventual\r\nPrefer: return=minimal\r\n") == nil)
    #expect(problem("Prefer: a\r\nnonsense")?.hasPrefix("Line 2 ") == true)
    #expect(problem("A: b\u{1}")?.hasPrefix("Line 1: the value of “A”") == true)
    let many = (1...70_000).map { "a\($0): b\n" }.joined()
    #expect(problem(many) == "Line 1001: there are too many header fields.")
  }

  @Test("A placeholder is in single braces; the name of a variable is in double ones")
  func placeholder() {
    #expect(ExplorerRequest(.get, "{{host}}/users/{id}").placeholderPlace == 15..<19)
    #expect(ExplorerRequest(.get, "{{host}}/me").placeholderPlace == nil)
    #expect(ExplorerRequest(.get, "/users/{id}").placeholderPlace == 7..<11)
  }

  @Test("A body that is not JSON is reported with its line, and can be sent nevertheless")
  func body() async throws {
    let page = try Page()
    await page.model.callGraph()?.value
    let model = ExplorerModel(page.window)
    var problems: [String?] = []
    let observer = model.changes.add { problems.append($0.bodyProblem) }
    model.request = ExplorerRequest(.post, "/me/messages", body: "{\n  \"a\": 1,\n}")
    while model.state.bodyProblem == nil { await Task.yield() }
    #expect(model.state.bodyProblem?.contains("line 3") == true)
    #expect(model.state.canSend)
    model.request.fields = "Content-Type: text/plain"
    #expect(model.state.bodyProblem == nil)
    model.request.fields = ""
    model.request.body = "{}"
    while model.state.bodyProblem != nil { await Task.yield() }
    _ = observer
  }
}
