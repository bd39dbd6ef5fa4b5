import AuthCore
import MicrosoftGraph
import Sentences

/// What the values of claims mean.
enum ClaimValue {
  /// The value of a claim in words; nil when that is not known.
  static func words(_ claim: JSON.Member) -> Sentence? {
    let text =
      claim.value.string ?? claim.value.number.flatMap { Int(exactly: $0) }.map(String.init)
    guard let text else { return claim.value.bool.map(words) }
    return switch claim.name {
    case "aud": api(text)
    case "tid" where text == "9188040d-6c67-4c5b-b112-36a304b66dad":
      Sentence("Personal Microsoft accounts")
    case "appidacr", "azpacr": credential(text)
    case "acct": account(text)
    case "idtyp": kind(text)
    case "ver": Sentence("Version {number} of Entra ID’s tokens", ["number": text])
    case "acr" where text == "0": Sentence("Weaker than ISO/IEC 29115 asks for")
    case "acr" where text == "1": Sentence("As ISO/IEC 29115 asks for")
    case "idp" where text == "live.com": Sentence("Personal Microsoft accounts")
    default: nil
    }
  }

  private static func words(_ flag: Bool) -> Sentence { flag ? Sentence("Yes") : Sentence("No") }

  /// The values of a claim that can have several, each in words; at most `limit`.
  static func parts(_ claim: JSON.Member, upTo limit: Int) -> [TokenClaim.Part] {
    let values: [String]
    if ["scp", "acrs", "amr", "xms_st"].contains(claim.name), let text = claim.value.string {
      values = text.split(separator: " ", maxSplits: limit).prefix(limit).map(String.init)
    } else {
      values = claim.value.array?.prefix(limit).map { $0.string ?? $0.compactText } ?? []
    }
    return values.map { value in
      TokenClaim.Part(name: value.shown(upTo: 200), words: words(value, of: claim.name))
    }
  }

  private static func words(_ value: String, of claim: String) -> Sentence? {
    switch claim {
    case "scp", "roles": PermissionMeaning.sentence(value)
    case "wids": DirectoryRole.sentence(value)
    case "amr": method(value)
    case "aud": api(value)
    case "xms_cc" where value.lowercased() == "cp1":
      Sentence("The app answers claims challenges, so that access can end at once")
    case "signin_state": signInState(value)
    default: nil
    }
  }

  /// The API of an audience or a scope: its address or its ID.
  static func api(_ text: String) -> Sentence? {
    var name = text.lowercased()
    while name.hasSuffix("/") { name.removeLast() }
    if name == "00000003-0000-0000-c000-000000000000"
      || GraphCloud.all.contains(where: { name == "https://\($0.host)" })
    {
      return Sentence(verbatim: "Microsoft Graph")
    }
    let other: String? =
      switch name {
      case "00000002-0000-0000-c000-000000000000", "https://graph.windows.net":
        "Azure AD Graph"
      case "797f4846-ba00-4fd7-ba43-dac1f8f63013", "https://management.azure.com",
        "https://management.core.windows.net":
        "Azure Resource Manager"
      case "00000002-0000-0ff1-ce00-000000000000", "https://outlook.office365.com",
        "https://outlook.office.com":
        "Exchange Online"
      case "00000003-0000-0ff1-ce00-000000000000": "SharePoint Online"
      case "499b84ac-1321-427f-aa17-267ca6975798": "Azure DevOps"
      case "cfa8b339-82a2-471a-a3c9-0fc0be7a4093", "https://vault.azure.net": "Azure Key Vault"
      case "e406a681-f3d4-42a8-90b6-c2b029497af1", "https://storage.azure.com": "Azure Storage"
      case "022907d3-0f1b-48f7-badc-1ba6abab6d66", "https://database.windows.net": "Azure SQL"
      case "c5393580-f805-4401-95e8-94b7a6ef2fc2", "https://manage.office.com":
        "Office 365 Management"
      default: nil
      }
    return other.map { Sentence(verbatim: $0) }
  }

  private static func credential(_ text: String) -> Sentence? {
    switch text {
    case "0": Sentence("A public client: the app has no secret")
    case "1": Sentence("The app authenticated with a client secret")
    case "2": Sentence("The app authenticated with a certificate")
    default: nil
    }
  }

  private static func account(_ text: String) -> Sentence? {
    switch text {
    case "0": Sentence("A member of the tenant")
    case "1": Sentence("A guest in the tenant")
    default: nil
    }
  }

  private static func kind(_ text: String) -> Sentence? {
    switch text {
    case "app": Sentence("An app acts on its own behalf")
    case "user": Sentence("An app acts for a user")
    case "device": Sentence("A device")
    default: nil
    }
  }

  /// How a user proved who they are (RFC 8176, and Entra ID's own).
  private static func method(_ text: String) -> Sentence? {
    switch text.lowercased() {
    case "pwd": Sentence("Password")
    case "mfa": Sentence("Multifactor authentication")
    case "ngcmfa": Sentence("Multifactor authentication while a strong method was set up")
    case "otp": Sentence("A code that is valid once")
    case "rsa": Sentence("A key or certificate, such as of Windows Hello or the Authenticator app")
    case "hwk": Sentence("A key in hardware")
    case "swk": Sentence("A key in software")
    case "fido": Sentence("A passkey or security key")
    case "wia": Sentence("Windows sign-in in the organization’s network")
    case "fed": Sentence("Another sign-in service that the organization trusts")
    case "sms", "tel": Sentence("A call or text message")
    case "pin": Sentence("A PIN")
    case "bio", "face", "fpt": Sentence("Face or fingerprint")
    case "kba": Sentence("Security questions")
    default: nil
    }
  }

  private static func signInState(_ text: String) -> Sentence? {
    switch text {
    case "dvc_mngd": Sentence("The device is managed")
    case "dvc_cmp": Sentence("The device complies with policies")
    case "dvc_dmjd": Sentence("The device is joined to the organization")
    case "kmsi": Sentence("The user chose to stay signed in")
    case "inknownntwk": Sentence("The network is one that the organization knows")
    default: nil
    }
  }
}
