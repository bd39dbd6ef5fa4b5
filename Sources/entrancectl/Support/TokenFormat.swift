import ArgumentParser
import AuthCore
import Connections
import FoundationEssentials
import Localization
import Sentences

/// How a token is printed, for the programs that ask a command for one.
enum TokenFormat: String, CaseIterable, ExpressibleByArgument {
  /// The token alone.
  case raw
  /// The document of `--json`.
  case json
  /// A header field of HTTP.
  case header
  /// The initial client response of the SASL mechanism XOAUTH2, in Base64, as mail programs send it.
  case xoauth2
  /// Assignments that a shell can evaluate.
  case env

  /// None for the parser: it would list them in English, and the help of the option names them.
  static let allValueStrings: [String] = []

  /// The line of a token in this format; nil for ``json``.
  func line(_ result: AuthenticationResult) -> String? {
    let token = result.accessToken.exposed
    return switch self {
    case .raw: token
    case .json: nil
    case .header: "Authorization: Bearer \(token)"
    case .xoauth2:
      // https://developers.google.com/workspace/gmail/imap/xoauth2-protocol, which Exchange follows.
      Data("user=\(Self.name(of: result.account))\u{1}auth=Bearer \(token)\u{1}\u{1}".utf8)
        .base64EncodedString()
    case .env:
      "ACCESS_TOKEN=\(token.quoted) EXPIRES_ON=\(Int(result.expiresOn.timeIntervalSince1970))"
    }
  }

  /// The user name, without characters that would begin another member.
  private static func name(of account: Account) -> String {
    String(account.username.unicodeScalars.filter { $0.properties.generalCategory != .control })
  }
}

/// How long a token must be good for: a number with `s`, `m` or `h` behind it; without one, seconds.
struct TokenLifetime: ExpressibleByArgument {
  let duration: Duration

  /// Longer than any token lives.
  private static let longest = Duration.seconds(7 * 86_400)

  init?(argument: String) {
    let units: [Character: Int] = ["s": 1, "m": 60, "h": 3600]
    let unit = argument.last.flatMap { units[$0] }
    let digits = unit == nil ? argument[...] : argument.dropLast()
    guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      let number = Int(digits)
    else { return nil }
    let (seconds, overflows) = number.multipliedReportingOverflow(by: unit ?? 1)
    duration = overflows ? Self.longest : min(.seconds(seconds), Self.longest)
  }
}
