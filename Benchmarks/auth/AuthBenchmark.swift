// Measures the auth core over a token cache in a file. See auth.py, which runs it beside MSAL Python.
//
// usage: auth-benchmark silent FILE TENANT       times of calls that the cache answers, as JSON
//        auth-benchmark file FILE TENANT         times of reading and writing the whole cache, as JSON
//        auth-benchmark token FILE TENANT        one token, as a new process gets it
//        auth-benchmark sign-in AUTHORITY CA     says a URL, reads the redirect, says milliseconds

import AuthCore
import FoundationEssentials

@main
enum AuthBenchmark {
  static let clientID = "b6c69a37-df96-4db0-9088-2ab96e1d8215"

  static func main() async throws {
    let arguments = CommandLine.arguments
    switch arguments[1] {
    case "silent":
      try await CacheBenchmark(file: arguments[2], tenant: arguments[3]).silent()
    case "file":
      try await CacheBenchmark(file: arguments[2], tenant: arguments[3]).file()
    case "token":
      try await CacheBenchmark(file: arguments[2], tenant: arguments[3]).token()
    default:
      try await SignInBenchmark.run(authority: arguments[2], caFile: arguments[3])
    }
  }
}

/// How long something takes, in microseconds: the median of `samples` of `count` calls each.
func median(
  samples: Int, count: Int = 1, _ body: () async throws -> Void
) async rethrows -> Double {
  var times: [Double] = []
  for _ in 0..<samples {
    let start = ContinuousClock.now
    for _ in 0..<count { try await body() }
    let time = (ContinuousClock.now - start).components
    times.append((Double(time.seconds) * 1e6 + Double(time.attoseconds) / 1e12) / Double(count))
  }
  return times.sorted()[samples / 2]
}
