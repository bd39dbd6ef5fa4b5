import AuthCore

/// The least that a token from memory takes: a look-up by account and scopes, and a copy.
///
/// For a cache that other programs share, the smallest check for a change comes first.
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
