import AuthCore
import FoundationEssentials
import Testing

@Suite("The table of MSAL's error codes")
struct MSALErrorCodeTests {
  /// The cells of all rows, in the order of the page.
  let rows: [[String]]

  init() throws {
    let folder = try #require(#filePath.firstRange(of: "/Tests/")).lowerBound
    let path =
      #filePath[..<folder] + "/Sources/AuthCore/Documentation.docc/MSALErrorCodes.md"
    rows = try String(contentsOfFile: String(path), encoding: .utf8).split(separator: "\n")
      .filter { $0.hasPrefix("|") && !$0.hasPrefix("|-") }
      .map { line in
        line.dropFirst().dropLast().split(separator: "|", omittingEmptySubsequences: false)
          .map { $0.trimming { $0 == " " } }
      }
  }

  /// The words between backticks.
  func quoted(_ cell: String) -> [String] {
    cell.split(separator: "`", omittingEmptySubsequences: false).enumerated()
      .compactMap { $0.offset.isMultiple(of: 2) ? nil : String($0.element) }
  }

  /// From MSALError.h in MSAL 2.13.
  static let numbers =
    Array(-50008...(-50000)) + [-50142] + Array(-42011...(-42000))
    + [
      -42101, -42102, -42104, -42106, -42401, -42402, -42403, -42404, -42405, -42501, -42600,
      -42602,
    ]
    + Array(-42709...(-42700)) + [-42711, -42712, -42713, -42714, -42745]

  @Test("The table has every MSAL code once")
  func msal() {
    let found = rows.filter { $0.count == 4 }.compactMap { Int($0[1]) }
    #expect(found.sorted() == Self.numbers.sorted())
    #expect(rows.contains { $0.count == 4 && $0[1] == "-42715 … -42744" })
    let names = rows.filter { $0.count == 4 && Int($0[1]) != nil }.flatMap { quoted($0[0]) }
    #expect(names.count == found.count && Set(names).count == names.count)
    for name in names {
      #expect(name.hasPrefix("MSALError") || name.hasPrefix("MSALInternalError"))
    }
  }

  @Test("The table has every AuthCore code, and no other")
  func ours() {
    let known = AuthenticationError.Code.allCases.map(\.rawValue)
    let mapped = rows.filter { $0.count == 4 }.flatMap { quoted($0[2]) }
    let own = rows.filter { $0.count == 2 && $0[0].hasPrefix("`") && !$0[0].hasPrefix("`MSAL") }
      .flatMap { quoted($0[0]) }
    for name in mapped + own { #expect(known.contains(name), "\(name) is no code") }
    for name in known { #expect((mapped + own).contains(name), "\(name) is missing") }
  }

  @Test("A code with a public MSAL equivalent has its name")
  func names() {
    for row in rows where row.count == 4 {
      for name in quoted(row[0]) where name.hasPrefix("MSALError") {
        let short = name.dropFirst("MSALError".count)
        let same = AuthenticationError.Code.allCases.map(\.rawValue)
          .filter { $0.lowercased() == short.lowercased() }
        #expect(same.isEmpty || quoted(row[2]) == same)
      }
    }
  }
}

extension StringProtocol {
  /// The text with the characters for which `isBlank` is true removed from its ends.
  fileprivate func trimming(_ isBlank: (Character) -> Bool) -> String {
    var text = self[...].drop(while: isBlank)
    while let last = text.last, isBlank(last) { text.removeLast() }
    return String(text)
  }
}
