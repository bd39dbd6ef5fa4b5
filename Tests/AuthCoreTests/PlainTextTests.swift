import AuthCore
import Sentences
import Testing

@Suite("Text from outside as one visible line")
struct PlainTextTests {
  @Test(
    "Letters that Unicode lets be invisible are shown by their number",
    arguments: [
      // DerivedCoreProperties.txt, Default_Ignorable_Code_Point, of the categories Lo and Mn.
      "\u{34f}", "\u{115f}", "\u{1160}", "\u{17b4}", "\u{17b5}", "\u{3164}", "\u{ffa0}",
      // Some of the category Cf.
      "\u{ad}", "\u{61c}", "\u{200b}", "\u{2060}", "\u{202e}", "\u{feff}", "\u{e0041}",
    ])
  func invisible(scalar: Unicode.Scalar) {
    let shown = "a\\u{\(String(scalar.value, radix: 16))}b"
    #expect("a\(scalar)b".plain == shown)
    #expect("\(Sentence("{name} is signed out.", ["name": "a\(scalar)b"]).plain)".hasPrefix(shown))
  }

  @Test(
    "Names of people stay as they are",
    arguments: [
      "Adele Vance", "Bram Ò Okafor", "Nguye\u{302}\u{303}n Va\u{306}n A\u{301}nh", "ขวัญใจ น้ำผึ้ง",
      // A letter with a dagesh, a vowel and an accent; two subjoined letters with a vowel.
      "שָׁ֑לוֹם", "བསྒྲུབས", "मोहन क्ष\u{200d}", "می\u{200c}خواهم", "김철수", "မြွှေ့",
      // A form of a character that some families in Japan use, and an emoji.
      "葛\u{e0100}飾", "❤\u{fe0f}",
    ])
  func names(name: String) {
    #expect(name.plain == name)
  }

  @Test("Accents neither stand on what is before the text, nor cover the lines around it")
  func accents() {
    #expect("\u{301}a".plain == "\\u{301}a")
    #expect("\u{20dd}".plain == "\\u{20dd}")
    let heap = String(repeating: "\u{301}", count: 5)
    #expect("a\(heap)b".plain.unicodeScalars.elementsEqual("a\(heap)b".unicodeScalars))
    #expect(
      "a\(heap)\u{301}\u{302}b".plain.unicodeScalars
        .elementsEqual("a\(heap)\\u{301}\\u{302}b".unicodeScalars))
  }
}
