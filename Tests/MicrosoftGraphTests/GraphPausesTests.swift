import Testing

@testable import MicrosoftGraph

@Suite("The parts of an API that have pauses of their own")
struct GraphPausesTests {
  @Test(
    "A part is a mailbox, or a collection with what is in its items",
    arguments: [
      ("/v1.0/me", "me"), ("/beta/me?$select=id", "me"), ("/v1.0/me/messages/1", "mailbox me"),
      ("/v1.0/users/Adele@contoso.example/events", "mailbox adele@contoso.example"),
      ("/v1.0/me/mailFolders('Inbox')/messages", "mailbox me"), ("/v1.0/users", "users"),
      ("/v1.0/users/1", "users"), ("/v1.0/users('1')/drive", "users/drive"),
      ("/v1.0/me/drive/root:/a/b:/content", "me/drive"),
      ("/v1.0/groups/1/members", "groups/members"), ("/v1.0/$batch", "$batch"),
      ("/orders/17", "orders"), ("//me//drive", "me/drive"), ("/", ""), ("", ""),
    ])
  func part(path: String, part: String) {
    #expect(GraphPauses.part(of: path) == part)
  }
}
