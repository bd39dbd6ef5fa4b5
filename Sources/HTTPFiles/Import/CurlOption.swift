/// What an option of curl means for an import.
enum CurlOption {
  case request, url, header, agent, referer, range, bearer
  case data, rawData, json, encodedData, query, upload
  case get, head, next
  /// It changes nothing about the request.
  case none, noneWithValue
  /// It is left out, with a remark.
  case cookie, insecure, certificate, proxy
  /// It is refused.
  case password, form

  /// Whether a value follows.
  var takesValue: Bool {
    switch self {
    case .get, .head, .next, .none, .insecure: false
    default: true
    }
  }

  /// An option such as `--request`; nil when it is not known.
  init?(long name: some StringProtocol) {
    if let option = Self.long[String(name)] {
      self = option
    } else if name.hasPrefix("no-") || name.hasPrefix("tlsv1") || name.hasPrefix("http") {
      self = .none
    } else {
      return nil
    }
  }

  /// An option such as `-X`; nil when it is not known.
  init?(letter: Character) {
    guard let name = Self.letters[letter], let option = Self.long[name] else { return nil }
    self = option
  }

  // curl's manual page, section "OPTIONS".
  private static let letters: [Character: String] = [
    "#": "progress-bar", "0": "http1.0", "1": "tlsv1", "4": "ipv4", "6": "ipv6", "A": "user-agent",
    "C": "continue-at", "D": "dump-header", "E": "cert", "F": "form", "G": "get", "H": "header",
    "I": "head", "J": "remote-header-name", "L": "location", "N": "no-buffer", "O": "remote-name",
    "R": "remote-time", "S": "show-error", "T": "upload-file", "U": "proxy-user", "X": "request",
    "Y": "speed-limit", "Z": "parallel", "b": "cookie", "c": "cookie-jar", "d": "data",
    "e": "referer", "f": "fail", "g": "globoff", "i": "include", "j": "junk-session-cookies",
    "k": "insecure", "m": "max-time", "o": "output", "q": "disable", "r": "range", "s": "silent",
    "u": "user", "v": "verbose", "w": "write-out", "x": "proxy", "y": "speed-time", ":": "next",
  ]

  private static let long: [String: CurlOption] = {
    var all: [String: CurlOption] = [
      "request": .request, "url": .url, "header": .header, "user-agent": .agent,
      "referer": .referer, "range": .range, "oauth2-bearer": .bearer, "data": .data,
      "data-ascii": .data, "data-binary": .data, "data-raw": .rawData, "json": .json,
      "data-urlencode": .encodedData, "url-query": .query, "upload-file": .upload, "get": .get,
      "head": .head, "next": .next, "cookie": .cookie, "insecure": .insecure, "cert": .certificate,
      "key": .certificate, "cacert": .certificate, "capath": .certificate, "pass": .password,
      "proxy": .proxy, "proxy-user": .password, "user": .password, "form": .form,
      "form-string": .form,
    ]
    for name in [
      "anyauth", "basic", "compressed", "create-dirs", "disable", "fail", "fail-with-body",
      "globoff", "http1.0", "include", "ipv4", "ipv6", "junk-session-cookies", "location",
      "location-trusted", "no-buffer", "parallel", "path-as-is", "post301", "post302", "post303",
      "progress-bar", "raw", "remote-header-name", "remote-name", "remote-time",
      "retry-all-errors", "retry-connrefused", "show-error", "silent", "ssl-reqd", "styled-output",
      "tcp-fastopen", "tcp-nodelay", "tlsv1", "trace-time", "verbose",
    ] { all[name] = CurlOption.none }
    for name in [
      "ciphers", "connect-timeout", "connect-to", "continue-at", "cookie-jar", "dump-header",
      "interface", "keepalive-time", "limit-rate", "max-filesize", "max-redirs", "max-time",
      "noproxy", "output", "output-dir", "proto", "proto-redir", "resolve", "retry", "retry-delay",
      "retry-max-time", "speed-limit", "speed-time", "stderr", "tls-max", "trace", "trace-ascii",
      "unix-socket", "write-out",
    ] { all[name] = .noneWithValue }
    return all
  }()
}
