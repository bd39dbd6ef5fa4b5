import AuthCore

/// What a token from memory cannot do without: it is looked up by whose it is and what it is for, and copied.
///
/// Where other programs share the cache, the least that tells of a change comes before it.
struct TokenTable {
  private struct Purpose: Hashable {
    let account: String
    let scopes: [String]
  }

  private var tokens: [Purpose: Secret<String>] = [:]

  init(_ accounts: [String], scopes: [String]) {
    for account in accounts {
      tokens[Purpose(account: account, scopes: scopes)] = Secret("a token of \(account)")
    }
  }

  func lookUp(_ account: String, _ scopes: [String], _ count: Int) {
    for _ in 0..<count {
      precondition(token(Purpose(account: account, scopes: scopes)) != nil)
    }
  }

  func lookUp(_ account: String, _ scopes: [String], ifUnchanged file: OpenFile, _ count: Int) {
    for _ in 0..<count {
      precondition(file.isUnchanged)
      precondition(token(Purpose(account: account, scopes: scopes)) != nil)
    }
  }

  @inline(never)
  private func token(_ purpose: Purpose) -> Secret<String>? { tokens[purpose] }
}
