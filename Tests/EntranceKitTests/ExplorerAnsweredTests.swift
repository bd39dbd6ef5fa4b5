import EntranceKit
import FoundationEssentials
import TestSupport
import Testing

@MainActor @Suite("Which request the answer of the Explorer page is to")
struct ExplorerAnsweredTests {
  @Test(
    "An answer says which request it is to also beside one that cannot be sent",
    arguments: ["", "  ", "/users/{{who}}", "http://graph.microsoft.com/v1.0/me", "/users/{id}"])
  func cannotBeSent(address: String) async throws {
    let page = try Page()
    await page.model.callGraph()?.value
    let model = ExplorerModel(page.window)
    model.request.address = "me"
    await model.send()?.value
    #expect(model.state.answered == nil)
    model.request.address = address
    #expect(model.state.answered == "GET me" && !model.state.canSend)
    model.request.address = "me"
    #expect(model.state.answered == nil)
  }

  @Test("An answer says which request it is to beside one of a file with an unknown variable")
  func unknownVariable() async throws {
    let files = try TemporaryDirectory()
    let page = try Page()
    await page.model.callGraph()?.value
    let model = ExplorerModel(page.window)
    model.request.address = "me"
    await model.send()?.value
    try files.write("a.http", "GET https://graph.microsoft.com/v1.0/users/{{who}}\n")
    model.files.open("\(files.path)/a.http")
    await model.files.finishReading()
    model.choose(try #require(model.files.rows.last))
    while model.state.problem == nil { await Task.yield() }
    #expect(model.state.answered == "GET me")
  }
}
