import Sentences

extension UnifiedCache {
  /// Scans the text of a cache once, and records the positions of its entries.
  struct Splitter {
    private let text: [UInt8]
    private(set) var positions: [Position] = []
    private(set) var clientIDs: [String] = []
    private(set) var accountPositions: [AccountKey: [Int]] = [:]
    private(set) var unownedPositions: [Int] = []
    private(set) var others: [(name: Range<Int>, value: Range<Int>)] = []
    /// Whether there are trailing commas, which are not valid JSON.
    private(set) var hasTrailingCommas = false
    /// The last values: most entries repeat those of the entry before.
    private var lastEnvironment = Known()
    private var lastClientID = Known()

    private struct Known {
      var range: Range<Int>?
      var text: String?
    }

    /// The positions of the members that identify an entry's owner.
    private struct Owner {
      var homeAccountID: Range<Int>?
      var environment: Range<Int>?
      var clientID: Range<Int>?
    }

    init(_ text: [UInt8]) {
      self.text = text
    }

    mutating func split() throws(JSONError) {
      // An account has four entries of a few kilobytes.
      positions.reserveCapacity(text.count / 1024)
      accountPositions.reserveCapacity(text.count / 4096)
      let text = text
      try text.withUnsafeBufferPointer { (bytes) throws(JSONError) in
        var scanner = JSONScanner(bytes)
        guard !scanner.isAtEnd() else { return }
        guard scanner.enterObject() else {
          throw scanner.failure(
            Sentence(
              "it is not a JSON object"))
        }
        var hasSection = false
        while let name = try scanner.nextName() {
          if let section = Section.allCases.first(where: { matches(name, $0.name, bytes) }) {
            try split(section, &scanner, bytes)
            hasSection = true
          } else {
            let value = try scanner.skipValue()
            others.append((name, value))
          }
        }
        guard scanner.isAtEnd() else {
          throw scanner.failure(Sentence("there is unexpected text after the object"))
        }
        // Other JSON, such as a settings file, must not be accepted as an empty cache.
        guard hasSection || others.isEmpty else {
          throw scanner.failure(Sentence("it has no section of a token cache, such as 'Account'"))
        }
        hasTrailingCommas = scanner.hasTrailingCommas
      }
    }

    private mutating func split(
      _ section: Section, _ scanner: inout JSONScanner, _ bytes: UnsafeBufferPointer<UInt8>
    ) throws(JSONError) {
      guard scanner.enterObject() else {
        throw scanner.failure(
          Sentence("'{name}' is not an object", ["name": section.rawValue]))
      }
      while let key = try scanner.nextName() {
        let start = scanner.startOfValue()
        var owner = Owner()
        if scanner.enterObject() {
          while let name = try scanner.nextName() {
            let value = try scanner.skipValue()
            switch name.count {
            case 17 where matches(name, "\"home_account_id\"", bytes): owner.homeAccountID = value
            case 13 where matches(name, "\"environment\"", bytes): owner.environment = value
            case 11 where matches(name, "\"client_id\"", bytes): owner.clientID = value
            default: break
            }
          }
          let value = start..<scanner.position
          try scanner.endValue()
          add(section, key, value, owner, bytes)
        } else {
          add(section, key, try scanner.skipValue(), owner, bytes)
        }
      }
      try scanner.endValue()
    }

    private mutating func add(
      _ section: Section, _ key: Range<Int>, _ value: Range<Int>, _ owner: Owner,
      _ bytes: UnsafeBufferPointer<UInt8>
    ) {
      if let environment = string(owner.environment, &lastEnvironment, bytes),
        let homeAccountID = string(owner.homeAccountID, bytes)
      {
        let account = AccountKey(homeAccountID: homeAccountID, environment: environment)
        if let index = accountPositions.index(forKey: account) {
          accountPositions.values[index].append(positions.count)
        } else {
          var first: [Int] = []
          first.reserveCapacity(Section.allCases.count)
          first.append(positions.count)
          accountPositions[account] = first
        }
      } else {
        unownedPositions.append(positions.count)
      }
      positions.append(
        Position(section: section, key: key, value: value, client: client(owner.clientID, bytes)))
    }

    /// The position of a client ID in ``clientIDs``.
    private mutating func client(
      _ range: Range<Int>?, _ bytes: UnsafeBufferPointer<UInt8>
    ) -> Int {
      guard let clientID = string(range, &lastClientID, bytes) else { return -1 }
      // There are only a few.
      if let index = clientIDs.lastIndex(of: clientID) { return index }
      clientIDs.append(clientID)
      return clientIDs.count - 1
    }

    /// The text of a quoted string; nil for another value.
    private func string(_ range: Range<Int>?, _ bytes: UnsafeBufferPointer<UInt8>) -> String? {
      guard let range, bytes[range.lowerBound] == UInt8(ascii: "\"") else { return nil }
      let inner = bytes[range.lowerBound + 1..<range.upperBound - 1]
      if inner.contains(UInt8(ascii: "\\")) { return (try? JSON(parsing: bytes[range]))?.string }
      return String(validating: inner, as: UTF8.self)
    }

    private func string(
      _ range: Range<Int>?, _ last: inout Known, _ bytes: UnsafeBufferPointer<UInt8>
    ) -> String? {
      guard let range else { return nil }
      if let known = last.range, bytes[known].elementsEqual(bytes[range]) { return last.text }
      last = Known(range: range, text: string(range, bytes))
      return last.text
    }

    private func matches(
      _ range: Range<Int>, _ name: StaticString, _ bytes: UnsafeBufferPointer<UInt8>
    ) -> Bool {
      range.count == name.utf8CodeUnitCount
        && bytes[range].elementsEqual(
          UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
    }
  }
}

extension UnifiedCache.Section {
  /// The name with its quotation marks.
  fileprivate var name: StaticString {
    switch self {
    case .account: "\"Account\""
    case .accessToken: "\"AccessToken\""
    case .refreshToken: "\"RefreshToken\""
    case .idToken: "\"IdToken\""
    case .appMetadata: "\"AppMetadata\""
    case .accountMetadata: "\"AccountMetadata\""
    }
  }
}
