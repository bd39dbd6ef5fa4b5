import AuthCore
import FoundationEssentials
import Sentences

/// Parses a broker's replies.
///
/// Brokers differ, and their interface is not documented: every member may be missing, and some
/// have two forms.
enum BrokerReplies {
  /// Reads the text of a reply.
  ///
  /// - Throws: the error in the reply, or that the reply cannot be read.
  static func read(_ text: String) throws(Problem) -> JSON {
    // Himmelblau returns empty text when it has nothing to report.
    guard !text.isEmpty else { throw .bus(.empty) }
    guard let json = try? JSON(parsing: text.utf8), json.object != nil else {
      throw unreadable(Sentence("it is not a JSON object"))
    }
    for place in [json, json["brokerTokenResponse"]] {
      if let error = place?["error"], error != .null { throw .broker(BrokerError(error)) }
    }
    return json
  }

  /// Why there is no usable reply.
  enum Problem: Error {
    /// The broker reported an error.
    case broker(BrokerError)
    /// The bus failed, or the reply cannot be read.
    case bus(BusFailure)

    /// Whether the broker does not have the method.
    var isOfMissingMethod: Bool {
      if case .bus(.refused(let name, _)) = self,
        name.hasSuffix(".UnknownMethod") || name.hasSuffix(".NotSupported")
      {
        return true
      }
      return says("not implemented")
    }

    /// Whether this computer's user has no account at the broker.
    var isOfUserWithoutAccount: Bool { says("unable to find account") }

    /// Whether the broker cannot tell which account is meant.
    var isOfUnnamedAccount: Bool {
      if case .bus(.empty) = self { true } else { says("missing account") }
    }

    /// Whether the broker's message contains `words`, which are all that Himmelblau has for errors.
    private func says(_ words: String) -> Bool {
      switch self {
      case .bus(.refused(_, let message)): message.lowercased().contains(words)
      case .broker(let error): error.context?.lowercased().contains(words) ?? false
      case .bus: false
      }
    }

    /// The error for the caller.
    func authenticationError(_ correlationID: String) -> AuthenticationError {
      switch self {
      case .broker(let error): error.authenticationError(correlationID)
      case .bus(let failure): failure.authenticationError(correlationID)
      }
    }
  }

  /// Reads the version.
  static func version(_ json: JSON) throws(Problem) -> String {
    guard let version = json["linuxBrokerVersion"]?.string, !version.isEmpty,
      version.utf8.count <= 50, version.utf8.allSatisfy(\.isVisibleASCII)
    else { throw unreadable(Sentence("it has no version")) }
    return version
  }

  /// Reads the accounts; skips one without an ID, which cannot be used.
  static func accounts(_ json: JSON) throws(Problem) -> [BrokerAccount] {
    guard let accounts = json["accounts"]?.array else {
      throw unreadable(Sentence("it lists no accounts"))
    }
    return accounts.compactMap(account)
  }

  /// Reads a token that arrived at `now`.
  static func token(_ json: JSON, at now: Date = Date()) throws(Problem) -> BrokerToken {
    guard let response = json["brokerTokenResponse"],
      let accessToken = response["accessToken"]?.string, !accessToken.isEmpty
    else { throw unreadable(Sentence("it has no access token")) }
    // 0 is a bearer token, as is one from a broker that names the type in words.
    let type = response["accessTokenType"]
    guard type == nil || type?.integer == 0 || type?.string?.lowercased() == "bearer" else {
      throw unreadable(Sentence("its access token is of a different type than requested"))
    }
    let scopes = response["grantedScopes"]
    // Himmelblau sends only the claims, which are not a token.
    let idToken = response["idToken"]?.string.flatMap {
      $0.split(separator: ".", omittingEmptySubsequences: false).count == 3 ? Secret($0) : nil
    }
    return BrokerToken(
      accessToken: Secret(accessToken), expiresOn: expiry(response, at: now),
      extendedExpiresOn: date(response["extendedExpiresOn"]),
      scopes: scopes?.array?.compactMap(\.string)
        ?? scopes?.string?.split(separator: " ").map(String.init),
      idToken: idToken, account: response["account"].flatMap(account),
      clientInfo: response["clientInfo"]?.string)
  }

  /// Reads the single sign-on cookies: one, or a list since version 2.0.2.
  ///
  /// - Parameter account: the account that they were requested for; nil when none was.
  static func cookies(
    _ json: JSON, of account: BrokerAccount?, host: String
  ) throws(Problem) -> [WebCookie] {
    if let wanted = account, let given = json["account"].flatMap(self.account),
      given.homeAccountID != wanted.homeAccountID
    {
      throw unreadable(Sentence("its cookies are for a different account than requested"))
    }
    let items = json["cookieItems"]?.array ?? [json]
    let cookies = items.compactMap { item -> WebCookie? in
      guard let name = item["cookieName"]?.string, let value = item["cookieContent"]?.string,
        isName(name), isValue(value)
      else { return nil }
      return WebCookie(name: name, value: Secret(value), host: host)
    }
    guard !cookies.isEmpty, cookies.count == items.count else {
      throw unreadable(Sentence("it has no cookie"))
    }
    return cookies
  }

  private static func account(_ json: JSON) -> BrokerAccount? {
    let localAccountID = json["localAccountId"]?.string ?? ""
    let realm = json["realm"]?.string?.lowercased() ?? ""
    let id = json["homeAccountId"]?.string ?? "\(localAccountID).\(realm)"
    guard let homeAccountID = HomeAccountID(id.lowercased()) else { return nil }
    return BrokerAccount(
      homeAccountID: homeAccountID,
      environment: json["environment"]?.string.flatMap { $0.isEmpty ? nil : $0.lowercased() },
      tenantID: realm.isEmpty ? homeAccountID.tenantID : realm,
      localAccountID: localAccountID, username: json["username"]?.string ?? "",
      name: json["name"]?.string, original: json)
  }

  /// Reads when a token expires.
  ///
  /// Himmelblau up to 3.1.12 adds the lifetime in seconds to the time in milliseconds: a token for an
  /// hour would expire after 3.6 seconds.
  private static func expiry(_ response: JSON, at now: Date) -> Date? {
    guard let expiry = date(response["expiresOn"]) else { return nil }
    let ahead = expiry.timeIntervalSince(now)
    guard let extended = response["extendedExpiresOn"], isInSeconds(extended),
      let last = date(extended), 0..<100 ~= ahead
    else { return expiry }
    return min(now + (ahead * 1000).rounded(), last)
  }

  /// Reads a time in milliseconds, or in seconds, which Himmelblau uses for the extended lifetime.
  private static func date(_ json: JSON?) -> Date? {
    guard let json, let number = json.integer, number > 0 else { return nil }
    let year9999 = 253_402_300_799.0
    return Date(
      timeIntervalSince1970: min(Double(number) / (isInSeconds(json) ? 1 : 1000), year9999))
  }

  /// Whether a time is in seconds: as such, the limit is in the year 5138; as milliseconds, in 1973.
  private static func isInSeconds(_ json: JSON) -> Bool {
    json.integer.map { $0 < 100_000_000_000 } ?? false
  }

  /// Whether `text` can be a cookie's name (RFC 6265, section 4.1.1: token).
  private static func isName(_ text: String) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy {
        $0.isVisibleASCII && !"()<>@,;:\\\"/[]?={}".utf8.contains($0)
      }
  }

  /// Whether `text` can be a cookie's value (RFC 6265, section 4.1.1: cookie-octet).
  private static func isValue(_ text: String) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy { $0.isVisibleASCII && !"\",;\\".utf8.contains($0) }
  }

  private static func unreadable(_ reason: Sentence) -> Problem { .bus(.unreadable(reason)) }
}

extension BrokerError {
  /// Reads the `error` of a reply: an object, or plain text.
  fileprivate init(_ json: JSON) {
    self.init()
    let diagnostics = json["diagnostics"]
    status = json["status"]?.integer
    subStatus = json["subStatus"]?.integer
    errorCode = json["errorCode"]?.integer
    tag = Self.tag(json["tag"])
    context = json["context"]?.string ?? json.string
    oauthError = diagnostics?["raw_error_code"]?.string
    suberror = diagnostics?["oauth2_sub_error_code"]?.string
    correlationID = json["correlationId"]?.string
  }

  /// An error tag: five letters and digits, or the number that stands for them.
  private static func tag(_ json: JSON?) -> String? {
    if let number = json?.integer { return tag(number) }
    guard let text = json?.string, !text.isEmpty, text.utf8.count <= 20,
      text.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") })
    else { return nil }
    return text
  }

  /// The tag that a number stands for, as MSAL's C++ runtime writes it: six bits for each character.
  ///
  /// Nil for 0, which means none, and for a number that is no tag.
  private static func tag(_ number: Int) -> String? {
    let characters = Array("abcdefghijklmnopqrstuvwxyz0123456789")
    guard number > 0, number < 1 << 30 else { return nil }
    let text = stride(from: 24, through: 0, by: -6).map { shift in
      let index = number >> shift & 0x3f
      return index < characters.count ? characters[index] : "*"
    }
    return String(text)
  }
}
