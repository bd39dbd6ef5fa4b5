import AuthCore
import FoundationEssentials
import Testing

@Suite("Types of which a later version can have more values")
struct AllCasesTests {
  /// The values of a type that are written down in `Tests/API`.
  private static func declared(_ type: String) throws -> Int {
    let folder = try #require(#filePath.firstRange(of: "/Tests/")).lowerBound
    let path = #filePath[..<folder] + "/Tests/API/AuthCore.txt"
    return try String(contentsOfFile: String(path), encoding: .utf8).split(separator: "\n")
      .count {
        $0.hasPrefix("\(type).") && $0.contains(": static let ") && $0.hasSuffix(": \(type)")
      }
  }

  private func expectAll<Value: CaseIterable & Hashable>(_ values: Value.Type) throws {
    // Without the module's name.
    let type = String(reflecting: values).split(separator: ".").dropFirst().joined(separator: ".")
    #expect(try Self.declared(type) == Set(values.allCases).count, "\(type)")
    #expect(Set(values.allCases).count == values.allCases.count, "\(type)")
  }

  @Test("Every value that is declared is among all of them, once")
  func all() throws {
    try expectAll(AuthenticationError.Code.self)
    try expectAll(AuthenticationError.NextStep.self)
    try expectAll(Authority.Kind.self)
    try expectAll(BrokerError.Status.self)
    try expectAll(ClaimsRequest.Target.self)
    try expectAll(Prompt.self)
    try expectAll(StorageKind.self)
  }

  @Test("A value is found by its name, and described by it")
  func names() {
    for kind in Authority.Kind.allCases {
      #expect(Authority.Kind(rawValue: kind.rawValue) == kind)
      #expect("\(kind)" == kind.rawValue)
    }
    for kind in StorageKind.allCases {
      #expect(StorageKind(rawValue: kind.rawValue) == kind)
      #expect("\(kind)" == kind.rawValue)
    }
    #expect("\(KeyringPresence.noBus)" == "noBus")
    #expect("\(BrokerError.Status.userCanceled)" == "7")
    #expect(Authority.Kind(rawValue: "saml") == nil)
    #expect(StorageKind(rawValue: "automatic") == nil)
  }
}
