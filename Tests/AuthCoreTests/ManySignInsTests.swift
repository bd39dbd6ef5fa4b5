import AuthCore
import FoundationEssentials
import TestSupport
import Testing

@Suite("Many sign-ins")
struct ManySignInsTests {
  @Test("A thousand sign-ins and sign-outs take no more memory and files than fifty")
  func memory() async {
    // The memory of a process of its own, where no other test runs.
    await #expect(processExitsWith: .success) {
      let authority = ScriptedAuthority()
      let app = try TestApplication.make(authority)
      func signIn(times: Int) async throws -> (memory: Int, files: Int) {
        for _ in 0..<times {
          let parameters = InteractiveTokenParameters(
            scopes: ["User.Read"], session: authority.pages)
          try await app.signOut(app.acquireToken(parameters).account)
          authority.forget()
        }
        let files = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
        // The second number is that of resident pages (proc(5)).
        let pages = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
          .split(separator: " ").dropFirst().first.flatMap { Int($0) }
        return (try #require(pages), files.count)
      }
      let few = try await signIn(times: 50)
      let many = try await signIn(times: 950)
      #expect(Double(many.memory) < Double(few.memory) * 1.1, "\(few), \(many)")
      #expect(many.files == few.files)
    }
  }
}
