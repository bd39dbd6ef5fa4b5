import AuthCore
import EntranceKit
import FoundationEssentials
import Testing

/// What is said about errors that other programs printed.
@Suite("Explanations of errors")
struct ErrorExplanationTests {
  /// A line of `Tests/known-errors.txt`.
  struct Entry: CustomTestStringConvertible {
    let name: String
    let solver: String
    let thread: String
    let text: String
    var testDescription: String { "\(name) in \(thread)" }

    static let all: [Entry] = {
      guard let folder = #filePath.firstRange(of: "/Tests/"),
        let text = try? String(
          contentsOfFile: #filePath[..<folder.upperBound] + "known-errors.txt", encoding: .utf8)
      else { return [] }
      return text.split(separator: "\n").compactMap { line in
        let cells = line.split(separator: "\t").map(String.init)
        guard cells.count == 4 else { return nil }
        return Entry(name: cells[0], solver: cells[1], thread: cells[2], text: cells[3])
      }
    }()
  }

  private func names(_ text: String) -> [String] { ErrorExplanation.all(in: text).map(\.name) }

  @Test("Sixty errors of public threads are in the list")
  func list() { #expect(Entry.all.count >= 60) }

  @Test("An error that somebody asked about is explained", arguments: Entry.all)
  func asked(_ entry: Entry) throws {
    let first = try #require(ErrorExplanation.all(in: entry.text).first)
    #expect(first.name == entry.name)
    #expect(first.solver.rawValue == entry.solver)
    #expect(first.source.hasPrefix("https://"))
  }

  @Test("Every number that the sign-in explains is explained", arguments: ErrorGuidance.knownCodes)
  func numbers(_ number: Int) throws {
    let explanation = try #require(ErrorExplanation.all(in: "\(number)").first)
    #expect(explanation.name == "AADSTS\(number)")
    #expect(explanation.meaning == ErrorGuidance(code: number)?.meaning)
    #expect(explanation.source == "https://login.microsoftonline.com/error?code=\(number)")
  }

  @Test("At least 150 numbers are explained")
  func count() { #expect(ErrorGuidance.knownCodes.count >= 150) }

  @Test(
    "A number is found in each of its forms",
    arguments: [
      "50076", "  50076\n", "AADSTS50076", "aadsts50076: Due to a configuration change",
      "https://login.microsoftonline.com/error?code=50076", #"{"error_codes":[50076]}"#,
      "(AADSTS50076)", "Code: AADSTS50076, AADSTS50076 again", "Error 50076.", "AADSTS 50076",
      "Error code: 50076", "50076, 50076",
    ])
  func forms(_ text: String) {
    #expect(names(text) == ["AADSTS50076"])
  }

  @Test(
    "Another number is not one of the sign-in service",
    arguments: [
      "Port 50076", "50076 files", "AADSTS", "AADSTS5", "500760000000000000000000", "",
      "Error code 10060",
    ])
  func otherNumbers(_ text: String) {
    #expect(names(text).isEmpty)
  }

  @Test("What says little is left out beside what says more")
  func general() {
    #expect(names("invalid_grant: AADSTS50173: The grant has expired.") == ["AADSTS50173"])
    #expect(names("invalid_grant") == ["invalid_grant"])
    #expect(names("access_denied AADB2C90118: forgotten") == ["AADB2C90118"])
    #expect(
      names("535 5.7.139 Authentication unsuccessful, basic authentication is disabled.")
        == ["basic authentication is disabled"])
  }

  @Test("A name is found only as a whole word, in any case")
  func words() {
    #expect(names("Invalid_Grant") == ["invalid_grant"])
    #expect(names("(invalid_grant)") == ["invalid_grant"])
    #expect(names("not_invalid_grant_either invalid_grants").isEmpty)
  }

  @Test(
    "A name is whole, whatever part of the message is looked for",
    arguments: [
      (
        "fatal: Authentication failed for 'https://dev.azure.com/contoso/_git/app/'",
        "Authentication failed for 'https://dev.azure.com/…'"
      ),
      (
        "fatal: could not read Username for 'https://dev.azure.com': terminal prompts disabled",
        "could not read Username for 'https://dev.azure.com'"
      ),
      ("TF400813: The user '' is not authorized to access this resource.", "TF400813"),
      (
        "The mailbox is either inactive, soft-deleted, or is hosted on-premise.",
        "mailbox is either inactive, soft-deleted, or is hosted on-premise"
      ),
    ])
  func wholeNames(_ text: String, _ name: String) {
    #expect(names(text) == [name])
  }

  @Test(
    "Codes of Windows are found with 0x and without",
    arguments: ["CAA20002", "CAA2000B", "80090016", "80180014"])
  func codesOfWindows(_ code: String) throws {
    for text in [code, "(\(code))", "Error code: \(code)"] { #expect(names(text) == [code]) }
    #expect(names("Token provider error code: 0x\(code)") == ["0x\(code)"])
    #expect(try #require(ErrorExplanation.all(in: code).first).solver == .administrator)
  }

  @Test("Several errors are explained in their order, each once")
  func several() {
    #expect(
      names("AADSTS50076, then AADSTS700016, then AADSTS50076")
        == ["AADSTS50076", "AADSTS700016"])
    #expect(names("65001 50076") == ["AADSTS65001", "AADSTS50076"])
  }

  @Test("Of a number that is not known here, there is Microsoft's page")
  func unknownNumber() {
    let reading = ErrorReading("AADSTS999999")
    #expect(reading.explanations.isEmpty)
    #expect(reading.page == "https://login.microsoftonline.com/error?code=999999")
    #expect("\(reading.nextStep)".contains("error?code=999999"))
    #expect(ErrorReading("Nothing that is known").page == nil)
  }

  @Test("A text is read up to a limit, whatever its length")
  func longText() {
    let long = String(repeating: "AADSTS", count: 100_000)
    #expect(names("AADSTS50076 " + long) == ["AADSTS50076"])
    #expect(names(long + " AADSTS50076").isEmpty)
  }

  @Test("Nothing in a text can trap")
  func anything() {
    for text in ["AADSTS9223372036854775808", "\u{0}\u{202E}AADSTS", "🎉AADSTS50076🎉", "AADSTS-5"] {
      _ = names(text)
    }
    #expect(names("🎉AADSTS50076🎉") == ["AADSTS50076"])
  }
}
