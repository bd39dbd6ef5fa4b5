import AuthCore
import Connections
import EntranceKit
import FoundationEssentials
import MicrosoftGraph
import TestSupport
import Testing

/// The desktop's search: what is found, and what it tells.
@MainActor @Suite("The desktop's search", .timeLimit(.minutes(5)))
struct SearchTests {
  /// A page where Zoë, and the others, are signed in.
  func page(
    _ people: [Person] = [.adele], files: TemporaryDirectory? = nil
  ) async throws -> Page {
    let page = try Page(files: files)
    for person in people {
      page.authority.willSignIn(person)
      await page.window.accounts.add()?.value
    }
    #expect(page.model.state.rows.count == people.count)
    return page
  }

  /// A search for the accounts of `page`, and for these other connections.
  func search(
    _ page: Page, others: [String] = [], files: TemporaryDirectory? = nil,
    settings: MemorySettings = MemorySettings()
  ) throws -> SearchModel {
    let configuration = try TestApplication.configuration()
    let connections = (["Test"] + others).map {
      Connection(
        name: $0, application: configuration, scopes: ["User.Read"],
        api: "https://graph.microsoft.com/v1.0/me")
    }
    let (store, clock) = (page.store, page.clock)
    return SearchModel(preferences: Preferences(settings), connections: { connections }) {
      $0.name == "Test"
        ? PublicClientApplication(
          configuration: $0.application, store: store,
          runtime: Runtime(now: { clock.now }, transport: ScriptedAuthority())) : nil
    } photos: { connection in
      files.map { PhotoCache(directory: "\($0.path)/photos", connection: connection.name) }
    }
  }

  static let zoe = Person(
    username: "zoe@contoso.example", name: "Zoë Ångström",
    objectID: "5f1d2b3c-0000-4000-8000-0000000000aa", tenant: Person.adele.homeTenant)

  @Test(
    "Accounts are found by name, user name and organization, whatever the case and accents",
    arguments: [
      ["zoe"], ["ZOË"], ["angstrom"], ["ÅNGSTRÖM", "zo"], ["zoe@contoso"],
      ["Contoso.EXAMPLE", "Zoë"],
    ])
  func folding(terms: [String]) async throws {
    let model = try search(try await page([.adele, Self.zoe]))
    let found = await model.find(terms)
    #expect(await model.results(found).map(\.title) == ["zoe@contoso.example"])
  }

  @Test("Each term has to occur, and no term finds nothing")
  func terms() async throws {
    let model = try search(try await page())
    #expect(await model.find(["adele", "nobody"]).isEmpty)
    #expect(await model.find([]).isEmpty)
    #expect(await model.find(["", "\u{301}"]).isEmpty)
  }

  @Test("Accounts come before connections, with the name of theirs when there are several")
  func rows() async throws {
    let page = try await page()
    let model = try search(page, others: ["Adele's Tests"])
    let results = await model.results(await model.find(["adele"]))
    #expect(results.map(\.title) == ["adele@contoso.example", "Adele's Tests"])
    #expect(
      results.map(\.details) == [
        "Adele Vance · contoso.example · Work or school account · Test", "App in Entrance",
      ])
    #expect(results.map(\.id.connection) == ["Test", "Adele's Tests"])
    #expect(results.first?.id.account == page.model.state.rows.first?.id)
    #expect(results.last?.id.account == nil)
    let alone = try search(page)
    #expect(
      await alone.results(await alone.find(["adele"])).map(\.details)
        == ["Adele Vance · contoso.example · Work or school account"])
  }

  @Test("A further term narrows what was found, without another read of the store")
  func narrowing() async throws {
    let page = try await page([.adele, Self.zoe])
    let model = try search(page)
    let found = await model.find(["contoso"])
    #expect(found.count == 2)
    page.store.records = []
    let less = await model.find(["contoso", "zoe"], among: found)
    #expect(await model.results(less).map(\.title) == ["zoe@contoso.example"])
    #expect(await model.find(["contoso"]).isEmpty)
  }

  @Test("Another run of the program knows what was found, unless it is gone")
  func nextRun() async throws {
    let page = try await page()
    let identifiers = try await search(page).find(["adele"]).map(\.identifier)
    #expect(identifiers.allSatisfy { !$0.contains("adele") && !$0.contains("contoso") })
    let ids = identifiers.compactMap(SearchResultID.init)
    #expect(ids.map(\.identifier) == identifiers)
    let next = try search(page)
    #expect(await next.results(ids).map(\.title) == ["adele@contoso.example"])
    page.store.records = []
    #expect(try await search(page).results(ids).isEmpty)
  }

  @Test(
    "Only identifiers of a search are read",
    arguments: [
      "", "{}", "[]", "[1]", #"["a","b"]"#, #"["a","b","c","d","e"]"#, #"["a",null,"c"]"#,
    ])
  func identifiers(text: String) {
    #expect(SearchResultID(text) == nil)
  }

  @Test("Guests are found in their organization too")
  func guest() async throws {
    let page = try await TenantsTests().guestPage()
    let model = try search(page)
    let found = await model.find(["fabrikam"])
    #expect(found.map(\.account) == [try page.row(.adele, tenantID: Person.fabrikam).id])
    #expect(
      await model.results(found).map(\.details)
        == ["Adele Vance · fabrikam.example · Guest account"])
  }

  @Test("A kept photo is shown")
  func photo() async throws {
    let files = try TemporaryDirectory()
    let bytes = PhotoTests.png(96, 96)
    let page = try Page(files: files)
    page.authority.next(.photo) { _ in PhotoTests.reply(bytes) }
    await page.model.callGraph()?.value
    _ = try await files.firstFile(in: "photos")
    let model = try search(page, files: files)
    #expect(
      await model.results(await model.find(["adele"])).map(\.picture?.data) == [Data(bytes)])
  }

  @Test("On a shared device only connections are found")
  func sharedDevice() async throws {
    let settings = MemorySettings(["shared-device": .flag(true)])
    let model = try search(try await page(), settings: settings)
    #expect(await model.find(["adele"]).isEmpty)
    #expect(await model.find(["test"]).count == 1)
  }

  @Test(
    "What was found before tells no name either, once names are hidden",
    arguments: ["hide-personal-details", "shared-device"])
  func hiddenLater(setting: String) async throws {
    let settings = MemorySettings()
    let model = try search(try await page(), others: ["Adele's Tests"], settings: settings)
    let found = await model.find(["adele"])
    #expect(found.count == 2)
    settings.keep(.flag(true), for: setting)
    #expect(await model.results(found).map(\.title) == ["Adele's Tests"])
    #expect(await model.find(["adele", "contoso"], among: found).isEmpty)
    settings.keep(.flag(false), for: setting)
    #expect(await model.results(found).count == 2)
  }

  @Test("The notes of a release are found in the metadata of the program")
  func releaseNotes() {
    let text = """
      <releases><release version="0.2.0" date="2027-01-01">
        <description translatable="no"><p>New.</p></description></release>
        <release version="0.1.0"/></releases>
      """
    #expect(ReleaseNotes.find("0.2.0", in: text) == "<p>New.</p>")
    #expect(ReleaseNotes.find("0.1.0", in: text) == nil)
    #expect(ReleaseNotes.find("0.3.0", in: text) == nil)
  }
}
