import AuthCore
import EntranceKit
import FoundationEssentials
import TestSupport
import Testing

@MainActor @Suite("Decoding another token")
struct TokenDecoderTests {
  private func jwt(_ claims: String) -> String {
    let header = #"{"typ":"JWT","alg":"RS256"}"#
    return "\(Base64URL.encode(header.utf8)).\(Base64URL.encode(claims.utf8)).c2ln"
  }

  private func token(_ claims: String) throws -> DecodedToken {
    try #require(TokenReading(jwt(claims)).token)
  }

  @Test("A text is read while it is typed, and forgotten when the dialog is closed")
  func reading() async throws {
    let model = TokenDecoderModel()
    await model.read("  \n").value
    #expect(model.state == .init())
    await model.read("eyJ").value
    #expect(model.state.reading?.remark != nil)
    await model.read(jwt(#"{"scp":"User.Read"}"#)).value
    #expect(model.state.reading?.token?.permissions.map(\.name) == ["User.Read"])
    #expect(!model.state.canCompare)
    model.close()
    #expect(model.state == .init())
  }

  @Test("A token says when it expires, or that it has expired")
  func expiry() async throws {
    let model = TokenDecoderModel(now: { Date(timeIntervalSince1970: 2000) })
    await model.read(jwt(#"{"exp":3000}"#)).value
    #expect(model.expiryText?.hasPrefix("Expires: ") == true)
    await model.read(jwt(#"{"exp":1000}"#)).value
    #expect(model.expiryText?.hasPrefix("Expired: ") == true)
    await model.read(jwt(#"{"iat":1000}"#)).value
    #expect(model.expiryText == nil)
  }

  @Test("Of texts that follow each other quickly, the last one counts")
  func order() async throws {
    let model = TokenDecoderModel()
    let first = model.read(jwt(#"{"a":1}"#))
    let second = model.read(jwt(#"{"b":1}"#))
    await second.value
    await first.value
    #expect(model.state.reading?.token?.claims.map(\.name) == ["b"])
  }

  @Test("Claims are added, removed, changed and the same, and permissions are compared one by one")
  func comparison() throws {
    let comparison = TokenComparison(
      try token(#"{"aud":"a","exp":1,"scp":"User.Read Mail.Read","groups":["x","y"],"old":1}"#),
      try token(#"{"aud":"a","exp":2,"scp":"Mail.Read Mail.Send","groups":["y","x"],"new":true}"#))
    #expect(comparison.differences.map(\.name) == ["exp", "scp", "new", "old"])
    #expect(comparison.differences.map(\.kind) == [.changed, .changed, .added, .removed])
    #expect(comparison.sameCount == 2)
    #expect(
      comparison.differences.flatMap(\.rows).map { "\($0.title) | \($0.text)" } == [
        "Changed: exp | Before: 1\nNow: 2", "Added: Mail.Send | scp · Send mail as the user",
        "Removed: User.Read | scp · Read the user’s profile", "Added: new | true",
        "Removed: old | 1",
      ])
  }

  @Test("A pasted token is compared with the current one of its kind, if that can be read")
  func current() async throws {
    let page = try Page()
    let tokens = TokensModel(page.window)
    await page.model.callGraph()?.value
    await tokens.finishReading()
    let current = try #require(tokens.secret(of: .id)).exposed
    let model = TokenDecoderModel(comparingWith: tokens.state.cards)
    model.compare(true)
    await model.read(current).value
    #expect(model.state.canCompare)
    #expect(model.state.comparison?.differences.isEmpty == true)
    await model.read(jwt(#"{"nonce":"other"}"#)).value
    #expect(model.state.comparison?.differences.isEmpty == false)
    model.compare(false)
    #expect(model.state.comparison == nil)
    await model.read("EwB4A8l6BAAUkj1NuJYtTVha").value
    #expect(!model.state.canCompare)
  }
}
