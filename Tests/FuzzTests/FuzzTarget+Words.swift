import FoundationEssentials

@testable import AuthCore
@testable import EntranceKit

// What the app makes of numbers from outside, of the identifiers that it gave to the desktop, and of
// what is typed or pasted.
extension FuzzTarget {
  /// A number of seconds or days, as text.
  func readNumber(_ bytes: [UInt8]) throws {
    guard let number = Int(String(decoding: bytes, as: UTF8.self)) else { return }
    let time = Date(timeIntervalSince1970: Double(number))
    let code = DeviceCode(
      userCode: "1", verificationURI: "https://login.example", verificationURIComplete: nil,
      expiresOn: time)
    let timeLeft = code.timeLeft(at: Self.now)
    try expect(!timeLeft.contains("-"), "no time is less than none: \(timeLeft)")
    try expectWords(pauseOf: number)
    try expectWords(
      WrongClock(.seconds(number), at: Self.now).notice(canOpenSettings: false))
    _ = WrongClock(.seconds(number), at: time).isCorrected(at: Self.now)
    let lastUse = AccountNote(lastDay: number).lastUseText(at: Self.now)
    try expect(lastUse?.contains("-") != true, "no use is later than today")
    var note = AccountNote()
    note.use(at: time)
    _ = note.lastUseText(at: Self.now)
  }

  /// The notice of a pause has its seconds in its text.
  func expectWords(pauseOf seconds: Int) throws {
    for kind in [FailureKind.later, .tooManyRequests] {
      let pause = ServicePause(
        service: "Microsoft Graph", length: .zero, kind: kind, isRequested: true)
      try expectWords(.pause(pause, seconds: seconds, canSendNow: true))
    }
  }

  /// A notice that tells a number has it in its text.
  func expectWords(_ notice: Notice) throws {
    try expect(
      notice.text.contains { $0.isNumber } && !notice.text.contains("{"),
      "a notice tells the number")
  }

  /// The answer of an API: what the log shows is the value that all others read.
  func readJSONWriter(_ bytes: [UInt8]) throws {
    let json = try? JSON(parsing: bytes)
    let line = try ResponseDocument.line(of: Data(bytes))
    try expect(line == json?.compactText, "a line is what the parser reads")
    let text = try ResponseDocument(Data(bytes))?.folded.whole
    try expect(text == json?.prettyText, "a text is what the parser reads")
  }

  /// A query of a JSON document.
  func readJSONPath(_ bytes: [UInt8]) throws {
    // Each ".." multiplies what is selected.
    guard bytes.count <= 64 else { return }
    do {
      let path = try JSONPath(String(decoding: bytes, as: UTF8.self))
      let document = try JSON(
        parsing: #"{"a": [1, {"a": "b", "c": [null, -2.5e3]}], "c": {}}"#.utf8)
      _ = path.select(document)
    } catch let failure as JSONPath.Failure {
      try expect(failure.column > 0, "characters are counted from 1")
      try expect(!"\(failure.reason)".isEmpty, "an error has a reason")
    }
  }

  /// The identifier of a search result.
  func readSearchResultID(_ bytes: [UInt8]) throws {
    guard let id = SearchResultID(String(decoding: bytes, as: UTF8.self)) else { return }
    try expect(SearchResultID(id.identifier) == id, "the written value equals the parsed one")
  }

  /// A pasted token, and the claims of one.
  func readToken(_ bytes: [UInt8]) throws {
    let header = Base64URL.encode(#"{"alg":"RS256"}"#.utf8)
    for text in [
      String(decoding: bytes, as: UTF8.self), "\(header).\(Base64URL.encode(bytes)).AAAA",
    ] {
      let reading = TokenReading(text, at: Self.now)
      guard let token = reading.token else {
        try expect(reading.remark != nil, "what cannot be read is said")
        continue
      }
      for claim in token.header + token.claims {
        let texts = [claim.name, claim.text] + claim.parts.map(\.name)
        try expect(texts.allSatisfy { $0 == $0.plain }, "a text is one line")
        try expect(texts.allSatisfy { $0.count < 10_000 }, "a text is bounded")
      }
    }
  }

  /// Header fields before a cursor; the first byte chooses the method.
  func readFields(_ bytes: [UInt8]) throws {
    guard let choice = bytes.first else { return }
    let methods = ExplorerRequest.Method.allCases
    let method = methods[Int(choice) % methods.count]
    let head = String(decoding: bytes.dropFirst(), as: UTF8.self)
    guard let found = FieldCompletion.find(after: head, for: method) else { return }
    try expect(!found.proposals.isEmpty, "what is found is shown")
    let begun = head.suffix(found.begun).lowercased()
    try expect(!begun.contains { $0.isNewline }, "only what is in the line is replaced")
    let isComplete = ExplorerRequest(method, fields: head).fieldProblem == nil
    for proposal in found.proposals {
      try expect(proposal.text.lowercased().hasPrefix(begun), "what is written is continued")
      let text = head.dropLast(found.begun) + proposal.text
      let rest = FieldCompletion.find(after: String(text), for: method)
      try expect(
        rest == nil || rest?.proposals.map(\.text) != [proposal.text],
        "what is written is not proposed again")
      try expect(
        !isComplete
          || ExplorerRequest(method, fields: text + (proposal.isContinued ? "1" : ""))
            .fieldProblem == nil,
        "what is proposed can be sent")
    }
  }
}
