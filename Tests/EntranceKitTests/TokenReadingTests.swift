import AuthCore
import EntranceKit
import FoundationEssentials
import Testing

@Suite("Reading a token")
struct TokenReadingTests {
  /// 2020-09-13 12:26:40 UTC.
  private let now = Date(timeIntervalSince1970: 1_600_000_000)

  private func jwt(_ claims: String, header: String = #"{"typ":"JWT","alg":"RS256"}"#) -> String {
    "\(Base64URL.encode(header.utf8)).\(Base64URL.encode(claims.utf8)).\(Base64URL.encode("s".utf8))"
  }

  private func token(_ claims: String) throws -> DecodedToken {
    try #require(TokenReading(jwt(claims), at: now).token)
  }

  @Test("The example of RFC 7519 is read, with its claims in their order")
  func example() throws {
    // RFC 7519, section 3.1.
    let text =
      "eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9"
      + ".eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ"
      + ".dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
    let token = try #require(TokenReading(text, at: now).token)
    #expect(token.claims.map(\.name) == ["iss", "exp", "http://example.com/is_root"])
    #expect(token.header.map(\.text) == ["JWT", "HS256"])
    #expect(token.purpose == .other && token.hasSignature)
    #expect(token["exp"]?.text == "1300819380")
    // date --utc --date @1300819380
    #expect(token["exp"]?.words.map { "\($0)" } == "2011-03-22 18:43:00 UTC, 9 years ago")
    #expect(token["http://example.com/is_root"]?.words.map { "\($0)" } == "Yes")
  }

  @Test("All of a claim is copied, as the token has it")
  func copied() throws {
    let long = String(repeating: "x", count: 5000)
    let token = try token(#"{"long":"\#(long)","exp":1600003120,"groups":["a",1.0],"none":null}"#)
    #expect(token["long"]?.text != long)
    #expect(token.claims.map(\.copiedText) == [long, "1600003120", #"["a",1.0]"#, "null"])
    let all = try JSON(parsing: Array(try #require(token.copiedClaims).utf8))
    #expect(all.object?.map(\.name) == ["long", "exp", "groups", "none"])
    #expect(all["long"]?.string == long && all["exp"]?.integer == 1_600_003_120)
    // A part of them is no token's claims.
    let many = (0...DecodedToken.mostClaims).map { #""c\#($0)":1"# }.joined(separator: ",")
    #expect(try self.token("{\(many)}").copiedClaims == nil)
  }

  @Test("Times have their distance from now")
  func times() throws {
    for (seconds, words) in [
      (1_600_003_120, "2020-09-13 13:18:40 UTC, in 52 minutes"),
      (1_599_999_999, "2020-09-13 12:26:39 UTC, 1 second ago"),
      (1_600_090_000, "2020-09-14 13:26:40 UTC, in 25 hours"),
      (1_600_864_000, "2020-09-23 12:26:40 UTC, in 10 days"),
    ] {
      #expect(try token(#"{"exp":\#(seconds)}"#)["exp"]?.words.map { "\($0)" } == words)
    }
    for odd in ["1e400", "-1e18", #""soon""#, "[1]", "null"] {
      #expect(try token(#"{"exp":\#(odd)}"#)["exp"]?.words == nil, "\(odd)")
    }
  }

  @Test("Permissions and roles are explained one by one, also those of a national cloud")
  func permissions() throws {
    let reading = try token(
      #"{"scp":"User.Read https://graph.microsoft.us/Mail.Send Own.Thing","roles":["Sites.Read.All"]}"#
    )
    #expect(
      reading.permissions.map(\.name) == [
        "User.Read", "https://graph.microsoft.us/Mail.Send", "Own.Thing", "Sites.Read.All",
      ])
    #expect(
      reading.permissions.map { $0.words.map { "\($0)" } } == [
        "Read the user’s profile", "Send mail as the user", nil, "Read all sites",
      ])
    #expect(reading.purpose == .accessToken)
  }

  @Test(
    "Roles make no access token of an ID token",
    arguments: [
      // https://learn.microsoft.com/entra/identity-platform/id-token-claims-reference
      (
        #"{"aud":"a","nonce":"n","preferred_username":"a@b.example","roles":["Admin"]}"#,
        DecodedToken.Purpose.idToken
      ),
      (#"{"aud":"a","roles":["Sites.Read.All"]}"#, .accessToken),
      (#"{"aud":"a","azpacr":"1","roles":["Sites.Read.All"]}"#, .accessToken),
      (#"{"aud":"a"}"#, .other),
    ])
  func purpose(claims: String, purpose: DecodedToken.Purpose) throws {
    #expect(try token(claims).purpose == purpose)
  }

  @Test("All claims of Entra ID's references have a meaning")
  func meanings() throws {
    // https://learn.microsoft.com/entra/identity-platform/access-token-claims-reference,
    // id-token-claims-reference and optional-claims-reference.
    let names = [
      "aud", "iss", "idp", "iat", "nbf", "exp", "aio", "acr", "amr", "appid", "azp", "appidacr",
      "azpacr", "preferred_username", "name", "scp", "roles", "wids", "groups", "hasgroups", "sub",
      "oid", "tid", "unique_name", "uti", "rh", "ver", "xms_cc", "ipaddr", "onprem_sid", "pwd_exp",
      "pwd_url", "in_corp", "given_name", "family_name", "upn", "acct", "acrs", "auth_time", "ctry",
      "email", "fwd", "idtyp", "login_hint", "sid", "tenant_ctry", "tenant_region_scope",
      "verified_primary_email", "verified_secondary_email", "vnet", "xms_edov", "xms_pdl", "xms_pl",
      "xms_tpl", "ztdid", "c_hash", "at_hash", "nonce", "puid", "cnf", "home_oid", "xms_st",
      "email_verified", "enfpolids", "deviceid",
    ].filter { !["xms_pdl", "ztdid"].contains($0) }
    for name in names {
      #expect(try token(#"{"\#(name)":"1"}"#)[name]?.meaning != nil, "\(name)")
    }
  }

  @Test("An ID token is distinguished from an access token, and an API from an app")
  func purpose() throws {
    let access = try token(#"{"aud":"https://graph.microsoft.com/","appid":"1"}"#)
    #expect(access.purpose == .accessToken)
    #expect(access.audience.map { "\($0)" } == "Microsoft Graph")
    let id = try token(#"{"aud":"app","nonce":"n","preferred_username":"a@b.example"}"#)
    #expect(id.purpose == .idToken)
    #expect(id.audience.map { "\($0)" } == "app")
  }

  @Test("Encrypted and opaque tokens are called so")
  func unreadable() {
    // RFC 7516, appendix A.1.
    let encrypted = "eyJhbGciOiJSU0EtT0FFUCIsImVuYyI6IkEyNTZHQ00ifQ.OKOaw.48V1.5eym8.XFBom"
    guard case .encrypted(let header) = TokenReading(encrypted, at: now).content else {
      Issue.record("it is encrypted")
      return
    }
    #expect(header.map(\.name) == ["alg", "enc"])
    #expect(TokenReading("EwB4A8l6BAAUkj1NuJYtTVha+Mogk+HEiPbQo04AAXM=").content == .opaque)
    #expect(TokenReading("M.C512_BL2.0.U.-CqW*9xyzabcdefghijklm").content == .opaque)
  }

  @Test("Text from a token is one line of printable characters, and bounded")
  func plain() throws {
    let long = String(repeating: "x", count: 50_000)
    let reading = try token(
      #"{"na\nme":"a\u001b[31m\u202eb","long":"\#(long)","scp":"\#(String(repeating: "a ", count: 5000))"}"#
    )
    #expect(reading.claims[0].name == "na\\u{a}me")
    #expect(reading.claims[0].text == "a\\u{1b}[31m\\u{202e}b")
    #expect(reading.claims[1].text.count <= 1001)
    #expect(reading.claims[2].parts.count == 200)
    let many = "{" + (0..<5000).map { #""c\#($0)":1"# }.joined(separator: ",") + "}"
    let bounded = try token(many)
    #expect(bounded.claims.count == 200 && bounded.leftOut == 4800)
  }

  @Test("A text that is nested too deeply or too long is refused in a sentence")
  func limits() {
    let deep = jwt(#"{"a":"# + String(repeating: "[", count: 1000))
    guard case .broken(let reason) = TokenReading(deep, at: now).content else {
      Issue.record("it is broken")
      return
    }
    #expect("\(reason)".contains("it is nested too deeply"))
    guard case .broken = TokenReading(String(repeating: "a", count: 300_000)).content else {
      Issue.record("it is too long")
      return
    }
  }
}
