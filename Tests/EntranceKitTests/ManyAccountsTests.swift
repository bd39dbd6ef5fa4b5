import AuthCore
import FoundationEssentials
import TestSupport
import Testing

@testable import EntranceKit

@Suite("Very many accounts")
struct ManyAccountsTests {
  @Test("A letter with very many accents is not searched for", .timeLimit(.minutes(1)))
  func accents() {
    func term(_ pairs: Int) -> String { "a" + String(repeating: "\u{301}\u{316}", count: pairs) }
    #expect(SearchText(["A"]).contains([term(200)]))
    #expect(!SearchText(["A"]).contains([term(150_000)]))
  }

  @Test("Their names are learned without a delay", .timeLimit(.minutes(1)))
  func names() async {
    await onOwnThread {
      var details = PersonalDetails()
      for number in 0..<10_000 {
        details.learn(username: "user\(number)@contoso.example", ["User \(number) of Contoso"])
      }
      let isNew = details.learn(username: "USER0@contoso.example")
      #expect(!isNew)
      #expect(details.hidden(in: "User9999@contoso.example") == "Account 10000")
    }
  }

  @Test("Texts about very many accounts are hidden without a delay", .timeLimit(.minutes(1)))
  func texts() async {
    await onOwnThread {
      let count = 10_000
      var details = PersonalDetails()
      for number in 0..<count {
        details.learn(username: "user\(number)@contoso.example", ["User \(number) of Contoso"])
      }
      let numbers = 1...count
      let text = numbers.map { "User\($0 - 1)@contoso.example" }.joined(separator: "\n")
      let hidden = numbers.map { "Account \($0)" }.joined(separator: "\n")
      #expect(details.hidden(in: text) == hidden)
      // What is hidden once stays as it is.
      func members(_ name: (Int) -> String) -> String {
        numbers.map { #"{"displayName": "\#(name($0))"}"# }.joined(separator: "\n")
      }
      let json = members { "Account \($0)" }
      #expect(details.hidden(in: members { "User \($0 - 1) of Contoso" }) == json)
      #expect(details.hidden(in: json) == json)
    }
  }

  @Test("The tenants in which one is a guest are listed without a delay", .timeLimit(.minutes(5)))
  @MainActor func guest() async throws {
    let tenants = 30_000
    let owner = #""home_account_id": "\#(Person.adele.identifier)""#
    let all = owner + #", "environment": "login.microsoftonline.com""#
    let profiles = (0..<tenants).map { #""\#($0)": {\#(all), "realm": "t\#($0)"}"# }
    let client = #""client_id": "\#(TestApplication.clientID)""#
    let text = """
      {"RefreshToken": {"": {"secret": "RT", \(client), \(all)}},
      "Account": {\(profiles.joined(separator: ","))}}
      """
    let store = ScriptedStore()
    store.records = [StoredRecord(id: "1", contents: Secret(Data(text.utf8)))]
    let page = try Page(store: store)
    await page.window.activate()?.value
    #expect(page.model.state.rows.count == 1 + tenants)
    #expect(page.model.state.rows.last?.id.tenantID == "t\(tenants - 1)")
  }
}
