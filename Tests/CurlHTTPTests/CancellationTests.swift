import CurlHTTP
import Foundation
import HTTPTypes
import Synchronization
import Testing

@Suite("Cancellation")
struct CancellationTests {
  let server: MisbehavingServer

  init() throws { server = try MisbehavingServer.shared.get() }

  @Test("A canceled request returns immediately, and its connection is closed")
  func whileRunning() async throws {
    let client = server.client()
    let path = "/silence/\(UUID())"
    let task = Task { await (client.failure(server.request(path)), ContinuousClock.now) }
    #expect(try await eventually { try await server.stats().requests[path] != nil })

    let cancelled = ContinuousClock.now
    task.cancel()
    let (error, returned) = await task.value
    #expect(error?.code == .cancelled)
    // Without the cancellation, it would end after 30 s.
    #expect(returned - cancelled < .seconds(10), "took \(returned - cancelled)")
    let connection = try #require(try await server.stats().requests[path]?.first)
    #expect(try await eventually { try await server.stats().closed.contains(connection) })
    #expect(try await client.echo(server.request("/after")).path == "/after")
  }

  @Test("Canceling works during the TLS handshake")
  func whileConnecting() async throws {
    let port = server.ports.handshake
    let task = Task { await server.client().failure(server.request("/", port: port)) }
    // Its first message arrives, and is never answered.
    #expect(try await eventually { try await server.stats().requests["\(port)"] != nil })
    task.cancel()
    #expect(await task.value?.code == .cancelled)
  }

  @Test("A task that is already canceled sends nothing")
  func beforeStart() async throws {
    let path = "/cancelled/\(UUID())"
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return await server.client().failure(server.request(path))
    }
    #expect(await task.value?.code == .cancelled)
    #expect(try await server.stats().requests[path] == nil)
  }

  @Test("Canceling some requests does not affect the others")
  func someOfMany() async throws {
    let client = server.client()
    let tasks = (0..<100).map { number in
      Task { try await client.echo(server.request("/many/\(number)")).path }
    }
    for task in tasks[..<50] { task.cancel() }
    for (number, task) in tasks.enumerated() {
      switch await task.result {
      case .success(let path): #expect(path == "/many/\(number)")
      case .failure(let error): #expect(number < 50, "\(error)")
      }
    }
  }

  @Test("A request that is canceled at any moment ends, on its caller's actor")
  @MainActor
  func atAnyMoment() async throws {
    let client = server.client()
    _ = try await client.echo(server.request("/first"))
    var ends = [HTTPError.Code?: Int]()
    for number in 0..<400 {
      let request = server.request("/moment/\(number)")
      let task = Task {
        let error = await client.failure(request)
        MainActor.assertIsolated()
        ends[error?.code, default: 0] += 1
      }
      let canceler = Task.detached {
        // About as long as a request takes.
        try? await Task.sleep(for: .microseconds(number * 5))
        task.cancel()
      }
      await task.value
      await canceler.value
    }
    #expect(ends[.cancelled, default: 0] > 0)
    #expect(ends[.cancelled, default: 0] + ends[nil, default: 0] == 400, "\(ends)")
  }
}
