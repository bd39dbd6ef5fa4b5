import AuthCore
import Dispatch
import FoundationEssentials
import Glibc
import TestSupport
import Testing

@Suite("System browser session, and the end of the wait", .timeLimit(.minutes(5)))
struct SystemBrowserTests {
  let authority = ScriptedAuthority()

  /// Pages in the browser whose redirect URL the desktop passes to the app.
  @Test(
    "A URL from the desktop is accepted only if it is the expected redirect")
  func scheme() async throws {
    let (opened, isOpened) = AsyncStream<String>.makeStream()
    let session = SystemBrowserSession { isOpened.yield($0) }
    #expect(
      await !session.resume(with: "\(TestApplication.redirectURI)?code=c&state=s"), "no sign-in")

    let app = try TestApplication.make(authority)
    let signIn = Task {
      try await app.acquireToken(.init(scopes: ["User.Read"], session: session))
    }
    var url = ""
    for await opened in opened {
      url = try await LoopbackClient.firstPage(at: opened)
      break
    }
    let answer = try await authority.pages.authenticate(
      WebAuthenticationRequest(
        startURL: url, redirectURI: RedirectURI(TestApplication.redirectURI)))
    for wrong in [
      "\(TestApplication.redirectURI)?code=code-canary&state=wrong",
      "\(TestApplication.redirectURI)?code=code-canary", "\(TestApplication.redirectURI)",
      answer.replacing("://auth?", with: "://auth/?"),
      answer.replacing("entrance.", with: "other."),
      "\(answer)&state=x", "file:///etc/passwd", "",
    ] {
      #expect(await !session.resume(with: wrong), "\(wrong)")
    }
    #expect(await session.resume(with: answer))
    #expect(await !session.resume(with: answer), "a redirect is accepted once")
    #expect(try await signIn.value.account.username == Person.adele.username)
    #expect(authority.authorization["response_mode"] == "query")
    #expect(authority.authorization["redirect_uri"] == TestApplication.redirectURI)
  }

  @Test("The browser can be opened again, and the user can copy the response from it")
  func openedAgain() async throws {
    let (opened, isOpened) = AsyncStream<String>.makeStream()
    var addresses = opened.makeAsyncIterator()
    let session = SystemBrowserSession { isOpened.yield($0) }
    await session.openAgain()
    let loopback = try RedirectURI("http://localhost")
    let app = try TestApplication.make(
      authority, configure: { $0.redirectURI = loopback })
    let signIn = Task {
      try await app.acquireToken(.init(scopes: ["User.Read"], session: session))
    }
    let first = try #require(await addresses.next())
    let url = try await LoopbackClient.firstPage(at: first)
    await session.openAgain()
    let second = try #require(await addresses.next())
    #expect(first != second)
    #expect(await LoopbackClient.visit(first).status == 404)
    #expect(try await LoopbackClient.firstPage(at: second) == url)
    #expect(await LoopbackClient.visit(second).status == 410)

    let redirect = try await authority.redirect(from: url)
    #expect(await !session.resume(with: redirect.replacing("state=", with: "state=x")))
    #expect(await session.resume(with: redirect))
    #expect(try await signIn.value.account.username == Person.adele.username)
  }

  @Test("A redirect that comes just before it is waited for is not lost", .timeLimit(.minutes(5)))
  func earlyRedirect() async throws {
    let session = SystemBrowserSession { _ in }
    let request = WebAuthenticationRequest(
      startURL: "https://login.example/authorize?state=s",
      redirectURI: try RedirectURI(TestApplication.redirectURI))
    let redirect = "\(TestApplication.redirectURI)?code=c&state=s"
    #expect(await !session.resume(with: redirect))
    #expect(try await session.authenticate(request) == redirect)
  }

  @Test("When no browser can be started, the sign-in fails")
  func noBrowser() async throws {
    let session = SystemBrowserSession { _ throws(AuthenticationError) in
      throw AuthenticationError(.webAuthenticationFailed, "No browser.")
    }
    let app = try TestApplication.make(authority)
    let error = await #expect(throws: AuthenticationError.self) {
      try await app.acquireToken(.init(scopes: ["User.Read"], session: session))
    }
    #expect(error?.code == .webAuthenticationFailed)
    #expect(error?.message == "No browser.")
    #expect(error?.correlationID?.isEmpty == false)
  }

  @Test("When the sign-in is over, the end of a browser starts no other")
  func foregroundBrowser() async {
    // The environment belongs to the whole process.
    await #expect(processExitsWith: .success) {
      let directory = try TemporaryDirectory()
      let (pipe, trace) = ("\(directory.path)/pipe", "\(directory.path)/trace")
      for (name, command) in [("first", "cat '\(pipe)'; exit 1"), ("second", "touch '\(trace)'")] {
        let path = "\(directory.path)/\(name)"
        try Data("#!/bin/sh\n\(command)\n".utf8).write(to: URL(filePath: path))
        #expect(chmod(path, 0o700) == 0)
      }
      #expect(mkfifo(pipe, 0o600) == 0)
      setenv("BROWSER", "\(directory.path)/first:\(directory.path)/second", 1)
      for isOver in [true, false] {
        let opening = Task { try await SystemBrowser.open("http://localhost/") }
        // The pipe can be opened when the first command reads it, which then waits.
        let end = await withCheckedContinuation { continuation in
          DispatchQueue(label: "pipe").async {
            continuation.resume(returning: open(pipe, O_WRONLY))
          }
        }
        if isOver { opening.cancel() }
        close(end)
        try await opening.value
        #expect((access(trace, F_OK) == 0) == !isOver)
      }
    }
  }

  @Test("A session shows only one sign-in at a time")
  func oneAtATime() async throws {
    let (opened, isOpened) = AsyncStream<Void>.makeStream()
    let session = SystemBrowserSession { _ in isOpened.yield() }
    let one = try TestApplication.make(authority)
    let first = Task { try await one.acquireToken(.init(scopes: ["User.Read"], session: session)) }
    for await _ in opened { break }
    let other = try TestApplication.make(authority)
    let error = await #expect(throws: AuthenticationError.self) {
      try await other.acquireToken(.init(scopes: ["User.Read"], session: session))
    }
    #expect(error?.code == .interactiveSessionAlreadyRunning)
    first.cancel()
    _ = await first.result
  }

  @Test("An app can cancel its own sign-in at any step, and start another")
  func cancelInteractiveRequest() async throws {
    let app = try TestApplication.make(authority)
    #expect(await !app.cancelInteractiveRequest())
    let (opened, isOpened) = AsyncStream<Void>.makeStream()
    let session = SystemBrowserSession { _ in isOpened.yield() }
    let request = Task {
      try await app.acquireToken(.init(scopes: ["User.Read"], session: session))
    }
    for await _ in opened { break }
    #expect(await app.cancelInteractiveRequest())
    let error = await #expect(throws: AuthenticationError.self) { try await request.value }
    #expect(error?.code == .userCanceled)
    #expect(await !app.cancelInteractiveRequest())
    #expect(authority.count(.token) == 0)
    let result = try await app.acquireToken(
      .init(scopes: ["User.Read"], session: authority.pages))
    #expect(result.account.username == Person.adele.username)
  }

  @Test("A cancellation by the user and one by the app are reported the same")
  func cancelledTask() async throws {
    let app = try TestApplication.make(authority)
    let (opened, isOpened) = AsyncStream<Void>.makeStream()
    let session = SystemBrowserSession { _ in isOpened.yield() }
    let request = Task {
      try await app.acquireToken(.init(scopes: ["User.Read"], session: session))
    }
    for await _ in opened { break }
    request.cancel()
    let error = await #expect(throws: AuthenticationError.self) { try await request.value }
    #expect(error?.code == .userCanceled)
    #expect(error?.message == "The sign-in was canceled.")
  }
}
