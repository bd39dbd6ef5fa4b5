import AuthCore
import Connections
import EntranceKit
import FoundationEssentials
import TestSupport
import Testing

@MainActor @Suite("Preferences")
struct PreferencesTests {
  @Test("Defaults, and values of the wrong type or range")
  func values() {
    var preferences = Preferences(MemorySettings())
    #expect(preferences.signInWay == .automatic)
    #expect(!preferences.keepsWebSession)
    #expect(!preferences.keepsBodies)
    #expect(preferences.requestRetention == .forever)
    #expect(preferences.tokenDisplay == .shortened)
    #expect(preferences.clipboardLimit == 60)
    #expect(preferences.logLevel == .nothing)
    #expect(!preferences.logsPersonalData)
    #expect(preferences.style == .system)
    #expect(preferences.logTextSize == 100)
    #expect(preferences.wrapsLog)
    #expect(preferences.signOutChoice == .thisApp)
    preferences = Preferences(
      MemorySettings([
        "sign-in-way": .text("telepathy"), "clear-clipboard-after": .number(-1),
        "log-text-size": .text("big"), "wrap-log-lines": .number(0), "style": .flag(true),
      ]))
    #expect(preferences.signInWay == .automatic)
    #expect(preferences.clipboardLimit == 0)
    #expect(preferences.logTextSize == 100)
    #expect(preferences.wrapsLog)
    #expect(preferences.style == .system)
  }

  @Test("Above Microsoft's sign-in pages, people are told while “Stay signed in” has no effect")
  func staySignedIn() throws {
    func remark(_ preferences: [String: SettingValue], at authority: String) throws -> String? {
      let connection = Connection(
        name: "Test", application: try TestApplication.configuration(authority: authority),
        scopes: ["User.Read"], api: "https://graph.microsoft.com/v1.0/me")
      return Preferences(MemorySettings(preferences)).remark(abovePagesOf: connection)
    }
    let microsofts = "https://login.microsoftonline.com/common"
    let noEffect =
      "“Stay signed in” has no effect here while “Stay Signed In on Sign-In Pages” is off in the"
      + " preferences."
    let hidden = "Personal details are hidden in Entrance, but not on sign-in pages."
    let (keeps, hides) = ("keep-web-session", "hide-personal-details")
    #expect(try remark([:], at: microsofts) == noEffect)
    #expect(try remark([:], at: "https://contoso.ciamlogin.com/contoso.example") == noEffect)
    #expect(try remark([keeps: .flag(true)], at: microsofts) == nil)
    #expect(
      try remark([keeps: .flag(true), "shared-device": .flag(true)], at: microsofts) == noEffect)
    #expect(try remark([hides: .flag(true)], at: microsofts) == "\(hidden) \(noEffect)")
    // Others ask in other words, or not at all.
    #expect(try remark([:], at: "https://sts.contoso.example/adfs") == nil)
    #expect(try remark([hides: .flag(true)], at: "https://sts.contoso.example/adfs") == hidden)
  }

  @Test("A change is stored and reported once; a locked preference does not change")
  func changes() {
    let settings = MemorySettings(locked: ["style"])
    let preferences = Preferences(settings)
    var told: [Preferences.Key] = []
    let observer = preferences.changes.add { told.append($0) }
    preferences.signInWay = .browser
    preferences.signInWay = .browser
    preferences.keepsWebSession = true
    preferences.clipboardLimit = 10
    preferences.logLevel = .info
    preferences.logsPersonalData = true
    preferences.logTextSize = 150
    preferences.wrapsLog = false
    preferences.style = .dark
    #expect(
      told == [
        .signInWay, .keepsWebSession, .clipboardLimit, .logLevel, .logsPersonalData, .logTextSize,
        .wrapsLog,
      ])
    #expect(preferences.isLocked(.style) && !preferences.isLocked(.logLevel))
    #expect(preferences.style == .system)
    #expect(Preferences(settings).signInWay == .browser)
    _ = observer
  }

  @Test("The app that was used last comes first; without it, the first one")
  func lastApp() throws {
    let apps = try ["Contoso", "Fabrikam"].map { (name: String) -> Connection in
      var draft = ConnectionDraft()
      draft.name = name
      draft.clientID = "11111111-2222-3333-4444-555555555555"
      return try draft.connection()
    }
    let settings = MemorySettings()
    let preferences = Preferences(settings)
    #expect(preferences.lastApp.isEmpty)
    #expect(preferences.lastUsed(of: apps)?.name == "Contoso")
    preferences.lastApp = "Fabrikam"
    #expect(Preferences(settings).lastUsed(of: apps)?.name == "Fabrikam")
    // It was removed, or never existed.
    #expect(preferences.lastUsed(of: [apps[0]])?.name == "Contoso")
    #expect(preferences.lastUsed(of: []) == nil)
    // Somebody has written another type.
    let broken = Preferences(MemorySettings(["app": .number(2)]))
    #expect(broken.lastUsed(of: apps)?.name == "Contoso")
    // An administrator has chosen it.
    let locked = Preferences(MemorySettings(["app": .text("Fabrikam")], locked: ["app"]))
    locked.lastApp = "Contoso"
    #expect(locked.lastUsed(of: apps)?.name == "Fabrikam")
  }

  @Test("The text size follows the shortcuts within its range, unless it is locked")
  func zoom() {
    let preferences = Preferences(MemorySettings())
    preferences.zoomLog(.larger)
    #expect(preferences.logTextSize == 110)
    for _ in 0..<30 { preferences.zoomLog(.larger) }
    #expect(preferences.logTextSize == 300)
    for _ in 0..<30 { preferences.zoomLog(.smaller) }
    #expect(preferences.logTextSize == 50)
    preferences.zoomLog(.normal)
    #expect(preferences.logTextSize == 100)
    let locked = Preferences(MemorySettings(locked: ["log-text-size"]))
    locked.zoomLog(.larger)
    #expect(locked.logTextSize == 100)
  }

  @Test("A shared device keeps no web session")
  func sharedDevice() {
    let preferences = Preferences(
      MemorySettings(["keep-web-session": .flag(true), "shared-device": .flag(true)]))
    #expect(!preferences.keepsWebSession)
  }

  @Test("Every key is in the schema with the same default, a summary and a description")
  func schema() throws {
    let path = URL(filePath: #filePath).deletingLastPathComponent().path
    let file = "\(path)/../../data/io.github.entrance.Entrance.gschema.xml"
    let text = String(decoding: try Data(contentsOf: URL(filePath: file)), as: UTF8.self)
    let keys = text.components(separatedBy: "<key ").dropFirst()
    for key in keys {
      #expect(key.contains("<summary>") && key.contains("<description>"), "\(key.prefix(40))")
    }
    for key in Preferences.Key.allCases {
      #expect(keys.contains { $0.hasPrefix("name=\"\(key.rawValue)\"") }, "\(key.rawValue)")
    }
    for way in PreferredSignInWay.allCases {
      #expect(text.contains("<choice value=\"\(way.rawValue)\"/>"))
    }
    for level in LogLevel.allCases {
      #expect(text.contains("<choice value=\"\(level.rawValue)\"/>"))
    }
    for time in RequestRetention.allCases {
      #expect(text.contains("<choice value=\"\(time.rawValue)\"/>"))
    }
    for choice in SignOutChoice.allCases {
      #expect(text.contains("<choice value=\"\(choice.rawValue)\"/>"))
    }
  }

  // MARK: - What they do on the page

  @Test("A kept web session is not ephemeral")
  func webSession() async throws {
    let preferences = Preferences(MemorySettings())
    let page = try Page(preferences: preferences)
    await page.model.callGraph()?.value
    await page.model.signOut.signOut()?.value
    preferences.keepsWebSession = true
    await page.model.callGraph()?.value
    // Microsoft's pages let another account be chosen.
    await page.window.accounts.add()?.value
    #expect(page.authority.pagesShown.map(\.prefersEphemeralSession) == [true, false, false])
  }

  @Test("Tokens in the log change at once with the preference, and never by a lock")
  func tokens() async throws {
    let preferences = Preferences(MemorySettings())
    let page = try Page(preferences: preferences)
    await page.model.callGraph()?.value
    preferences.tokenDisplay = .hidden
    #expect(page.log.first == "Access token is [hidden]")
    page.model.log.setShowsFullTokens(true)
    #expect(page.log.first == "Access token is access-canary-1")
    page.model.log.setShowsFullTokens(false)
    #expect(page.log.first == "Access token is [hidden]")
    preferences.tokenDisplay = .full
    #expect(page.log.first == "Access token is access-canary-1")
    #expect(page.model.state.showsFullTokens)
    await page.model.signOut.signOut()?.value
    preferences.tokenDisplay = .shortened
    #expect(page.log.first == "Access token is \(AccountModelTests.shortened)")
    preferences.tokenDisplay = .hidden
    #expect(page.log.first == "Access token is [hidden]")

    let locked = try Page(
      preferences: Preferences(MemorySettings(locked: ["token-display"])))
    #expect(!locked.model.state.canShowFullTokens)
    locked.model.log.setShowsFullTokens(true)
    #expect(!locked.model.state.showsFullTokens)
  }

  @Test("The library's lines are in the log at the chosen level, masked until allowed")
  func libraryLog() async throws {
    let preferences = Preferences(MemorySettings())
    let page = try Page(preferences: preferences, libraryLog: LibraryLog())
    await page.model.callGraph()?.value
    #expect(page.log.count == 2)
    preferences.logLevel = .info
    await page.model.signOut.signOut()?.value
    while !page.log.contains(where: { $0.hasPrefix("[info] Sign-out, removal") }) {
      await Task.yield()
    }
    let id = "uid"
    let masked = try #require(page.log.first { $0.hasPrefix("[info] Signing out account ") })
    preferences.logsPersonalData = true
    await page.model.callGraph()?.value
    page.log = []
    await page.model.signOut.signOut()?.value
    while !page.log.contains(where: { $0.hasPrefix("[info] Sign-out, removal") }) {
      await Task.yield()
    }
    let plain = try #require(page.log.first { $0.hasPrefix("[info] Signing out account ") })
    #expect(plain != masked, "\(id)")
    #expect(!page.log.joined().contains("canary"))
    page.window.close()
  }

  // MARK: - Permissions

  @Test("Permissions are added and removed in the file, and checked")
  func permissions() throws {
    let directory = try TemporaryDirectory()
    try directory.write(
      "apps.json",
      """
      // Mine.
      { "version": 1, "apps": [ { "name": "Contoso",
        "clientID": "11111111-2222-3333-4444-555555555555" // From the portal.
      } ] }
      """)
    let path = "\(directory.path)/apps.json"
    let list = ConnectionList(files: ConnectionFiles(own: path)) { _ throws(AuthenticationError) in
      throw AuthenticationError(.networkUnavailable, "nobody is asked")
    }
    let connection = try #require(try ConnectionFile.load(path).first)
    let model = PermissionsModel(connection, list)
    #expect(model.state.scopes == ["User.Read"])
    #expect(!model.state.canRemove)
    #expect(model.add("Mail.Read User.Read"))
    #expect(try ConnectionFile.load(path).first?.scopes == ["User.Read", "Mail.Read"])
    #expect(!model.add("openid \"x"))
    #expect(model.state.problem != nil)
    #expect(model.state.scopes == ["User.Read", "Mail.Read"])
    model.remove("User.Read")
    #expect(model.state.problem == nil)
    #expect(try ConnectionFile.load(path).first?.scopes == ["Mail.Read"])
    model.remove("Mail.Read")
    #expect(model.state.scopes == ["Mail.Read"])
    let text = String(decoding: try directory.read("apps.json"), as: UTF8.self)
    #expect(text.contains("// Mine.") && text.contains("// From the portal."))
    // Once the app is gone, nothing is changed, and the user is told.
    _ = list.remove("Contoso")
    #expect(!model.add("Files.Read"))
    #expect(model.state.problem == "There is no app called “Contoso”.")
    #expect(model.state.scopes == ["Mail.Read"])
  }
}
