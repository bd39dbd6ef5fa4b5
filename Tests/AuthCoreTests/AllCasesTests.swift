import AuthCore
import FoundationEssentials
import Testing

@Suite("Structs with values that later versions may add")
struct AllCasesTests {
  /// The values of a type that `Tests/API` lists.
  private static func declared(_ type: String) throws -> Int {
    let folder = try #require(#filePath.firstRange(of: "/Tests/")).lowerBound
    let path = #filePath[..<folder] + "/Tests/API/AuthCore.txt"
    return try String(contentsOfFile: String(path), encoding: .utf8).split(separator: "\n")
      .count {
        $0.hasPrefix("\(type).") && $0.contains(": static let ") && $0.hasSuffix(": \(type)")
      }
  }

  private func expectAll<Value: CaseIterable & Hashable>(_ values: Value.Type) throws {
    // Without the name of the module.
    let type = String(reflecting: values).split(separator: ".").dropFirst().joined(separator: ".")
    #expect(try Self.declared(type) == Set(values.allCases).count, "\(type)")
    #expect(Set(values.allCases).count == values.allCases.count, "\(type)")
  }

  @Test("allCases contains every declared value, once")
  func all() throws {
    try expectAll(AuthenticationError.Code.self)
    try expectAll(AuthenticationError.NextStep.self)
    try expectAll(Authority.Kind.self)
    try expectAll(BrokerError.Status.self)
    try expectAll(ClaimsRequest.Target.self)
    try expectAll(Prompt.self)
    try expectAll(StorageKind.self)
  }

  @Test("A value is described by its name, and can be created from it")
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
