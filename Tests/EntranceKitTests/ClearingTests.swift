import AuthCore
@testable import EntranceKit
import FoundationEssentials
import Glibc
import TestSupport
import Testing

/// What is left of accounts after *Clear All Data*, and after an app was removed with them.
@MainActor @Suite("Clear All Data")
struct ClearingTests {
  @Test("Clear All Data removes the accounts of all open connections, and what was sent for them")
  func clearOthers() async throws {
    let page = try await SignOutTests().page()
    let other = try await SignOutTests().page()
    let explorer = ExplorerModel(other.window)
    await explorer.send()?.value
    #expect(!explorer.list.isHistoryEmpty)
    await page.window.storage.clearAllData(of: [page.workspace, other.workspace])?.value
    #expect(page.store.records.isEmpty && other.store.records.isEmpty)
    #expect(explorer.list.isHistoryEmpty)
    // The other window follows at once.
    await other.window.status.finishWork()
    #expect(other.model.state.username == nil && explorer.answer == nil)
  }

  @Test("Clear All Data removes files that cannot be read, too")
  func refusedFile() async throws {
    let storage = try StorageTests()
    let (page, file) = try await storage.withRefusedFile()
    await page.window.activate()?.value
    await page.window.storage.clearAllData()?.value
    #expect(!page.window.storage.hasRemainingData)
    #expect(!storage.directory.names(in: "accounts").contains(file))
    chmod("\(storage.directory.path)/accounts/\(file)", 0o600)
    let next = try storage.page(.encryptedFile, credentials: storage.directory.path)
    await next.window.activate()?.value
    #expect(next.state.loadState == .known && next.state.rows.isEmpty)
  }

  @Test("Clear All Data reports accounts that it cannot reach")
  func noKey() async throws {
    let storage = try StorageTests()
    mkdir("\(storage.directory.path)/accounts", 0o700)
    try storage.directory.write("accounts/account.\(String(repeating: "A", count: 22))", "")
    let page = try storage.page()
    await page.window.activate()?.value
    await page.window.storage.clearAllData()?.value
    let notice = try #require(page.state.notices.first { $0.id == "clearing" })
    #expect(notice.text == "Some data could not be cleared.")
    #expect(
      notice.details.contains { $0.contains("were encrypted with a key that is not available") })
  }

  @Test("What could not be deleted is in one notice, or said elsewhere, and the log has it")
  func notCleared() throws {
    let page = try Page()
    let text = "“/x/cookies.sqlite” cannot be deleted. Delete the file yourself."
    let failure = AuthenticationError(
      .storageUnavailable, "“/x/cookies.sqlite” cannot be deleted. Delete the file yourself.",
      step: .storage)
    page.window.report(notCleared: [])
    page.window.log(notCleared: [failure])
    #expect(page.takeLog().first?.hasPrefix("Some data was not cleared: \(text)") == true)
    #expect(page.model.state.notices.isEmpty && page.model.state.outcome == nil)
    page.window.report(notCleared: [failure, failure])
    #expect(page.takeLog().count == 2)
    #expect(page.model.state.notices.map(\.text) == ["Some data could not be cleared."])
    #expect(page.model.state.notices.first?.details.filter { $0 == text }.count == 2)
    #expect(page.model.state.outcome == nil && page.toasts.isEmpty)
  }

  @Test("Notes about an app's accounts are forgotten, whether they were read or not")
  func forget() async throws {
    let files = try TemporaryDirectory()
    let page = try Page(files: files)
    await page.model.callGraph()?.value
    let id = try page.row(.adele).id
    page.window.accounts.rename(id, to: "Work")
    await page.workspace.accountNotes.finishWriting()
    #expect(files.names(in: "selection").count == 1)
    let unread = AccountNotesFile(in: "\(files.path)/selection", of: "Test")
    unread.clear()
    await unread.finishWriting()
    #expect(files.names(in: "selection").isEmpty)
    let selection = await unread.lastSelection()
    #expect(selection == nil)
    page.workspace.accountNotes.clear()
    #expect(page.window.accounts.nameToEdit(of: id) == Person.adele.name)
  }
}
