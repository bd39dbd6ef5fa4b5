// Measures the auth core over a token cache in a file. See auth.py, which runs it.
//
// usage: auth-benchmark silent FILE TENANT       times of calls that the cache answers, as JSON
//        auth-benchmark file FILE TENANT COUNT   times of reading and writing the whole cache, as JSON
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
      try await CacheBenchmark(file: arguments[2], tenant: arguments[3])
        .file(samples: Int(arguments[4]) ?? 5)
    case "token":
      try await CacheBenchmark(file: arguments[2], tenant: arguments[3]).token()
    default:
      try await SignInBenchmark.run(authority: arguments[2], caFile: arguments[3])
    }
  }
}
