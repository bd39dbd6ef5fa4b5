// Sends a request with CurlHTTP. See request.py, which compares it with curl and with a C program.
//
// usage: request-benchmark HOST_AND_PORT PATH CA_FILE          once
//        request-benchmark HOST_AND_PORT PATH CA_FILE COUNT    so many times over one connection, and prints the
//                                                           microseconds of a request as JSON

import BenchmarkSupport
import CurlHTTP
import FoundationEssentials
import HTTPTypes

@main
enum RequestBenchmark {
  static func main() async throws {
    let arguments = CommandLine.arguments
    let client = CurlClient(CurlClient.Configuration(caFile: arguments[3]))
    let request = HTTPRequest(
      method: .get, scheme: "https", authority: arguments[1], path: arguments[2])
    func send(_ count: Int) async throws {
      for _ in 0..<count {
        let reply = try await client.execute(request)
        precondition(reply.response.status == .ok)
      }
    }
    // The first request opens the connection.
    try await send(1)
    guard arguments.count > 4, let count = Int(arguments[4]) else { return }
    print(#"{"request": \#(try await inTurn(samples: 1, count: count, send)[0])}"#)
  }
}
