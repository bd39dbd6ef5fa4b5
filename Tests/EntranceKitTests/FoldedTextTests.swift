import AuthCore
import FoundationEssentials
import Testing

@testable import EntranceKit

@Suite("What the log shows of a text")
struct FoldedTextTests {
  private func shown(_ text: FoldedText) -> String {
    text.parts.map {
      switch $0 {
      case .shown(let range): text.text(of: range)
      case .hidden(let range): "‹\(range.count)›"
      }
    }.joined()
  }

  private func whole(_ text: FoldedText) -> String {
    text.parts.map {
      switch $0 {
      case .shown(let range), .hidden(let range): text.text(of: range)
      }
    }.joined()
  }

  /// Everything, as *Show All* shows it.
  private func unfolded(_ text: FoldedText) -> String {
    text.parts.map {
      switch $0 {
      case .shown(let range): text.text(of: range)
      case .hidden(let range): slices(text, range).joined()
      }
    }.joined()
  }

  private func slices(_ text: FoldedText, _ range: Range<Int>) -> [String] {
    var rest = text.slices(of: range)
    var slices: [String] = []
    while let slice = rest.next() { slices.append(slice) }
    return slices
  }

  /// A text whose broken lines are whole again.
  private func joined(_ text: String) -> String {
    let lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    var bytes: [UInt8] = []
    for (index, line) in lines.enumerated() {
      let isRest = line.starts(with: "… ".utf8)
      if index > 0, !isRest { bytes.append(UInt8(ascii: "\n")) }
      bytes += isRest ? line.dropFirst("… ".utf8.count) : line
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private func longestLine(_ text: String) -> Int {
    text.utf8.split(separator: UInt8(ascii: "\n")).map(\.count).max() ?? 0
  }

  @Test(
    "A short text is shown as it is",
    arguments: ["", "a", "\n", "a\n\nb\n", String(repeating: "é", count: 2048)])
  func short(_ text: String) {
    let folded = FoldedText(text)
    #expect(folded.isWhole)
    #expect(shown(folded) == text)
  }

  @Test("A long line shows its beginning and its size, the lines around it are complete")
  func longLine() {
    let line = String(repeating: "x", count: 200_000)
    let folded = FoldedText("a\n\"\(line)\"\nb")
    #expect(shown(folded) == "a\n\"" + String(repeating: "x", count: 1023) + "‹198978›\nb")
    #expect(!folded.isWhole)
    #expect(folded.hiddenSize == 198_978)
    let lines = [String](repeating: "\n… " + String(repeating: "x", count: 1024), count: 194)
    #expect(
      slices(folded, 1026..<200_004).joined() == lines.joined() + "\n… "
        + String(repeating: "x", count: 198_978 - 194 * 1024 - 1) + "\"")
  }

  @Test("A large text shows its first 64 kB")
  func manyLines() {
    let text = (0..<100_000).map { "line \($0)" }.joined(separator: "\n")
    let folded = FoldedText(text)
    #expect(folded.parts.count == 2)
    let size = shown(folded).utf8.count
    #expect(65_000...65_600 ~= size)
    let isAll = unfolded(folded) == text
    #expect(isAll)
    // A little more is shown at once.
    #expect(FoldedText(String(repeating: "123456789\n", count: 6900)).isWhole)
  }

  @Test("A token fits on its line")
  func token() {
    #expect(FoldedText("Access token is " + String(repeating: "e", count: 4000)).isWhole)
  }

  @Test("One line, or many, are broken into short lines; all of it can be had back")
  func large() {
    for text in [
      String(repeating: "a", count: 1_000_000), String(repeating: "aé漢😀", count: 100_000),
      String(repeating: String(repeating: "b", count: 5000) + "\n", count: 200),
      String(repeating: "[\n]\n", count: 250_000),
      "a\n" + String(repeating: "e\u{301}", count: 300_000),
    ] {
      let folded = FoldedText(text)
      let isWhole = whole(folded) == text
      #expect(isWhole)
      #expect(shown(folded).utf8.count < 80_000)
      #expect(longestLine(shown(folded)) <= FoldedText.longestLine + 20)
      let unfolded = unfolded(folded)
      #expect(longestLine(unfolded) <= FoldedText.longestLine)
      let isAll = joined(unfolded) == text
      #expect(isAll)
    }
  }

  @Test("No slice is large, and each adds something")
  func sliceSizes() {
    let text = (0..<300).map { String(repeating: "漢", count: 20 * $0) }.joined(separator: "\n")
    let folded = FoldedText(text)
    for part in folded.parts {
      guard case .hidden(let range) = part else { continue }
      let sizes = slices(folded, range).map(\.utf8.count)
      #expect(sizes.allSatisfy { $0 > 0 && $0 <= 25_000 })
    }
    let isAll = joined(unfolded(folded)) == text
    #expect(isAll)
  }

  @Test("What is hidden is searched, in any case and wherever it is")
  func search() async throws {
    let filler = String(repeating: "123456789012345\n", count: 100_000)
    guard case .hidden(let hidden) = FoldedText(filler).parts.last else {
      Issue.record("nothing is hidden")
      return
    }
    // Also across the border of what is searched at once.
    for offset in [0, 3, 9, 15] {
      let place = hidden.lowerBound + (1 << 20) - offset
      let folded = FoldedText(
        String(filler.prefix(place)) + "Zoë’s Needle" + filler.dropFirst(place))
      let slices = folded.slices(of: hidden.lowerBound..<folded.whole.utf8.count)
      #expect(await slices.contains("ZOË’S nEEDLE"))
      #expect(await !slices.contains("needles"))
    }
    #expect(await !FoldedText("needle").slices(of: 0..<0).contains("needle"))
  }

  @Test("A size is readable")
  func size() {
    #expect(
      [0, 1, 999, 1000, 198_978, 999_499, 999_500, 10_000_000].map(ByteSize.text) == [
        "0 B", "1 B", "999 B", "1 kB", "199 kB", "999 kB", "1 MB", "10 MB",
      ])
  }
}

@Suite("The size of the log")
struct EventBookTests {
  private let date = Date(timeIntervalSince1970: 0)

  private func message(_ size: Int) -> LogMessage {
    LogMessage(lines: ["Result", String(repeating: "x", count: size)])
  }

  @Test("The bodies of the oldest messages are removed, with a line that says so")
  func bodies() {
    var buffer = EventBuffer()
    _ = buffer.append(.init(date: date, message: LogMessage("first")))
    let removes = (0..<7).map { _ in buffer.append(.init(date: date, message: message(10 << 20))) }
    #expect(removes == [false, false, false, false, false, false, true])
    let texts = buffer.all.map { $0.event(showing: .hidden) }.map(\.text)
    #expect(texts.count == 8)
    #expect(texts.first == "first")
    // 70 MiB and more: three must go until no more than 48 MiB are left.
    for text in texts[1...3] {
      #expect(text == "Result\n    [10 MB removed, because the log was full]")
    }
    #expect(texts[4...].allSatisfy { $0.utf8.count == (10 << 20) + 7 })
    let removesMore = buffer.append(.init(date: date, message: LogMessage("last")))
    #expect(!removesMore)
  }

  @Test("The newest message stays, however large it is, and so do the lines before it")
  func newest() {
    var buffer = EventBuffer()
    _ = buffer.append(.init(date: date, message: LogMessage("first")))
    var removes = buffer.append(.init(date: date, message: message(80 << 20)))
    #expect(removes)
    #expect(
      buffer.all.map { $0.event(showing: .hidden) }.map(\.text.utf8.count) == [5, (80 << 20) + 7])
    removes = buffer.append(.init(date: date, message: LogMessage("last")))
    #expect(removes)
    #expect(buffer.all.map { $0.event(showing: .hidden) }.map(\.text.utf8.count) == [5, 52, 4])
  }

  @Test("Many short lines are limited, too")
  func lines() {
    var buffer = EventBuffer()
    let line = LogMessage(String(repeating: "x", count: 1000))
    for _ in 0..<70_000 { _ = buffer.append(.init(date: date, message: line)) }
    let entries = buffer.all.map { $0.event(showing: .hidden) }
    #expect(entries.first?.text == "Older lines were removed, because the log was full.")
    #expect(entries.reduce(0) { $0 + $1.text.utf8.count } <= EventBuffer.limit)
    #expect(entries.count > 40_000)
  }

  @Test("A log that is shortened loses its long texts, then its oldest lines, at last the newest")
  func shortened() {
    var buffer = EventBuffer()
    for text in ["first", "second"] {
      _ = buffer.append(.init(date: date, message: LogMessage(text)))
    }
    _ = buffer.append(.init(date: date, message: message(10 << 20)))
    let removal = "Older lines were removed, because the log was full."
    let result = "Result\n    [10 MB removed, because the log was full]"
    let steps: [(limit: Int, texts: [String]?)] = [
      (20 << 20, nil), (2000, ["first", "second", result]), (600, [removal, "second", result]),
      (0, [removal]),
    ]
    for (limit, texts) in steps {
      let isShortened = buffer.shorten(to: limit)
      #expect(isShortened == (texts != nil))
      #expect(buffer.size <= limit)
      guard let texts else { continue }
      #expect(buffer.all.map { $0.event(showing: .hidden) }.map(\.text) == texts)
    }
  }
}
