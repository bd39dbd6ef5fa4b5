import AuthCore
import TestSupport
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
      (.entra, "https://fs.contoso.example/tfp/a/b", "B2C is a different kind of service"),
      (nil, "https://host.example/tfp/", "its path must have at least three segments"),
      (nil, "https://contoso.b2clogin.com/contoso", "its path must have at least two segments"),
      (nil, "https://a.b.ciamlogin.com/", "such as https://TENANT.ciamlogin.com,"),
      (.externalID, "https://login.contoso.example", "it must have a tenant"),
      (.adfs, "https://fs.contoso.example/", "must end with “/adfs”"),
      (.oidc, "https://contoso.example/?x=y", "cannot have a query or a fragment"),
      (.oidc, "https://contoso.example/#x", "cannot have a query or a fragment"),
      (.oidc, "https://contoso.example/a//b", "has an empty segment"),
    ] as [(Authority.Kind?, String, String)])
  func sentences(kind: Authority.Kind?, url: String, words: String) {
    let error = #expect(throws: AuthenticationError.self) { try Authority(url, kind: kind) }
    #expect(error?.code == .invalidConfiguration)
    #expect(error?.message.contains(words) == true)
  }

  /// RFC 3986, sections 6.2.2.1 and 6.2.3: scheme and host have no case, and 443 is the default.
  @Test(
    "An issuer and its endpoints may be written with capitals in the host, or with the port 443",
    arguments: [
      (.oidc, "https://ID.Contoso.Example/Realms/One"),
      (.oidc, "https://id.contoso.example:443/Realms/One"),
      (.oidc, "HTTPS://Id.contoso.example:443/"), (.adfs, "https://FS.contoso.example/adfs"),
      (.adfs, "https://fs.contoso.example:443/adfs"),
    ] as [(Authority.Kind, String)])
  func writtenOtherwise(kind: Authority.Kind, issuer: String) async throws {
    let host = try Authority(issuer, kind: kind).environment
    let network = ScriptedAuthority(host: host, kind: kind)
    let written = String(issuer.prefix("https://".count))
    let place = issuer.dropFirst(written.count).prefix { $0 != "/" }
    network.edit(.configuration) { document in
      for name in ["authorization_endpoint", "token_endpoint", "jwks_uri"] {
        document[name] = document[name]?.string.map {
          JSON.string($0.replacing("https://\(host)/", with: "\(written)\(place)/"))
        }
      }
      document["issuer"] = .string(issuer)
    }
    let app = try TestApplication.make(network, authority: issuer, known: [issuer], kind: kind)
    let result = try await app.acquireToken(
      .init(scopes: ["User.Read"], session: network.pages))
    #expect(await app.accounts() == [result.account])
  }

  @Test(
    "The path of an issuer has its case, and another port is another issuer",
    arguments: [
      "https://ID.contoso.example/realms/one", "https://ID.contoso.example:8443/Realms/One",
      "http://id.contoso.example/Realms/One",
    ])
  func otherIssuer(issuer: String) async throws {
    let network = ScriptedAuthority(host: "id.contoso.example", kind: .oidc, issuer: issuer)
    let error = await #expect(throws: AuthenticationError.self) {
      try await Service.oidc.app(network).acquireToken(
        .init(scopes: ["User.Read"], session: network.pages))
    }
    #expect(error?.code == .untrustedAuthority)
  }

  @Test("A Microsoft cloud is never AD FS")
  func noADFS() {
    #expect(throws: AuthenticationError.self) {
      try Authority("https://login.microsoftonline.com/adfs")
    }
  }
}
