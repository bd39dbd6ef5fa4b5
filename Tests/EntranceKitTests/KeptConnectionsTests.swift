import AuthCore
@testable import EntranceKit
import FoundationEssentials
import MicrosoftGraph
import TestSupport
import Testing

/// What is kept of an app's accounts goes with the app, and no further.
@MainActor @Suite("Stored data of each app")
struct KeptConnectionsTests {
  private let files: TemporaryDirectory
  private let adele = AccountKey(
    homeAccountID: Person.adele.identifier, environment: "login.microsoftonline.com")

  init() throws {
    files = try TemporaryDirectory()
  }

  /// What there is at the start of the program.
  private func start() -> KeptConnections { KeptConnections(state: files.path, cache: files.path) }

  private func cookies(_ kept: KeptConnections, _ name: String) -> String {
    "\(kept.webSession(of: name))/cookies.sqlite"
  }

  /// Keeps something of each kind for the app called `name`.
  private func fill(_ kept: KeptConnections, _ name: String) async throws {
    let app = kept[name]
    app.accountNotes.note(adele) { $0.name = name }
    app.history.add(
      SentRequests.Entry(method: .get, address: name, status: 200, date: Date(), account: adele))
    let photo = try #require(ProfilePhoto(Data(PhotoTests.png(96, 96))))
    await app.photos.store(photo, of: adele)
    try FileManager.default.createDirectory(
      atPath: kept.webSession(of: name), withIntermediateDirectories: true)
    try Data(name.utf8).write(to: URL(filePath: cookies(kept, name)))
    await app.accountNotes.finishWriting()
    await app.history.finishWriting()
  }

  /// Whether the app called `name` has what was kept for the one that was called `owner`; nil for none.
  private func check(_ kept: KeptConnections, _ name: String, has owner: String?) async {
    let app = kept[name]
    await app.accountNotes.load()
    await app.history.load()
    #expect(app.accountNotes.note(of: adele)?.name == owner)
    #expect(app.history.entries.map(\.address) == [owner].compactMap(\.self))
    let photo = await app.photos.picture(of: adele)
    #expect((photo == nil) == (owner == nil))
    let cookies = FileManager.default.contents(atPath: cookies(kept, name))
    #expect(cookies == owner.map { Data($0.utf8) })
  }

  @Test(
    "Stored data follows the app's new name, whether the app is open or not",
    arguments: [true, false])
  func rename(isOpen: Bool) async throws {
    let before = start()
    try await fill(before, "Contoso")
    let kept = isOpen ? before : start()
    await kept.rename("Contoso", to: "Fabrikam")?.value
    for kept in [kept, start()] {
      await check(kept, "Fabrikam", has: "Contoso")
      await check(kept, "Contoso", has: nil)
    }
    #expect(kept.rename("Fabrikam", to: "Fabrikam") == nil)
    await check(start(), "Fabrikam", has: "Contoso")
  }

  @Test("An app with the name of a removed app that was open keeps its own data")
  func nameOfRemoved() async throws {
    try await fill(start(), "Contoso")
    let kept = start()
    try await fill(kept, "Fabrikam")
    let removed = kept["Fabrikam"]
    kept.forget("Fabrikam")
    await kept.rename("Contoso", to: "Fabrikam")?.value
    await check(kept, "Fabrikam", has: "Contoso")
    // The window of the removed one can still be used.
    removed.accountNotes.note(adele) { $0.name = "Removed" }
    removed.history.clear()
    await removed.accountNotes.finishWriting()
    await removed.history.finishWriting()
    await check(start(), "Fabrikam", has: "Contoso")
  }

  @Test("Bodies of requests are forgotten in the files of all apps, whether they are open or not")
  func bodies() async throws {
    let (before, names) = (start(), ["Contoso", "Fabrikam"])
    for name in names {
      before[name].history.add(
        SentRequests.Entry(
          method: .post, address: name, fields: "Prefer: a", body: "{}", status: 202, date: Date(),
          account: adele))
      await before[name].history.finishWriting()
    }
    let kept = start()
    _ = kept["Contoso"]
    await kept.forgetRequests(by: Preferences(MemorySettings()).requestRule).value
    await kept["Contoso"].history.finishWriting()
    for name in names {
      let history = start()[name].history
      await history.load()
      let request = try #require(history.entries.first?.request)
      #expect(history.entries.count == 1 && request.body.isEmpty && request.lacksBody)
      #expect(request.address == name && request.fields == "Prefer: a")
    }
  }

  @Test("Requests that are too old are forgotten in the files of all apps, open or not")
  func oldRequests() async {
    let (before, names) = (start(), ["Contoso", "Fabrikam"])
    for name in names {
      for (address, age) in [("old", 8.0), ("new", 6.0)] {
        before[name].history.add(
          SentRequests.Entry(
            method: .get, address: address, status: 200,
            date: Date().addingTimeInterval(-age * 24 * 60 * 60), account: adele))
      }
      await before[name].history.finishWriting()
    }
    let preferences = Preferences(MemorySettings(["keep-requests-for": .text("7-days")]))
    let kept = start()
    _ = kept["Contoso"]
    await kept.forgetRequests(by: preferences.requestRule).value
    await kept["Contoso"].history.finishWriting()
    for name in names {
      let history = start()[name].history
      await history.load()
      #expect(history.entries.map(\.address) == ["new"])
    }
  }

  @Test("A renamed app without data does not get what a removed app has left")
  func leftovers() async throws {
    try await fill(start(), "Fabrikam")
    let kept = start()
    await kept.rename("Contoso", to: "Fabrikam")?.value
    await check(kept, "Fabrikam", has: nil)
    await check(start(), "Fabrikam", has: nil)
  }
}
