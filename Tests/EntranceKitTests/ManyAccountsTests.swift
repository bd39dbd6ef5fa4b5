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
  func names() {
    var details = PersonalDetails()
    for number in 0..<10_000 {
      details.learn(username: "user\(number)@contoso.example", ["User \(number) of Contoso"])
    }
    let isNew = details.learn(username: "USER0@contoso.example")
    #expect(!isNew)
    #expect(details.hidden(in: "User9999@contoso.example") == "Account 10000")
  }
}
