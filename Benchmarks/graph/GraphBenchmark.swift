// Uses GraphClient as a program would. See graph.py, which compares it with others.
//
// usage: graph-benchmark API CA_FILE me COUNT       requests of the profile over one connection
//        graph-benchmark API CA_FILE batch COUNT    20 requests in one batch, so many times
//        graph-benchmark API CA_FILE apart COUNT    the same 20 one after the other
//        graph-benchmark API CA_FILE users          all users, in their pages
//        graph-benchmark API CA_FILE download FILE
//        graph-benchmark API CA_FILE upload FILE
//
// It prints the microseconds of one, and the most memory that it had, in megabytes, as JSON.

import AuthCore
import BenchmarkSupport
import FoundationEssentials
import HTTPTypes
import MicrosoftGraph

@main
enum GraphBenchmark {
  static func main() async throws {
    let arguments = CommandLine.arguments
    let graph = try GraphClient(api: arguments[1], caFile: arguments[2])
      .authorized(by: Secret("a token"))
    let (what, value) = (arguments[3], arguments.count > 4 ? arguments[4] : "1")
    let count = Int(value) ?? 1
    let profile = GraphRequest(.get, "/me")
    // The first request opens the connection.
    if ["me", "batch", "apart"].contains(what) { _ = try await graph.send(profile) }
    let time = try await inTurn(samples: 1, count: count) { count in
      switch what {
      case "me": for _ in 0..<count { _ = try await graph.send(profile) }
      case "batch":
        for _ in 0..<count {
          let answers = try await graph.batch([GraphRequest](repeating: profile, count: 20))
          precondition(answers.count == 20)
        }
      case "apart": for _ in 0..<(20 * count) { _ = try await graph.send(profile) }
      case "users":
        var users = 0
        for try await page in graph.pages(GraphRequest(.get, "/users")) {
          users += page.items.count
        }
        precondition(users == 10_000)
      case "download":
        try await graph.download(GraphRequest(.get, "/me/drive/items/1/content"))
          .write(to: value)
      default: _ = try await graph.upload(value, to: "/me/drive/root:/file:")
      }
    }
    print(#"{"time": \#(time[0]), "memory": \#(peakMemory())}"#)
  }

  /// The most memory that this process had, in megabytes.
  private static func peakMemory() -> Double {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") } ?? ""
    return (line.split(separator: " ").dropLast().last.flatMap { Double($0) } ?? 0) / 1024
  }
}
