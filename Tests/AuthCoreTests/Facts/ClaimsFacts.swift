import AuthCore
import TestSupport
import Testing

extension ClaimsRequestTests {
  @Test("Capabilities are sent as a claim")
  func capabilitiesAsClaim() async throws {
    _ = try await signIn(app(capabilities: ["llt"]))
    let claims = "{\"access_token\":{\"xms_cc\":{\"values\":[\"llt\"]}}}"
    #expect(authority.authorization["claims"] == claims)
    #expect(authority.lastForm["claims"] == claims)
  }

  @Test("Capabilities are sent together with the caller's claims")
  func capabilitiesAndClaims() async throws {
    var claims = ClaimsRequest()
    claims[.accessToken, "polids"] = .init(
      isEssential: true, values: [.string("d77e91f0-fc60-45e4-97b8-14a1337faa28")])
    _ = try await signIn(app(capabilities: ["cp1", "llt"]), claims: claims)
    #expect(
      authority.lastForm["claims"] == """
        {"access_token":{"polids":{"essential":true,\
        "values":["d77e91f0-fc60-45e4-97b8-14a1337faa28"]},\
        "xms_cc":{"values":["cp1","llt"]}}}
        """)
  }

  @Test("A claim without conditions is null")
  func claimWithoutConditions() {
    var claims = ClaimsRequest()
    claims[.idToken, "nickname"] = .init()
    #expect(claims.json == "{\"id_token\":{\"nickname\":null}}")
  }

  @Test(
    "A number for 'essential' is true unless it is 0",
    arguments: [
      ("10", true), ("-1", true), ("1", true), ("0", false), ("true", true), ("false", false),
    ])
  func essentialNumber(text: String, isEssential: Bool) throws {
    let claims = try ClaimsRequest(json: "{\"id_token\":{\"a\":{\"essential\":\(text)}}}")
    #expect(claims[.idToken, "a"]?.isEssential == isEssential)
    let sent = isEssential ? "{\"essential\":true}" : "null"
    #expect(claims.json == "{\"id_token\":{\"a\":\(sent)}}")
  }
}
