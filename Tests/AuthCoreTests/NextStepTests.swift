import AuthCore
import FoundationEssentials
import Testing

@Suite("Next steps after an error")
struct NextStepTests {
  /// The cells of the tables in the article "Handling errors".
  private static func rows() throws -> [[String]] {
    let folder = try #require(#filePath.firstRange(of: "/Tests/")).lowerBound
    let path =
      #filePath[..<folder] + "/Sources/AuthCore/Documentation.docc/Articles/HandlingErrors.md"
    return try String(contentsOfFile: String(path), encoding: .utf8).split(separator: "\n")
      .filter { $0.hasPrefix("| ``") }
      .map { $0.split(separator: "|").map { $0.split(separator: " ").joined(separator: " ") } }
  }

  private static func symbol(_ parent: String, _ name: String) -> String {
    "``AuthenticationError/\(parent)/\(name)``"
  }

  @Test("The article lists every code with its next step, and explains every next step")
  func article() throws {
    let rows = try Self.rows()
    let codes = rows.filter { $0[0].contains("/Code/") }
    #expect(codes.count == AuthenticationError.Code.allCases.count)
    for code in AuthenticationError.Code.allCases {
      let step = Self.symbol("NextStep", code.nextStep.rawValue)
      #expect(codes.filter { $0[0] == Self.symbol("Code", code.rawValue) }.map { $0[2] } == [step])
    }
    let steps = rows.filter { $0[0].contains("/NextStep/") }
    #expect(
      steps.map { $0[0] }.sorted()
        == AuthenticationError.NextStep.allCases.map { Self.symbol("NextStep", $0.rawValue) }
        .sorted())
    #expect(steps.allSatisfy { $0.count == 3 && !$0[1].isEmpty && !$0[2].isEmpty })
  }

  @Test("Every next step is used, and a cancellation requires none")
  func steps() {
    let used = Set(AuthenticationError.Code.allCases.map(\.nextStep))
    #expect(used == Set(AuthenticationError.NextStep.allCases))
    let idle = AuthenticationError.Code.allCases.filter { $0.nextStep == .goOn }
    #expect(idle == [.userCanceled, .storageIncomplete])
  }
}
