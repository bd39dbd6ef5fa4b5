import CurlHTTP
import HTTPTypes

/// The telemetry that token requests send to Microsoft, in MSAL's format: two header fields,
/// version 4.
///
/// They contain codes and correlation IDs, nothing about the user. Nothing is kept beyond the run.
struct Telemetry: Sendable {
  /// The API call that a request belongs to, by its number in MSAL.
  enum API: Int {
    case silent = 34
    case interactive = 167
    case deviceCode = 622
  }

  /// Why a silent request is sent in spite of the cache.
  enum RefreshReason: Int {
    case none = 0
    case forced = 1
    case notCached = 2
    case expired = 3
    case proactive = 4
  }

  /// The call that a token request belongs to.
  struct Call {
    var api: API
    var reason = RefreshReason.none
  }

  /// Events since the last successful report.
  private struct News {
    var cacheHits = 0
    var failures: [(request: String, error: String)] = []

    /// The value of the second field.
    var text: String {
      "4|\(cacheHits)|\(failures.map { $0.request }.joined(separator: ","))"
        + "|\(failures.map { $0.error }.joined(separator: ","))|"
    }
  }

  private let isOn: Bool
  private let news = LockedValue(News())

  /// The longest value that the server accepts for the last requests, in bytes.
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

  /// Records that a silent request was answered from the cache.
  func cacheAnswered() {
    if isOn { news.withLock { $0.cacheHits += 1 } }
  }

  /// Records that a call failed.
  func failed(_ api: API, _ correlationID: String, _ error: AuthenticationError) {
    guard isOn else { return }
    let request = "\(api.rawValue),\(Self.plain(correlationID))"
    let code = Self.plain(error.oauthError ?? error.code.rawValue)
    news.withLock { news in
      news.failures.append((request, code))
      // Failures that do not fit are not reported.
      while news.text.utf8.count > Self.maximumLength, !news.failures.isEmpty {
        news.failures.removeFirst()
      }
    }
  }

  /// Handles the response to a request with ``fields(_:)``: each event is reported once.
  func answered(by reply: HTTPReply) {
    guard reply.response.status == .ok else { return }
    news.withLock { $0 = News() }
  }

  /// `text` without characters that have a meaning in the fields, or are not allowed in a header.
  private static func plain(_ text: String) -> String {
    String(
      text.unicodeScalars.filter {
        $0.isASCII && ($0.properties.isAlphabetic || "0123456789-_".unicodeScalars.contains($0))
      })
  }
}

extension Telemetry {
  /// The header fields that identify the library in every request; the names are MSAL's.
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
