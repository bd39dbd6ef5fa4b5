// The least that a new process does for a token: it reads an MSAL cache, parses it with the standard
// library's parser, and looks the token up. The floor of `auth-benchmark token`.
//
// usage: token-floor FILE HOME_ACCOUNT_ID

import FoundationEssentials

@main
enum TokenFloor {
  private struct Cache: Decodable {
    let AccessToken: [String: Token]
    let Account: [String: Account]
    let RefreshToken: [String: Token]
  }

  private struct Account: Decodable {
    let home_account_id: String
    let username: String
  }

  private struct Token: Decodable {
    let home_account_id: String
    let target: String
    let secret: String
    let expires_on: String?
  }

  static func main() throws {
    guard let file = FileManager.default.contents(atPath: CommandLine.arguments[1]) else {
      throw CocoaError(.fileReadNoSuchFile)
    }
    let cache = try JSONDecoder().decode(Cache.self, from: file)
    let token = cache.AccessToken.values.first {
      $0.home_account_id == CommandLine.arguments[2] && $0.target.contains("User.Read")
    }
    print(token?.secret.utf8.count ?? 0)
  }
}
