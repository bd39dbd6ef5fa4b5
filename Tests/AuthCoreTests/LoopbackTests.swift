import AuthCore
import CurlHTTP
import FoundationEssentials
import Glibc
import Synchronization
import TestSupport
import Testing

/// A sign-in in progress in the system browser: its port and its redirect.
struct PendingLoopback: Sendable {
  let request: WebAuthenticationRequest
  /// The URL opened in the browser.
  let opened: String
  let result: Task<Result<String, AuthenticationError>, Never>
  /// How often it told of a response to another request.
  let otherResponses: LockedValue<Int>

  /// Starts waiting for the response to a request with `state` "right".
  init(
    redirectURI: String = "http://localhost", limit: Duration = .seconds(60),
    language: PageLanguage = .english
  ) async throws {
    let (addresses, address) = AsyncStream<String>.makeStream()
    let otherResponses = LockedValue(0)
    self.otherResponses = otherResponses
    let session = SystemBrowserSession(limit: limit, language: language) {
      address.yield($0)
    } onOtherResponse: {
      otherResponses.withLock { $0 += 1 }
    }
    let redirect = try await session.redirectURI(for: RedirectURI(redirectURI))
    let request = WebAuthenticationRequest(
      startURL: "https://login.example/authorize?client_id=x&state=right", redirectURI: redirect)
    self.request = request
    result = Task {
      do throws(AuthenticationError) {
        return .success(try await session.authenticate(request))
      } catch {
        return .failure(error)
      }
    }
    var opened = ""
    for await address in addresses {
      opened = address
      break
    }
    self.opened = opened
  }

  var redirect: String { request.redirectURI.description }
  var authority: String { String(redirect.dropFirst("http://".count).prefix { $0 != "/" }) }
  var port: UInt16 { authority.split(separator: ":").last.flatMap { UInt16($0) } ?? 0 }

  /// Sends `text`; `HOST` is replaced by the right host.
  func send(_ text: String) async throws -> LoopbackClient.Reply {
    let client = try #require(LoopbackClient(port: port))
    client.send(text.replacing("HOST", with: authority))
    return await client.reply()
  }

  /// Whether this sign-in still accepts its redirect.
  ///
  /// An open port proves nothing: the system may have given a closed port to another listener.
  var isServed: Bool {
    get async { [302, 410].contains(await LoopbackClient.visit(opened).status) }
  }

  /// Ends it successfully.
  func finish() async throws {
    #expect(await LoopbackClient.visit("\(redirect)?code=c&state=right").status == 200)
    #expect(try await result.value.get() == "\(redirect)?code=c&state=right")
  }
}

/// Requests other than the redirect, with the expected status.
private let strangers: [(String, Int)] = [
  ("GET /favicon.ico HTTP/1.1\r\nHost: HOST\r\n\r\n", 404),
  ("GET /x?code=c&state=right HTTP/1.1\r\nHost: HOST\r\n\r\n", 404),
  ("GET //?code=c&state=right HTTP/1.1\r\nHost: HOST\r\n\r\n", 404),
  // Another host's name that resolves to this computer (DNS rebinding).
  ("GET /?code=c&state=right HTTP/1.1\r\nHost: evil.example\r\n\r\n", 403),
  ("GET /?code=c&state=right HTTP/1.1\r\nHost: localhost\r\n\r\n", 403),
  ("GET /?code=c&state=right HTTP/1.1\r\nHost: HOST@evil.example\r\n\r\n", 403),
  ("GET /?code=c&state=right HTTP/1.1\r\n\r\n", 400),
  ("GET /?code=c&state=right HTTP/1.1\r\nHost: HOST\r\nHost: HOST\r\n\r\n", 400),
  ("GET / HTTP/1.1\r\nHost: HOST\r\n\r\n", 400),
  ("GET /?code=c HTTP/1.1\r\nHost: HOST\r\n\r\n", 400),
  ("GET /?code=c&state=wrong HTTP/1.1\r\nHost: HOST\r\n\r\n", 400),
  ("GET /?code=c&state=right&state=right HTTP/1.1\r\nHost: HOST\r\n\r\n", 400),
  ("GET /?code=c#state=right HTTP/1.1\r\nHost: HOST\r\n\r\n", 400),
  ("GET http://HOST/?code=c&state=right HTTP/1.1\r\nHost: HOST\r\n\r\n", 400),
  ("GET /?code=c&state=right\r\nHost: HOST\r\n\r\n", 400),
  ("GET /?code=c&state=right HTTP/2\r\nHost: HOST\r\n\r\n", 400),
  ("\u{16}\u{3}\u{1}\r\n\r\n", 400),
  ("\r\n\r\n", 400),
  ("\r\n\r\n\r\n\r\n", 400),
  ("\r\n\r\nGET /?code=c&state=right HTTP/1.1\r\nHost: HOST\r\n\r\n", 400),
  (" \r\n\r\n", 400),
  ("  \r\n\r\n", 400),
  ("\n\r\n\r\n", 400),
  (":\r\n:\r\n\r\n", 400),
  ("GET / HTTP/1.1\r\n:\r\n\r\n", 400),
  ("GET /?code=c&state=right HTTP/1.1\nHost: HOST\r\n\r\n", 400),
  ("GET /?code=c&state=right HTTP/1.1\r\nX: a\rHost: HOST\r\nHost: HOST\r\n\r\n", 400),
  ("HEAD /?code=c&state=right HTTP/1.1\r\nHost: HOST\r\n\r\n", 405),
  ("OPTIONS / HTTP/1.1\r\nHost: HOST\r\n\r\n", 405),
  (form("text/plain", "Content-Length: 18"), 415),
  (form("application/x-www-form-urlencoded", "Transfer-Encoding: chunked"), 411),
  (form("application/x-www-form-urlencoded", "Content-Length: 9\r\nContent-Length: 18"), 400),
  (form("application/x-www-form-urlencoded", "Content-Length: -1"), 400),
  (form("application/x-www-form-urlencoded", "Content-Length: +18"), 400),
  (form("application/x-www-form-urlencoded", "Content-Length: 65537"), 413),
  ("GET /?\(String(repeating: "a", count: 33 << 10)) HTTP/1.1\r\nHost: HOST\r\n\r\n", 431),
  ("GET /\(String(repeating: "a", count: 80 << 10))", 431),
]

private func form(_ type: String, _ length: String) -> String {
  "POST / HTTP/1.1\r\nHost: HOST\r\nContent-Type: \(type)\r\n\(length)\r\n\r\ncode=c&state=right"
}

@Suite(
  "Redirects to a listener on this computer (RFC 8252, section 7.3)", .timeLimit(.minutes(5)))
struct LoopbackTests {
  let authority = ScriptedAuthority()

  func application(redirectURI: String = "http://localhost") throws -> PublicClientApplication {
    PublicClientApplication(
      configuration: try PublicClientApplicationConfiguration(
        clientID: TestApplication.clientID, redirectURI: RedirectURI(redirectURI)),
      runtime: Runtime(sleep: { _ in }, transport: authority))
  }

  /// Signs in with a browser whose redirect has `parameters`; also returns its final page.
  func signIn(
    redirectURI: String = "http://localhost", with parameters: String = "code=code-canary"
  ) async throws -> (Result<AuthenticationResult, AuthenticationError>, LoopbackClient.Reply) {
    let (replies, reply) = AsyncStream<LoopbackClient.Reply>.makeStream()
    let session = SystemBrowserSession { [authority] address throws(AuthenticationError) in
      let url = try await LoopbackClient.firstPage(at: address)
      _ = try? await authority.pages.authenticate(
        WebAuthenticationRequest(startURL: url, redirectURI: RedirectURI("http://localhost")))
      reply.yield(await LoopbackClient.answer(url, with: parameters))
    }
    let result: Result<AuthenticationResult, AuthenticationError>
    let app = try application(redirectURI: redirectURI)
    do throws(AuthenticationError) {
      result = .success(
        try await app.acquireToken(
          InteractiveTokenParameters(scopes: ["User.Read"], session: session)))
    } catch {
      result = .failure(error)
    }
    for await reply in replies { return (result, reply) }
    throw CancellationError()
  }

  @Test(
    "The port is in the authorization request and in the token request",
    arguments: [
      "http://localhost", "http://127.0.0.1", "http://localhost/", "http://localhost/a/b",
    ])
  func port(registered: String) async throws {
    let (result, page) = try await signIn(redirectURI: registered)
    #expect(try result.get().account.username == Person.adele.username)
    #expect(page.status == 200)
    let sent = try #require(authority.authorization["redirect_uri"])
    let parts = registered.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
    let host = parts[2].prefix { $0 != "/" }
    let path = parts[2].dropFirst(host.count)
    #expect(sent.hasPrefix("http://\(host):") && sent.hasSuffix(path))
    let port = sent.dropFirst("http://\(host):".count).dropLast(path.count)
    #expect(Int(port).map { (1...65535).contains($0) } == true)
    #expect(authority.lastForm["redirect_uri"] == sent)
    let answer = "\(sent)?code=c&state=\(authority.authorization["state"] ?? "")"
    #expect(await LoopbackClient.visit(answer).status != 200, "the port is closed again")
  }

  @Test("The code is requested as a form, if supported, and so is not in the address bar")
  func formPost() async throws {
    authority.edit(.configuration) {
      $0["response_modes_supported"] = .array(["query", "fragment", "form_post"].map(JSON.string))
    }
    let (result, page) = try await signIn()
    #expect(try result.get().account.username == Person.adele.username)
    #expect(authority.authorization["response_mode"] == "form_post")
    #expect(authority.lastForm["code"] == "code-canary")
    #expect(page.status == 200)
  }

  @Test("A service that does not list form_post is not asked for it")
  func query() async throws {
    _ = try await signIn()
    #expect(authority.authorization["response_mode"] == "query")
  }

  @Test("Pages are in the given language, and its text is escaped for HTML")
  func pagesInAnotherLanguage() async throws {
    let language = PageLanguage(tag: "de") { "<\($0) & \"mehr\">" }
    let pending = try await PendingLoopback(language: language)
    let stranger = try await pending.send("GET /x HTTP/1.1\r\nHost: HOST\r\n\r\n")
    let end = await LoopbackClient.visit("\(pending.redirect)?code=c&state=right")
    for (page, title) in [
      (stranger, "This page is not available"), (end, "You can close this page"),
    ] {
      #expect(page.body.contains("<html lang=\"de\" dir=\"auto\">"))
      #expect(page.body.contains("<h1>&lt;\(title) &amp; &quot;mehr&quot;></h1>"))
      #expect(page.fields["content-length"] == "\(page.body.utf8.count)")
    }
    #expect(try await pending.result.value.get().hasSuffix("?code=c&state=right"))
  }

  @Test(
    "The final page shows the result, contains nothing of the response, and is not cached",
    arguments: [
      ("code=code-canary", "You can close this page"),
      ("error=access_denied&error_description=word-canary", "The sign-in was canceled"),
      ("error=consent_required&error_description=word-canary", "The sign-in was canceled"),
      ("error=server_error&error_description=word-canary", "The sign-in did not succeed"),
    ])
  func page(parameters: String, title: String) async throws {
    let (_, page) = try await signIn(with: parameters)
    #expect(page.body.contains("<html lang=\"en\" dir=\"auto\">"))
    #expect(page.body.contains("<h1>\(title)</h1>"))
    #expect(!page.body.contains("canary"))
    #expect(page.fields["cache-control"] == "no-store")
    #expect(page.fields["referrer-policy"] == "no-referrer")
    #expect(page.fields["content-type"] == "text/html; charset=utf-8")
    #expect(page.fields["content-length"] == "\(page.body.utf8.count)")
    #expect(
      page.fields["content-security-policy"]?.hasPrefix("default-src 'none'; style-src 'nonce-")
        == true)
    // The page's script removes the query from the address bar.
    #expect(page.body.contains("history.replaceState"))
    for outside in ["http:", "https:", "src=", "url("] { #expect(!page.body.contains(outside)) }
  }

  @Test("The browser's error is the flow's error")
  func error() async throws {
    let (result, _) = try await signIn(with: "error=access_denied")
    #expect(throws: AuthenticationError.self) { try result.get() }
    guard case .failure(let error) = result else { return }
    #expect(error.code == .userCanceled)
    #expect(authority.count(.token) == 0)
  }

  @Test(
    "Other requests are rejected, and the wait continues",
    arguments: strangers)
  func refused(request: String, status: Int) async throws {
    let pending = try await PendingLoopback()
    let reply = try await pending.send(request)
    #expect(reply.status == status)
    #expect(!reply.body.contains("state"))
    try await pending.finish()
  }

  @Test("A response to another request is reported once, and the wait continues")
  func otherResponse() async throws {
    let pending = try await PendingLoopback()
    #expect(await LoopbackClient.visit("\(pending.redirect)/favicon.ico").status == 404)
    #expect(pending.otherResponses.withLock { $0 } == 0, "that was no response")
    for query in ["code=c&state=wrong", "code=c", "error=access_denied&state=wrong"] {
      #expect(await LoopbackClient.visit("\(pending.redirect)?\(query)").status == 400)
      #expect(pending.otherResponses.withLock { $0 } == 1)
    }
    try await pending.finish()
    #expect(pending.otherResponses.withLock { $0 } == 1)
  }

  @Test("A request in several pieces is assembled")
  func pieces() async throws {
    let pending = try await PendingLoopback()
    let client = try #require(LoopbackClient(port: pending.port))
    for piece in ["POST / HT", "TP/1.1\r\nHost: \(pending.authority)\r", "\nContent-Type: "] {
      client.send(piece)
    }
    client.send(
      "application/x-www-form-urlencoded; charset=utf-8\r\ncontent-length: 23\r\n\r\ncode=")
    client.send("a%2Bb+c&state=rightXX")
    #expect(await client.reply().status == 400, "two bytes more make another state")
    try await pending.finish()
  }

  @Test("Idle connections do not block the redirect, however many there are")
  func parallel() async throws {
    let pending = try await PendingLoopback()
    var idle: [LoopbackClient] = []
    for index in 0..<40 {
      let client = try #require(LoopbackClient(port: pending.port))
      if index % 2 == 0 { client.send("GET /?code=c&sta") }
      idle.append(client)
    }
    #expect(await idle[0].reply().status == nil, "with too many, the oldest goes")
    try await pending.finish()
    for client in idle { #expect(await client.reply().status != 200) }
  }

  @Test("A connection with an incomplete request is closed after a few seconds")
  func slow() async throws {
    let pending = try await PendingLoopback()
    let client = try #require(LoopbackClient(port: pending.port))
    client.send("GET /?code=c&state=right HTTP/1.1\r\n")
    #expect(await client.reply().status == 408)
    try await pending.finish()
  }

  @Test("Only loopback addresses are listened on, and both of those of 'localhost'")
  func addresses() async throws {
    let pending = try await PendingLoopback()
    #expect(LoopbackClient(port: pending.port, address: "127.0.0.2") == nil)
    let another = try await PendingLoopback(redirectURI: "http://127.0.0.1")
    #expect(LoopbackClient(port: another.port, address: "::1") == nil)
    // With IPv6, nobody else can use the port on the IPv6 loopback address.
    if access("/proc/sys/net/ipv6/conf/lo/disable_ipv6", R_OK) == 0,
      try String(contentsOfFile: "/proc/sys/net/ipv6/conf/lo/disable_ipv6", encoding: .utf8)
        .hasPrefix("0")
    {
      #expect(LoopbackClient(port: pending.port, address: "::1") != nil)
    }
    try await pending.finish()
    try await another.finish()
  }

  @Test("A registered port is used; if it is taken, the error says so")
  func fixedPort() async throws {
    let first = try await PendingLoopback()
    let error = await #expect(throws: AuthenticationError.self) {
      try await SystemBrowserSession { _ in }.redirectURI(for: RedirectURI(first.redirect))
    }
    #expect(error?.code == .webAuthenticationFailed)
    #expect(error?.message.contains("port \(first.port) ") == true)
    try await first.finish()
    let second = try await PendingLoopback(redirectURI: first.redirect)
    #expect(second.redirect == first.redirect)
    try await second.finish()
  }

  @Test("A sign-in that ended before its pages were shown does not keep the port from the next")
  func preparedAgain() async throws {
    let session = SystemBrowserSession { _ in }
    let free = try await session.redirectURI(for: RedirectURI("http://localhost"))
    // As if the port were registered, and discovery had failed.
    for _ in 1...2 {
      #expect(try await session.redirectURI(for: free) == free)
    }
  }

  @Test("Canceling the task closes the port immediately")
  func cancelled() async throws {
    let pending = try await PendingLoopback()
    pending.result.cancel()
    guard case .failure(let error) = await pending.result.value else {
      Issue.record("the sign-in did not end")
      return
    }
    #expect(error.code == .userCanceled)
    #expect(await !pending.isServed)
  }

  @Test("After the time limit there is an error, and the port is closed")
  func late() async throws {
    let pending = try await PendingLoopback(limit: .milliseconds(20))
    guard case .failure(let error) = await pending.result.value else {
      Issue.record("the sign-in did not end")
      return
    }
    #expect(error.code == .webAuthenticationTimedOut && error.nextStep == .signIn)
    #expect(await !pending.isServed)
  }

  @Test("A session that was prepared but not used leaves no port open")
  func unused() async throws {
    let redirect = try await SystemBrowserSession { _ in }.redirectURI(
      for: RedirectURI("http://localhost"))
    // If the port were open, the request would wait for the listener.
    #expect(await LoopbackClient.visit("\(redirect)?code=c").status != 200)
  }
}
