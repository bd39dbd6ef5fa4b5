import AuthCore
import CurlHTTP
import TestSupport
import Testing

@Suite("Work that is finished before the process ends", .timeLimit(.minutes(5)))
struct UnfinishedWorkTests {
  /// The work of the whole process counts, so the test has its own process.
  ///
  /// The sign-out page, which comes after it, is waited for no longer.
  @Test("A sign-out is unfinished until the store has done it, whatever becomes of its caller")
  func signOut() async {
    await #expect(processExitsWith: .success) {
      let (authority, store) = (ScriptedAuthority(), ScriptedStore())
      let app = try TestApplication.make(authority, store: store)
      let pages = authority.pages
      let account = try await app.acquireToken(.init(scopes: ["User.Read"], session: pages)).account
      let (begun, isBegun) = AsyncStream<Void>.makeStream()
      let (gate, opening) = AsyncStream<Void>.makeStream()
      store.hold { _ in
        isBegun.yield()
        for await _ in gate {}
      }
      let isInProgress = LockedValue<Bool?>(nil)
      let page = ScriptedPages { request throws(AuthenticationError) in
        isInProgress.withLock { $0 = UnfinishedWork.isInProgress }
        return try await pages.authenticate(request)
      }
      let signOut = Task {
        try await app.signOut(account, parameters: SignOutParameters(session: page))
      }
      for await _ in begun { break }
      signOut.cancel()
      #expect(UnfinishedWork.isInProgress && store.records.count == 1)
      opening.finish()
      let result = try await signOut.value
      #expect(result.removal == .done && result.browserSession == .done)
      #expect(isInProgress.withLock { $0 } == false)
      #expect(store.records.isEmpty)
    }
  }
}

/// A store that tells whether its records are read on the main actor.
private struct IsolationStore: ForwardingStore {
  let store = ScriptedStore()
  var target: any TokenCacheStore { store }
  var knownTarget: (any TokenCacheStore)? { store }
  let isReadOnMainActor = LockedValue<Bool?>(nil)

  func load() async throws(AuthenticationError) -> [StoredRecord] {
    let isOnMainActor = #isolation === MainActor.shared
    isReadOnMainActor.withLock { $0 = isOnMainActor }
    return try await store.load()
  }
}

@MainActor @Suite("Accounts of other apps in the same store")
struct OtherAppsTests {
  @Test("All records are read for them, which takes its time elsewhere than on the main actor")
  func place() async throws {
    let (authority, store) = (ScriptedAuthority(), IsolationStore())
    let app = try TestApplication.make(authority, store: store)
    let account = try await app.acquireToken(
      .init(scopes: ["User.Read"], session: authority.pages)
    ).account
    // The test itself is there, and what it calls directly.
    _ = try await store.load()
    #expect(store.isReadOnMainActor.withLock(\.self) == true)
    #expect(await !app.isUsedByOtherApps(account))
    #expect(store.isReadOnMainActor.withLock(\.self) == false)
  }
}
