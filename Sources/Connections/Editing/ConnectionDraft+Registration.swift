import AuthCore
import Sentences

// What the registration of an app is missing for a program on this computer.
extension ConnectionDraft {
  /// Says that the one organization whose accounts can sign in is unknown.
  mutating func noteMissingOrganization() {
    note(
      Sentence(
        "Only accounts of one organization can use this app, and its name is missing. Enter the"
          + " domain or tenant ID of the organization."),
      on: ConnectionFields.shared.authority.name)
  }

  /// Says that the client secret is left out.
  mutating func noteSecret() {
    note(
      Sentence([
        Sentence("The client secret is not used here and was not kept."), Self.publicClient,
      ]))
  }

  /// Says what keeps the registered app from being a public client, which has no secret.
  mutating func noteClient(_ json: JSON) {
    if json.text(
      "client_secret", "clientSecret", "ClientSecret", "client_credential", "secret", "password")
      != nil
    {
      noteSecret()
    } else if Self.isConfidential(json) {
      note(
        Sentence([Sentence("The app is not registered as a public client."), Self.publicClient]))
    }
  }

  private static let publicClient = Sentence([
    Sentence("In the Microsoft Entra admin center, open the app registration."),
    Sentence("Under “Authentication”, set “Allow public client flows” to “Yes”."),
  ])

  /// Whether a registration, as Microsoft Graph or the portal's manifest describes it, says that the
  /// app is no public client: by a flag, and with no redirect URI for such a one.
  private static func isConfidential(_ json: JSON) -> Bool {
    let flag = json["isFallbackPublicClient"] ?? json["allowPublicClient"]
    let older = (json["replyUrlsWithType"]?.array ?? []).map { $0.text("type") }
    let isWeb =
      [json["web"], json["spa"]].contains { $0?["redirectUris"]?.array?.isEmpty == false }
      || !older.isEmpty
    let isPublic =
      flag?.bool == true || json["publicClient"]?["redirectUris"]?.array?.isEmpty == false
      || older.contains("InstalledClient")
    return !isPublic && (flag != nil || isWeb)
  }
}
