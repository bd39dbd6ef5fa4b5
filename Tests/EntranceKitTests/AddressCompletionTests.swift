import Testing

@testable import EntranceKit

@Suite("What completes an address")
struct AddressCompletionTests {
  private func texts(_ head: String, _ method: ExplorerRequest.Method = .get) -> [String] {
    AddressCompletion.find(after: head, for: method)?.proposals.map(\.text) ?? []
  }

  @Test("A path is completed by what its resource has, also in another case and version")
  func paths() {
    #expect(texts("/v1.0/me/mess") == ["messages"])
    #expect(texts("/ME/MAILF") == ["mailFolders"])
    #expect(
      texts("/beta/users/adele@contoso.example/cal").prefix(2) == ["calendar", "calendarGroups"])
    #expect(texts("https://graph.microsoft.com/v1.0/me/drive/root/chi") == ["children"])
    #expect(texts("/me/drive/root:/Reports/May.xlsx:/work") == ["workbook"])
    #expect(texts("/me/mailFolders/inbox/messages/1/att") == ["attachments"])
    #expect(texts("/users/d") == ["delta"])
    #expect(texts("/users/$") == ["$count"])
    #expect(texts("/v1.0/").contains("servicePrincipals"))
    #expect(texts("/m") == ["me"])
  }

  @Test("An action is proposed only for POST")
  func actions() {
    #expect(texts("/me/sendM") == [])
    #expect(texts("/me/sendM", .post) == ["sendMail"])
    let completion = AddressCompletion.find(after: "/me/sendM", for: .post)
    #expect(completion?.proposals.map(\.kind) == [.action])
    #expect(completion?.begun == 5)
  }

  @Test("A proposal says what it is")
  func kinds() {
    let proposals = AddressCompletion.find(after: "/me/ma", for: .get)?.proposals
    #expect(
      proposals == [
        .init("mailFolders", .list("mailFolder")),
        .init("managedAppRegistrations", .list("managedAppRegistration")),
        .init("managedDevices", .list("managedDevice")),
        .init("manager", .resource("directoryObject")),
      ])
  }

  @Test("Query options that one resource does not have, or that are there, are not proposed")
  func options() {
    #expect(texts("/users?") == texts("/users?$") && texts("/users?$").count == 8)
    #expect(texts("/me?$") == ["$expand=", "$select="])
    #expect(texts("/users?$top=5&$s") == ["$search=", "$select=", "$skip="])
    #expect(texts("/users?$select=id&$se") == ["$search="])
  }

  @Test("Values are completed by properties and relationships")
  func values() {
    #expect(texts("/me?$select=displayName,jobT") == ["jobTitle"])
    // A property of the type that a user extends.
    #expect(texts("/users?$select=deleted") == ["deletedDateTime"])
    #expect(texts("/me/messages?$orderby=rec") == ["receivedDateTime"])
    #expect(texts("/me/messages?$filter=isRead eq false and hasA") == ["hasAttachments"])
    #expect(texts("/me?$expand=mana").first == "managedAppRegistrations")
    #expect(texts("/me?$expand=manager($select=di") == [])
    #expect(texts("/users/delta?$select=mailN") == ["mailNickname"])
  }

  @Test("A filter is completed by operators after a property, and by values after an operator")
  func filters() {
    let operators = ["eq", "ge", "gt", "has", "in", "le", "lt", "ne"]
    #expect(texts("/me/messages?$filter=isRead ") == operators)
    #expect(texts("/me/messages?$filter=isRead g") == ["ge", "gt"])
    #expect(texts("/me/messages?$filter=not(isRead+") == operators)
    #expect(texts("/me/messages?$filter=isRead eq ") == ["false", "null", "true"])
    #expect(texts("/me/messages?$filter=isRead+NE+t") == ["true"])
    #expect(texts("/me/messages?$filter=isRead eq false ") == ["and", "or"])
    #expect(texts("/users?$filter=displayName eq 'A or B' ") == ["and", "or"])
    #expect(texts("/users?$filter=startswith(displayName,'A') ") == ["and", "or"])
    #expect(texts("/users?$filter=startswith(displayN") == ["displayName"])
    #expect(texts("/users?$filter=displayName in ('A','B') and jobT") == ["jobTitle"])
    #expect(texts("/users?$filter=displayName in ('A','B') and (jobT") == ["jobTitle"])
    for head in ["createdDateTime gt ", "displayName in (", "displayName in ('A',", "mail eq 'a b"]
    {
      #expect(texts("/users?$filter=\(head)") == [], "\(head)")
    }
  }

  @Test(
    "Nothing is proposed where nothing is known, and for what is already written",
    arguments: [
      "/nothing/", "/users/1/nothing/", "/me/messages?$select=subject", "/me?$top=", "",
      "/me?x=y",
      "/me/drive/root:/Reports/", "/v1.0/me/microsoft.graph.nothing/",
      String(repeating: "/me", count: 5000),
      "/me/messages", "\u{0}/", "/me/\u{301}",
    ])
  func nothing(head: String) {
    #expect(texts(head) == [])
  }
}
