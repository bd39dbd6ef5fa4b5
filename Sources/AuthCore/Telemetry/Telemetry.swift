import CurlHTTP
import HTTPTypes

/// What requests tell Microsoft about how this app fares, in the form that MSAL uses: two header fields
/// of a token request, of version 4.
///
/// They hold codes and correlation IDs, nothing about a person. Nothing is kept beyond the run.
struct Telemetry: Sendable {
  /// The call that a request is part of, by the number it has in MSAL.
  enum API: Int {
    case silent = 34
    case interactive = 167
    case deviceCode = 622
  }

  /// Why a silent request is sent though there is a cache.
  enum RefreshReason: Int {
    case none = 0
    case forced = 1
    case notCached = 2
    case expired = 3
    case proactive = 4
  }

  /// What a token request belongs to.
  struct Call {
    var api: API
    var reason = RefreshReason.none
  }

  private struct Failure {
    var request: String
    var error: String
  }

  /// What happened since the server was told.
  private struct News {
    var cacheHits = 0
    var failures: [Failure] = []

    /// The second field.
    var text: String {
      "4|\(cacheHits)|\(failures.map(\.request).joined(separator: ","))"
        + "|\(failures.map(\.error).joined(separator: ","))|"
    }
  }

  private let isOn: Bool
  private let news = LockedValue(News())

  /// The longest value that the server takes for the last requests, in bytes.
  private static let maximumLength = 350

  init(isOn: Bool) { self.isOn = isOn }

  /// The fields of the next request; none when telemetry is off.
  func fields(_ call: Call) -> HTTPFields {
    guard isOn else { return [:] }
    return [
      .currentTelemetry: "4|\(call.api.rawValue),\(call.reason.rawValue)|",
      .lastTelemetry: news.withLock { $0.text },
    ]
  }

  /// Takes in that the cache had what a silent request asked for.
  func cacheAnswered() {
    if isOn { news.withLock { $0.cacheHits += 1 } }
  }

  /// Takes in how a call failed.
  func failed(_ api: API, _ correlationID: String, _ error: AuthenticationError) {
    guard isOn else { return }
    let failure = Failure(
      request: "\(api.rawValue),\(Self.plain(correlationID))",
      error: Self.plain(error.oauthError ?? error.code.rawValue))
    news.withLock { news in
      news.failures.append(failure)
      // Those that do not fit will not be told.
      while news.text.utf8.count > Self.maximumLength, !news.failures.isEmpty {
        news.failures.removeFirst()
      }
    }
  }

  /// Takes in the answer to a request that had ``fields(_:_:)``: what was told once is not told again.
  func answered(by reply: HTTPReply) {
    guard reply.response.status == .ok else { return }
    news.withLock { $0 = News() }
  }

  /// `text` without what has a meaning in the fields, or none in a header.
  private static func plain(_ text: String) -> String {
    String(
      text.unicodeScalars.filter {
        $0.isASCII && ($0.properties.isAlphabetic || "0123456789-_".unicodeScalars.contains($0))
      })
  }
}

extension Telemetry {
  /// What every request tells about the library; the names are MSAL's.
  var clientFields: HTTPFields {
    guard isOn else { return [:] }
    return [
      .clientSKU: "AuthCore", .clientVersion: PublicClientApplication.sdkVersion,
      .clientOS: "Linux", .clientCPU: DeviceInformation.architecture,
    ]
  }
}

extension HTTPField.Name {
  private static func name(_ name: String) -> Self { Self(name).unsafelyUnwrapped }

  static let clientSKU = name("x-client-SKU")
  static let clientVersion = name("x-client-Ver")
  static let clientOS = name("x-client-OS")
  static let clientCPU = name("x-client-CPU")
  static let currentTelemetry = name("x-client-current-telemetry")
  static let lastTelemetry = name("x-client-last-telemetry")
}
