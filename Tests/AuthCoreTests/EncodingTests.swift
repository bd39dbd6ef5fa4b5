import AuthCore
import FoundationEssentials
import Testing

@Suite("Encodings")
struct EncodingTests {
  @Test(
    "In a URL a space is %20, and decoding restores the original",
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

  @Test(
    "A malformed escape makes the whole list invalid",
    arguments: ["a=%", "a=%4", "a=%zz", "a=%-1", "%=a", "a=%FF", "a=%C3%28", "a=%ED%A0%80"])
  func malformed(text: String) {
    #expect(FormEncoding.parse(text) == nil)
  }

  @Test("RFC 4648, section 10: base64url")
  func base64URL() {
    let vectors = [
      ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"), ("fooba", "Zm9vYmE"),
      ("foobar", "Zm9vYmFy"),
    ]
    for (plain, encoded) in vectors {
      #expect(Base64URL.encode(plain.utf8) == encoded)
      #expect(Base64URL.decode(encoded) == Data(plain.utf8))
    }
    #expect(Base64URL.encode([0xfb, 0xff]) == "-_8")
  }

  @Test(
    "Anything but strict base64url is rejected",
    arguments: ["Zg==", "Zg=", "Z", "Zm9v\n", "+/8", "Zh", "Zm9", "Z g"])
  func notBase64URL(text: String) {
    #expect(Base64URL.decode(text) == nil)
  }

  @Test("A random GUID is a UUID of version 4 in lower case, and another one each time")
  func guid() {
    let guids = (0..<200).map { _ in Runtime.randomGUID() }
    for guid in guids {
      // RFC 9562, sections 4 and 5.4.
      #expect(UUID(uuidString: guid)?.uuidString.lowercased() == guid)
      #expect(guid.dropFirst(14).first == "4")
      #expect(guid.dropFirst(19).first.map { "89ab".contains($0) } == true, "\(guid)")
    }
    #expect(Set(guids).count == guids.count)
  }
}
