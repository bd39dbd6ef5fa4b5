import AuthCore
import Testing

@Suite("A program that is run")
struct ChildProcessTests {
  @Test("gets arguments and variables byte for byte")
  func bytes() async throws {
    // One byte each, which is not UTF-8.
    let script = #"test "$(printf %s "$LATIN$1" | wc -c)" -eq 2"#
    let command = ["sh", "-c", script, "sh"].map { Array($0.utf8) } + [[0xe9]]
    let environment = ChildProcess.environment + [Array("LATIN=".utf8) + [0xe9]]
    #expect(try await end(of: command, environment) == .exited(0))
  }

  @Test("gets changed variables in place of those of its environment")
  func variables() async throws {
    let script = #"test "$CHANGED$KEPT" = 23 && ! env | grep -q ^REMOVED="#
    let command = ["sh", "-c", script].map { Array($0.utf8) }
    let environment =
      ChildProcess.environment + ["CHANGED=1", "KEPT=3", "REMOVED=4"].map { Array($0.utf8) }
    let end = try await end(of: command, environment, ["CHANGED": "2", "REMOVED": nil])
    #expect(end == .exited(0))
  }

  private func end(
    of command: [[UInt8]], _ environment: [[UInt8]], _ variables: [String: String?] = [:]
  ) async throws -> ChildProcess.End {
    try await ChildProcess.run(
      command, environment: environment, variables: variables, ignoring: []
    ) { _ in
    } ended: {
    }
  }
}
