import EntranceKit
import Testing

@Suite("Very many accounts")
struct ManyAccountsTests {
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
