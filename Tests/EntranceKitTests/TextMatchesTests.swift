import EntranceKit
import Testing

@Suite("Places of a text that is looked for")
struct TextMatchesTests {
  @Test("Places are counted in any case, without those that overlap")
  func count() async {
    #expect(await TextMatches.count("name", in: "name, displayName\nNAME") == 3)
    #expect(await TextMatches.count("É", in: "café CAFÉ") == 2)
    #expect(await TextMatches.count("aa", in: "aaaaa") == 2)
    #expect(await TextMatches.count("b", in: "aaa") == 0)
    #expect(await TextMatches.count("", in: "aaa") == 0)
    #expect(await TextMatches.count("a", in: "") == 0)
  }

  @Test("In a large text, each place is counted once")
  func large() async {
    // More than is searched at once; the second has no line break.
    let line = String(repeating: "é", count: 999) + "needle\n"
    let lines = String(repeating: line, count: 1_000)
    #expect(await TextMatches.count("Needle", in: lines) == 1_000)
    #expect(await TextMatches.count("éneedleé", in: lines.filter { $0 != "\n" }) == 999)
  }

  @Test("What is hidden of a text is counted, too")
  func hidden() async {
    let text = FoldedText(String(repeating: "a needle\n", count: 20_000))
    var (shown, hidden) = (0, 0)
    for part in text.parts {
      switch part {
      case .shown(let range): shown += await TextMatches.count("needle", in: text.text(of: range))
      case .hidden(let range): hidden += await text.slices(of: range).count("needle")
      }
    }
    #expect(shown > 0 && hidden > 0 && shown + hidden == 20_000)
  }

  @Test("The words say which one is selected")
  func words() {
    #expect(TextMatches(number: 2, count: 17).text == "Match 2 of 17")
    #expect(TextMatches(number: 0, count: 0).text == "Match 1 of 1")
  }
}
