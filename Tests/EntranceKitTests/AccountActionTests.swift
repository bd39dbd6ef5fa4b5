import EntranceKit
import FoundationEssentials
import TestSupport
import Testing

@MainActor @Suite("The actions of the account page")
struct AccountActionTests {
  /// The names of the page's actions that the window's files use.
  private static let namesInFiles: Set<String> = {
    guard let tests = #filePath.firstRange(of: "/Tests/") else { return [] }
    let folder = #filePath[..<tests.lowerBound] + "/data/ui"
    let files = (try? FileManager.default.contentsOfDirectory(atPath: String(folder))) ?? []
    let texts = files.compactMap { try? String(contentsOfFile: "\(folder)/\($0)", encoding: .utf8) }
    return texts.reduce(into: []) { names, text in
      for part in text.split(separator: ">account.", omittingEmptySubsequences: false).dropFirst() {
        names.insert("account." + part.prefix { $0 != "<" && $0 != ":" })
      }
    }
  }()

  private let names = AccountAction.all.map(\.description)

  @Test("What files and shortcuts name is in the table")
  func references() {
    #expect(Self.namesInFiles.contains("account.call-graph"))
    let shortcuts = Shortcut.all.compactMap(\.action).filter { $0.hasPrefix("account.") }
    #expect(!shortcuts.isEmpty)
    // It has a state, so it is the page's own.
    let all = Set(names + ["account.show-full-tokens"])
    #expect(Self.namesInFiles.union(shortcuts).subtracting(all) == [])
  }

  @Test("None is there twice, and each has a button")
  func uses() {
    #expect(Set(names).count == names.count)
    // Those that only notices or shortcuts have, which name them in code.
    let inCode: [AccountAction] = [
      .useAnotherAccount, .signOutAgain, .dismissSignOut, .enterPassphrase, .readAgain, .dismiss,
      .dismissNotice, .copy(""), .openNetworkPage, .openDateSettings, .useWindow,
      .focusLog, .tryAgain,
    ]
    #expect(Set(names).subtracting(Self.namesInFiles) == Set(inCode.map(\.description)))
  }

  @Test("What cannot be done now is not possible")
  func needs() async throws {
    let page = try Page()
    let possible = { AccountAction.all.filter { $0.isPossible(page.model.state) }.map(\.name) }
    #expect(!possible().contains("sign-out") && !possible().contains("cancel"))
    #expect(!possible().contains("copy-log") && !possible().contains("manage"))
    #expect(possible().contains("sign-in"))
    let call = page.model.callGraph()
    #expect(possible().contains("cancel") && !possible().contains("call-graph"))
    await call?.value
    for name in ["call-graph", "sign-out", "copy-log", "clear-log", "manage", "add"] {
      #expect(possible().contains(name))
    }
    #expect(!possible().contains("sign-in"))
  }

  @Test(
    "Each way to sign in signs in and does not call the API",
    arguments: [AccountAction.signIn, .useAnotherAccount, .useWindow])
  func signIn(_ action: AccountAction) async throws {
    let page = try Page()
    action.perform(page.model, "")
    try await page.wait { $0.username == Person.adele.username && $0.work == nil }
    #expect(page.log.contains { $0.hasPrefix("Access token is ") })
    #expect(!page.log.contains { $0.hasPrefix("Result from Graph") })
    #expect(page.model.state.outcome == "Signed in as adele@contoso.example.")
  }
}
