import HTTPTypes
import Testing

@testable import IdentityEmulator

/// Mail, as Microsoft's SDKs send and move it.
struct GraphMailTests {
  private func mail(_ subject: String, saved: String) -> String {
    """
    {"Message": {"subject": "\(subject)", "toRecipients": [
      {"emailAddress": {"address": "bram@contoso.example"}}]}, "SaveToSentItems": \(saved)}
    """
  }

  @Test func `Parameters of actions may begin with a capital letter`() async throws {
    try await withEmulator { emulator, client in
      let graph = try await GraphSession(emulator, client, scopes: "Mail.ReadWrite Mail.Send")
      #expect(try await graph(.post, "/me/sendMail", mail("Plan", saved: "true")).status == 202)
      let sent = try await graph(.get, "/me/mailFolders/sentitems/messages?$top=1").items
      #expect(sent.first?["subject"]?.string == "Plan")

      let id = try #require(sent.first?["id"]?.string)
      for action in ["copy", "move"] {
        let reply = try await graph(
          .post, "/me/messages/\(id)/\(action)", #"{"DestinationId": "archive"}"#)
        #expect(reply.status == 201)
      }
      let archived = try await graph(.get, "/me/mailFolders/archive/messages").items
      #expect(archived.map { $0["subject"]?.string } == ["Plan", "Plan"])
    }
  }

  @Test(arguments: ["false", #""false""#])
  func `Mail that is not saved reaches its recipients only`(saved: String) async throws {
    try await withEmulator { emulator, client in
      let graph = try await GraphSession(emulator, client, scopes: "Mail.ReadWrite Mail.Send")
      let before = try await graph(.get, "/me/mailFolders/sentitems").json
      #expect(try await graph(.post, "/me/sendMail", mail("Secret", saved: saved)).status == 202)
      let after = try await graph(.get, "/me/mailFolders/sentitems").json
      #expect(after["totalItemCount"]?.text == before["totalItemCount"]?.text)

      let bram = try await GraphSession(
        emulator, client, "bram@contoso.example", scopes: "Mail.Read")
      let received = try await bram(.get, "/me/mailFolders/inbox/messages?$top=1").items
      #expect(received.first?["subject"]?.string == "Secret")
    }
  }
}
