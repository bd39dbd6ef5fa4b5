import AuthCore
import FoundationEssentials
import Testing

@Suite("Encodings")
struct EncodingTests {
  @Test(
    "Facts 1-4, 10: a form is encoded as MSAL does it",
    arguments: [
      (
        "Some interesting test/+-)(*&^%$#@!~|",
        "Some+interesting+test%2F%2B-%29%28%2A%26%5E%25%24%23%40%21~%7C"
      ),
      ("test\r\ntest2", "test%0D%0Atest2"), ("test test2", "test+test2"),
      ("test-test2-test3.test4", "test-test2-test3.test4"), ("", ""),
    ])
  func form(text: String, encoded: String) {
    #expect(FormEncoding.body([("key", text)]) == "key=\(encoded)")
    #expect(FormEncoding.parse("key=\(encoded)")?.first?.value == text)
  }

  @Test(
    "In a URL a space is %20, and everything comes back as it was",
    arguments: ["a b", "é€𝄞", "a+b", "%41", "=&#?/", "\u{0}\r\n", "~-._"])
  func url(text: String) {
    let query = FormEncoding.query([(text, text)])
    #expect(!query.contains("+") && !query.contains(" "))
    let parsed = FormEncoding.parse(query)
    #expect(parsed?.count == 1)
    #expect(parsed?.first?.name == text)
    #expect(parsed?.first?.value == text)
    #expect(FormEncoding.percentEncoded("a b/") == "a%20b%2F")
  }

  /// MSAL for Apple drops `malformed=v1=v2` and `=nokey`.
  ///
  /// Here nothing is lost: a pair ends at the first `=`, as the WHATWG URL standard has it.
  @Test("Fact 9: pairs that MSAL drops are kept, and + is a space")
  func parse() throws {
    let parsed = try #require(
      FormEncoding.parse(
        "key=val+val&malformed=v1=v2&=nokey&noval&doubleEqualButEncoded=2%3D2&"))
    #expect(
      parsed.map { "\($0.name)|\($0.value)" } == [
        "key|val val", "malformed|v1=v2", "|nokey", "noval|", "doubleEqualButEncoded|2=2",
      ])
  }

  @Test("Fact 11: what stands behind the question mark")
  func query() throws {
    let parsed = try #require(FormEncoding.parse("foo1=bar1&foo2=bars%20s"))
    #expect(parsed.map(\.value) == ["bar1", "bars s"])
    // Fact 12: a part without '=' has an empty value.
    #expect(FormEncoding.parse("bar")?.first?.value == "")
  }

  @Test(
    "B17: malformed escapes make the whole list unreadable",
    arguments: ["a=%", "a=%4", "a=%zz", "a=%-1", "%=a", "a=%FF", "a=%C3%28", "a=%ED%A0%80"])
  func malformed(text: String) {
    #expect(FormEncoding.parse(text) == nil)
  }

  @Test("Facts 5 and 6, RFC 4648 section 10: base64url")
  func base64URL() {
    let text = "   here is a string with padding  \n"
    #expect(
      Base64URL.encode(text.utf8) == "ICAgaGVyZSBpcyBhIHN0cmluZyB3aXRoIHBhZGRpbmcgIAo")
    let vectors = [
      ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"), ("fooba", "Zm9vYmE"),
      ("foobar", "Zm9vYmFy"),
    ]
    for (plain, encoded) in vectors {
      #expect(Base64URL.encode(plain.utf8) == encoded)
      #expect(Base64URL.decode(encoded) == Data(plain.utf8))
    }
    #expect(Base64URL.encode([0xfb, 0xff]) == "-_8")
    #expect(Base64URL.encode([]) == "")
  }

  @Test(
    "Fact 6, D2: what is not exactly base64url is refused",
    arguments: ["", " ", "™", "денят", "Zg==", "Zg=", "Z", "Zm9v\n", "+/8", "Zh", "Zm9", "Z g"])
  func notBase64URL(text: String) {
    #expect(Base64URL.decode(text) == nil)
  }
}
