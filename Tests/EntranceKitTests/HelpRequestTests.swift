import EntranceKit
import Testing

@Suite("The message that asks for an app registration")
struct HelpRequestTests {
  @Test("It names the registration, says what Entrance is, and how to approve its permissions")
  func registration() {
    let lines = HelpRequest().text.split(separator: "\n")
    #expect(lines.contains("Name: Entrance"))
    #expect(
      lines.contains {
        $0.hasPrefix("Entrance is ") && $0.hasSuffix(" https://github.com/entrance/entrance")
      })
    #expect(lines.contains { $0.contains("“Grant admin consent” under “API permissions”") })
  }

  @Test("What is copied also has the command for Azure CLI, on a line of its own")
  func command() {
    let request = HelpRequest()
    #expect(request.copiedText.hasPrefix(request.text))
    let line = request.copiedText.split(separator: "\n").last
    #expect(line?.hasPrefix("az rest --method POST ") == true)
    #expect(line?.contains(#""displayName":"Entrance""#) == true)
  }

  @Test("An email has the message without the command, in an address of at most 2,000 characters")
  func email() {
    let address = HelpRequest().mailto(subject: "An app")
    // RFC 6068, section 5: a line ends with %0D%0A, and a space is %20.
    #expect(address.hasPrefix("mailto:?subject=An%20app&body=To%20sign%20in%20"))
    #expect(address.contains("%0D%0AName%3A%20Entrance%0D%0A"))
    #expect(!address.contains("az%20rest"))
    #expect(address.utf8.count < 2000)
  }
}
