import Connections
import FoundationEssentials
import HTTPFiles

@testable import AuthCore

extension FuzzTarget {
  /// `apps.json`, changes of it, and imports.
  func readConnections(_ bytes: [UInt8]) throws {
    let imported = try? ConnectionImport.drafts(from: String(decoding: bytes, as: UTF8.self))
    try expect(imported?.isEmpty != true, "an import has a connection")
    if let document = try? ConnectionDocument(bytes) { try changeConnections(document) }
    do {
      let names = try ConnectionFile.parse(bytes).map(\.name)
      try expect(Set(names).count == names.count, "connection names are unique")
    } catch let error as ConnectionFileError {
      try expect(error.line.map { $0 > 0 } ?? true, "lines are counted from 1")
      try expect(!"\(error.reason)".isEmpty, "an error has a reason")
    }
  }

  /// Each connection can be removed and restored, and each change leaves the others alone.
  private func changeConnections(_ original: ConnectionDocument) throws {
    for name in original.connections.map(\.name) {
      var document = original
      guard let removed = try document.remove(name) else { continue }
      try expect(
        document.connections.map(\.name) == original.connections.map(\.name).filter { $0 != name },
        "only this connection is removed")
      try document.restore(removed)
      try expect(
        document.connections.map(\.name) == original.connections.map(\.name),
        "the connection is where it was")
      try expect(
        document.draft(of: name) == original.draft(of: name), "the connection is what it was")
    }
    var document = original
    try document.setStorage(.memory)
    try document.setStorage(nil)
    try expect(
      document.connections.map(\.name) == original.connections.map(\.name),
      "no connection is lost")
  }

  /// A file of requests: each can be used and edited, and the others stay what they are.
  func readHTTPFile(_ bytes: [UInt8]) throws {
    guard let file = try? HTTPFile(bytes) else { return }
    let isUTF16 = bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF])
    try expect(file.bytes == bytes || isUTF16, "the file keeps its bytes")
    let values = HTTPFile.Values(
      given: ["a": "1"], dotenv: HTTPFile.Values.dotenv(bytes), now: { Self.now })
    for (index, request) in file.requests.enumerated() {
      _ = try? file.resolve(request, values, directory: "/nonexistent")
      var copy = file
      try copy.replace(index, with: request.content)
      try expect(copy == file, "the same content changes nothing")
      var content = request.content
      content.url += "/x"
      guard (try? copy.replace(index, with: content)) != nil else { continue }
      try expect(
        copy.requests.count == file.requests.count && copy.requests[index].content == content,
        "an edit is what is read again")
    }
  }

  /// Requests of other programs: what is imported is a file of requests that can all be used.
  func readHTTPImport(_ bytes: [UInt8]) throws {
    do {
      let file = try HTTPFileImport(bytes).file
      try expect(!file.requests.isEmpty && file.notes.isEmpty, "there are requests, and no more")
      try expect(
        file.requests.allSatisfy { $0.problems.isEmpty && $0.name?.isEmpty == false },
        "each request has a name and can be used")
      try expect(
        Set(file.requests.map(\.name)).count == file.requests.count, "names are unique")
    } catch let failure as HTTPFileImport.Failure {
      try expect(failure.line.map { $0 > 0 } ?? true, "lines are counted from 1")
      try expect(failure.column.map { $0 > 0 } ?? true, "columns are counted from 1")
      try expect(!"\(failure.reason)".isEmpty, "an error has a reason")
    }
  }

  /// JSON, the format of nearly all input from outside.
  func readJSON(_ bytes: [UInt8]) throws {
    _ = try? JSON.parseEditable(bytes)
    guard let json = try? JSON(parsing: bytes) else { return }
    for text in [json.compactText, json.prettyText] {
      try expect((try? JSON(parsing: text.utf8)) == json, "the written value equals the parsed one")
    }
  }

  /// A token cache in MSAL's unified schema.
  func readTokenCache(_ bytes: [UInt8]) throws {
    guard let contents = try? UnifiedCache(Secret(Data(bytes))) else { return }
    _ = contents.accounts
    try expect(contents.foreignTokenCount >= 0, "the number of foreign tokens is not negative")
    try expect(contents.unownedTokenCount >= 0, "the number of unowned tokens is not negative")
    let records = contents.records
    for record in records {
      let again = StoredRecord(id: record.id, contents: record.text).account
      try expect(again?.refreshToken == record.refreshToken, "a refresh token is preserved")
    }
    guard let copy = try? UnifiedCache(contents.text) else {
      throw BrokenProperty(target: self, property: "the written value can be parsed")
    }
    try expect(copy.accountKeys.count == contents.accountKeys.count, "no account is lost")
    var merged = copy
    for record in records { merged.write(record, replacing: nil) }
    for record in records { merged.remove(record) }
  }

  /// The text of a keyring item that several programs share.
  func readKeyringItem(_ bytes: [UInt8]) throws {
    let (text, encoding) = SharedKeyringItem.Encoding.read(bytes)
    guard let encoding, let cache = try? UnifiedCache(text) else { return }
    let written = encoding.write(cache.bytes)
    try expect(
      encoding != .raw || written.allSatisfy { $0 >= 0x20 }, "an item is one line of text")
    let (again, _) = SharedKeyringItem.Encoding.read(written)
    guard let copy = try? UnifiedCache(again) else {
      throw BrokenProperty(target: self, property: "the written value can be parsed")
    }
    // With its control characters escaped, text that was no account may have become one.
    try expect(copy.accountKeys.count >= cache.accountKeys.count, "no account is lost")
  }

  /// A file of the encrypted store; the first byte selects the byte of a sound file to change.
  func readEncryptedFile(_ bytes: [UInt8]) throws {
    let file = EncryptedFile(key: Secret(Data(repeating: 7, count: 32)))
    _ = file.open(bytes, name: "account")
    var sealed = file.seal(Data(bytes), name: "account")
    guard case .opened(let contents) = file.open(sealed, name: "account"), contents == Data(bytes)
    else { throw BrokenProperty(target: self, property: "what was sealed can be opened") }
    if case .opened = file.open(sealed, name: "other") {
      throw BrokenProperty(target: self, property: "a file has one name")
    }
    sealed[Int(bytes.first ?? 0) % sealed.count] ^= 1
    if case .opened = file.open(sealed, name: "account") {
      throw BrokenProperty(target: self, property: "a changed file is not opened")
    }
  }

  /// The pauses that processes share.
  func readPauses(_ bytes: [UInt8]) throws {
    let pauses = SharedPauses.pauses(in: bytes, at: Self.now)
    let now = Self.now.timeIntervalSince1970
    for pause in pauses {
      try expect(
        pause.end > now && pause.end - now < PauseLength.longest + 2,
        "a pause ends, and within an hour")
    }
    let written = SharedPauses.contents(of: pauses)
    try expect(
      SharedPauses.pauses(in: written, at: Self.now) == Array(pauses.suffix(100)),
      "the written value equals the parsed one")
  }

  /// The key from the service manager.
  func readCredentialKey(_ bytes: [UInt8]) throws {
    guard let key = CredentialKey.key(bytes[...]) else { return }
    try expect(key.exposed.count == 32, "a key has 32 bytes")
    let text = Array((key.exposed.base64EncodedString() + "\n").utf8)
    try expect(CredentialKey.key(text[...]) == key, "the base64 text is the same key")
  }

  /// The records of AuthCore's own stores.
  func readStoredRecord(_ bytes: [UInt8]) throws {
    _ = PassphraseDerivation(bytes)
    if let envelope = try? SlotEnvelope(Secret(Data(bytes))) {
      try expect(
        (try? SlotEnvelope(envelope.text)) == envelope, "the written value equals the parsed one")
    }
    if let index = RecordIndex(Secret(Data(bytes))) {
      try expect(RecordIndex(index.payload) == index, "the written value equals the parsed one")
    }
    if let file = RecordFile(Data(bytes)) {
      try expect(RecordFile(file.data)?.data == file.data, "a written file can be read")
    }
    guard let record = StoredRecord(id: "1", contents: Secret(Data(bytes))).account else { return }
    _ = record.account
    let again = StoredRecord(id: "1", contents: record.text).account
    try expect(again?.refreshToken == record.refreshToken, "a refresh token is preserved")
  }
}
