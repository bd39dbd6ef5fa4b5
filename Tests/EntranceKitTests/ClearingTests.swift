import AuthCore
@testable import EntranceKit
import FoundationEssentials
import TestSupport
import Testing

/// What is left of accounts after *Clear All Data*, and after an app was removed with them.
@MainActor @Suite("Clearing what is kept")
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
    // The other window follows when it comes to the foreground.
    await other.window.activate()?.value
    #expect(other.model.state.username == nil && explorer.answer == nil)
  }

  @Test("What is kept of an app's accounts is forgotten, whether it was read or not")
  func forget() async throws {
    let files = try TemporaryDirectory()
    let page = try Page(files: files)
    await page.model.callGraph()?.value
    let id = try page.row(.adele).id
    page.window.accounts.rename(id, to: "Work")
    await page.workspace.book.finishWriting()
    #expect(files.names(in: "selection").count == 1)
    let unread = AccountBook(
      SelectionFile(directory: "\(files.path)/selection", connection: "Test"))
    unread.clear()
    await unread.finishWriting()
    #expect(files.names(in: "selection").isEmpty)
    let selection = await unread.lastSelection()
    #expect(selection == nil)
    page.workspace.book.clear()
    #expect(page.window.accounts.nameToEdit(of: id) == Person.adele.username)
  }
}
