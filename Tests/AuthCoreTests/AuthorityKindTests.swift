import AuthCore
import Testing

@Suite("Kinds of authorities")
struct AuthorityKindTests {
  @Test(
    "The kind is derived from the URL",
    arguments: [
      ("https://login.microsoftonline.com/common", .entra),
      ("https://login.contoso.example/contoso.example", .entra),
      ("https://contoso.ciamlogin.com", .externalID),
      ("https://contoso.ciamlogin.com/contoso.example", .externalID),
      ("https://contoso.b2clogin.com/contoso.onmicrosoft.com/B2C_1_in", .b2c),
      ("https://contoso.b2clogin.cn/contoso.onmicrosoft.com/B2C_1_in", .b2c),
      ("https://login.contoso.example/tfp/contoso.onmicrosoft.com/B2C_1_in", .b2c),
      ("https://fs.contoso.example/adfs", .adfs), ("https://fs.contoso.example/ADFS/ls", .adfs),
      // Look-alike hosts are unknown, so instance discovery checks them.
      ("https://evilciamlogin.com/contoso", .entra),
      ("https://contoso.ciamlogin.com.evil.example/contoso", .entra),
      ("https://evilb2clogin.com/contoso/policy", .entra),
    ] as [(String, Authority.Kind)])
  func told(url: String, kind: Authority.Kind) throws {
    #expect(try Authority(url).kind == kind)
  }

  @Test(
    "Each kind keeps the significant part of the URL",
    arguments: [
      (
        .b2c, "https://Contoso.b2clogin.com/Contoso.onmicrosoft.com/B2C_1_In/oauth2#x",
        "https://contoso.b2clogin.com/contoso.onmicrosoft.com/b2c_1_in"
      ),
      (
        .b2c, "https://login.contoso.example:443/contoso/policy",
        "https://login.contoso.example/contoso/policy"
      ),
      (
        .externalID, "https://msidlab1.ciamlogin.com/\(guid)/v2.0",
        "https://msidlab1.ciamlogin.com/\(guid)"
      ),
      (
        .externalID, "https://login.contoso.example/contoso.example",
        "https://login.contoso.example/contoso.example"
      ),
      (.adfs, "https://FS.contoso.example/ADFS/oauth2?x=y", "https://fs.contoso.example/adfs"),
      (.oidc, "https://Accounts.contoso.example", "https://accounts.contoso.example"),
      (.oidc, "https://contoso.example/", "https://contoso.example/"),
      (.oidc, "https://contoso.example/Realms/One", "https://contoso.example/Realms/One"),
    ] as [(Authority.Kind, String, String)])
  func normalized(kind: Authority.Kind, url: String, normalized: String) throws {
    let authority = try Authority(url, kind: kind)
    #expect(authority.description == normalized)
    #expect(authority.isTenanted)
    #expect(try Authority(normalized, kind: kind) == authority)
  }

  private static let guid = "f645ad92-e38d-4d1a-b510-d1b09a74a8ca"

  @Test(
    "The error message names what is missing",
    arguments: [
      (.entra, "https://fs.contoso.example/tfp/a/b", "B2C is a different type of authority"),
      (nil, "https://host.example/tfp/", "B2C authority should have at least 3 segments"),
      (nil, "https://contoso.b2clogin.com/contoso", "should have at least 2 segments"),
      (nil, "https://a.b.ciamlogin.com/", "(i.e. https://<tenant>.ciamlogin.com)"),
      (.externalID, "https://login.contoso.example", "authority must have a tenant"),
      (.adfs, "https://fs.contoso.example/", "must end with '/adfs'"),
      (.oidc, "https://contoso.example/?x=y", "cannot have a query or a fragment"),
      (.oidc, "https://contoso.example/#x", "cannot have a query or a fragment"),
      (.oidc, "https://contoso.example/a//b", "has an empty segment"),
    ] as [(Authority.Kind?, String, String)])
  func sentences(kind: Authority.Kind?, url: String, words: String) {
    let error = #expect(throws: AuthenticationError.self) { try Authority(url, kind: kind) }
    #expect(error?.code == .invalidConfiguration)
    #expect(error?.message.contains(words) == true)
  }

  @Test("A Microsoft cloud is never AD FS")
  func noADFS() {
    #expect(throws: AuthenticationError.self) {
      try Authority("https://login.microsoftonline.com/adfs")
    }
  }
}
