import AuthCore
import CAllocations
import FoundationEssentials
import TestSupport
import Testing

@Suite("A process that signs in again and again", .timeLimit(.minutes(5)))
struct SignInMemoryTests {
  /// It has a process of its own, because other tests allocate memory in this one.
  ///
  /// If each sign-in kept a kilobyte, a thousand would take 950 kilobytes more than fifty. Threads
  /// keep some of what they free, so the memory is not the same to the byte.
  @Test("A thousand sign-ins take no more memory than fifty")
  func memory() async {
    await #expect(processExitsWith: .success) {
      let directory = try TemporaryDirectory()
      let (authority, clock) = (ScriptedAuthority(), ManualClock())
      let key = Secret(Data(repeating: 7, count: EncryptedFileTokenCacheStore.keySize))
      let store = EncryptedFileTokenCacheStore(directory: directory.path + "/accounts", key: key)
      let app = try TestApplication.make(authority, clock: clock, store: store)
      let people = [Person.adele, .ben, .megan]
      var afterFifty = 0
      for number in 1...1000 {
        authority.willSignIn(people[number % people.count])
        _ = try await app.acquireToken(.init(scopes: ["User.Read"], session: authority.pages))
        clock.advance(by: 1)
        // What the test itself has recorded.
        authority.forget()
        if number == 50 { afterFifty = allocated_bytes() }
      }
      #expect(allocated_bytes() - afterFifty < 512 << 10)
      #expect(await app.accounts().count == people.count)
      #expect(await app.storageFailure == nil)
      withExtendedLifetime(directory) {}
    }
  }
}
