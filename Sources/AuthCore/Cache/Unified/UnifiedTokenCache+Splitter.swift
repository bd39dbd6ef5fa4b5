extension UnifiedTokenCache {
  /// Goes through the text of a cache once, and notes where things are.
  struct Splitter {
    private let text: [UInt8]
    private(set) var entries: [Entry?] = []
    private(set) var places: [AccountID: [Int]] = [:]
    private(set) var others: [(name: ArraySlice<UInt8>, value: ArraySlice<UInt8>)] = []
    /// What was read last: from one entry to the next little of it changes.
    private var lastEnvironment = Known()
    private var lastClientID = Known()

    private struct Known {
      var bytes: ArraySlice<UInt8> = []
      var text: String?
    }

    /// Where the members are that tell whose an entry is.
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
      entries.reserveCapacity(text.count / 1024)
      let text = text
      try text.withUnsafeBufferPointer { (bytes) throws(JSONError) in
        var scanner = JSONScanner(bytes)
        guard !scanner.isAtEnd() else { return }
        guard scanner.enterObject() else { throw scanner.failure("it is no JSON object") }
        while let name = try scanner.nextName() {
          if let section = Section.allCases.first(where: { matches(name, $0.name, bytes) }) {
            try split(section, &scanner, bytes)
          } else {
            let value = try scanner.skipValue()
            others.append((text[name], text[value]))
          }
        }
        guard scanner.isAtEnd() else { throw scanner.failure("there is more behind the object") }
      }
    }

    private mutating func split(
      _ section: Section, _ scanner: inout JSONScanner, _ bytes: UnsafeBufferPointer<UInt8>
    ) throws(JSONError) {
      guard scanner.enterObject() else {
        throw scanner.failure("'\(section.rawValue)' is no object")
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
          add(section, key, value, owner)
        } else {
          add(section, key, try scanner.skipValue(), owner)
        }
      }
      try scanner.endValue()
    }

    private mutating func add(
      _ section: Section, _ key: Range<Int>, _ value: Range<Int>, _ owner: Owner
    ) {
      var account: AccountID?
      if let environment = string(owner.environment, &lastEnvironment),
        let homeAccountID = string(owner.homeAccountID)
      {
        let id = AccountID(homeAccountID: homeAccountID, environment: environment)
        places[id, default: []].append(entries.count)
        account = id
      }
      entries.append(
        Entry(
          section: section, key: text[key], value: text[value], account: account,
          clientID: string(owner.clientID, &lastClientID)))
    }

    /// The text of a string in its quotes; nil for another value.
    private func string(_ range: Range<Int>?) -> String? {
      guard let range, text[range.lowerBound] == UInt8(ascii: "\"") else { return nil }
      let inner = text[range.lowerBound + 1..<range.upperBound - 1]
      if inner.contains(UInt8(ascii: "\\")) { return (try? JSON(parsing: text[range]))?.string }
      return String(validating: inner, as: UTF8.self)
    }

    private func string(_ range: Range<Int>?, _ last: inout Known) -> String? {
      guard let range else { return nil }
      if last.bytes != text[range] {
        last = Known(bytes: text[range], text: string(range))
      }
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

extension UnifiedTokenCache.Section {
  /// The name in its quotes.
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
