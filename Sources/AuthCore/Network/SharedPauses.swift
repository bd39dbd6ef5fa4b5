import CurlHTTP
import FoundationEssentials
import Glibc
import HTTPTypes
import Sentences

/// The pauses that token endpoints asked for, shared by all processes that use a store.
///
/// A command forgets what a service asked for as soon as it ends, and the next one would send the
/// same request at once. So a pause is also kept in a file for the store, in the user's state
/// directory: it outlives a crash, and is the same for a terminal and for a timer. It names
/// requests and accounts by digests, so it contains no secret.
///
/// When two accounts are paused at the same moment, one of the pauses may be lost, and a file that
/// cannot be read or written shares nothing: each costs one request. A store of a single process
/// has no file, because no other process has its tokens.
struct SharedPauses: Sendable {
  private let file: PrivateFile

  /// The most pauses that are kept, and the largest file that is read, in bytes.
  private static let (most, largestSize) = (100, 64 << 10)

  /// A pause in the file.
  private struct Pause {
    var request: String
    var account: String
    /// Whole seconds since 1970.
    var start: Int
    var end: Int
    var status: Int

    init(request: String, account: String, start: Int, end: Int, status: Int) {
      (self.request, self.account) = (request, account)
      (self.start, self.end, self.status) = (start, end, status)
    }

    init?(_ json: JSON) {
      guard let request = json["request"]?.string, let account = json["account"]?.string,
        let start = json["start"]?.integer, let end = json["end"]?.integer,
        let status = json["status"]?.integer
      else { return nil }
      self.init(request: request, account: account, start: start, end: end, status: status)
    }

    var json: JSON {
      .object([
        JSON.Member("request", .string(request)), JSON.Member("account", .string(account)),
        JSON.Member("start", .number("\(start)")), JSON.Member("end", .number("\(end)")),
        JSON.Member("status", .number("\(status)")),
      ])
    }

    /// Whether it has begun, has not ended, and is no longer than any pause: whoever sets the clock
    /// back or edits the file does not extend it.
    func covers(_ date: Date) -> Bool {
      let now = date.timeIntervalSince1970
      let limit = Double(start) + RetryAfter.longest + 1
      return Double(start) <= now && now < Double(end) && Double(end) <= limit
    }
  }

  /// The pauses of requests with tokens from `store`; nil for a store of one process.
  init?(of store: any TokenCacheStore) {
    guard let name = store.lockName else { return nil }
    let directory = "\(HomeDirectory.base("XDG_STATE_HOME", orHome: ".local/state"))/entrance"
    file = PrivateFile(path: "\(directory)/pauses/\(Self.digest([name])).json")
  }

  /// The path of the file.
  var path: String { file.path }

  /// The error to return instead of sending `request` at `date`; nil when it may be sent.
  func error(for request: TokenRequest, at date: Date) -> AuthenticationError? {
    let name = Self.name(of: request)
    guard let pause = read(at: date).first(where: { $0.request == name }) else { return nil }
    var error = AuthenticationError.busy
    error.httpStatus = pause.status
    error.retryAfter = .seconds(Double(pause.end) - date.timeIntervalSince1970)
    error.isThrottled = true
    return error
  }

  /// Keeps the pause of `seconds` that the server asked for in its reply to `request`.
  ///
  /// - Throws: when it cannot be kept.
  func keep(
    _ seconds: Double, for request: TokenRequest, of account: HomeAccountID?, status: Int,
    at date: Date
  ) throws(StorageFailure) {
    let now = date.timeIntervalSince1970
    let name = Self.name(of: request)
    guard let start = Int(exactly: now.rounded(.down)),
      let end = Int(exactly: (now + seconds).rounded(.up))
    else { return }
    let pause = Pause(
      request: name, account: Self.name(of: account), start: start, end: end, status: status)
    try write(read(at: date).filter { $0.request != name } + [pause])
  }

  /// Ends the pauses of an account that has signed in.
  ///
  /// - Throws: when the file cannot be changed.
  func end(of account: HomeAccountID, at date: Date) throws(StorageFailure) {
    let pauses = read(at: date)
    let name = Self.name(of: account)
    guard pauses.contains(where: { $0.account == name }) else { return }
    try write(pauses.filter { $0.account != name })
  }

  private func read(at date: Date) -> [Pause] {
    var status = stat()
    guard stat(file.path, &status) == 0, status.st_size <= Self.largestSize,
      let bytes = try? file.read()?.bytes, let json = try? JSON(parsing: bytes)
    else { return [] }
    return json["pauses"]?.array?.compactMap(Pause.init).filter { $0.covers(date) } ?? []
  }

  private func write(_ pauses: [Pause]) throws(StorageFailure) {
    guard !pauses.isEmpty else {
      unlink(file.path)
      return
    }
    try file.prepareDirectory()
    let json = JSON.object([
      JSON.Member("pauses", .array(pauses.suffix(Self.most).map(\.json)))
    ])
    _ = try file.write(Array(json.compactText.utf8))
  }

  private static func name(of request: TokenRequest) -> String {
    digest(Throttle.pauseText(of: request).exposed)
  }

  private static func name(of account: HomeAccountID?) -> String {
    digest([account?.description ?? ""])
  }

  private static func digest(_ texts: [String]) -> String {
    Base64URL.encode(Throttle.digest(of: texts))
  }
}

extension PublicClientApplication {
  /// The error to return instead of sending `request` at `date`; nil when it may be sent.
  func throttled(_ request: TokenRequest, at date: Date) -> AuthenticationError? {
    throttle.error(for: request, at: date)
      ?? SharedPauses(of: memory.store)?.error(for: request, at: date)
  }

  /// Records the server's reply to `request`, for this process and for others.
  ///
  /// Others learn only of what the server asked for, not of an outage.
  func answered(
    _ request: TokenRequest, of account: HomeAccountID?, by reply: HTTPReply,
    error: AuthenticationError?, at date: Date
  ) {
    throttle.answered(request, of: account, by: reply, error: error, at: date)
    let status = reply.response.status
    guard status == .tooManyRequests || reply.response.headerFields[.retryAfter] != nil,
      let seconds = RetryAfter.pause(of: reply, at: date), seconds > 0
    else { return }
    do throws(StorageFailure) {
      try SharedPauses(of: memory.store)?.keep(
        seconds, for: request, of: account, status: status.code, at: date)
    } catch {
      log.warning("The pause is not shared: \(personal: "\(error.reason)")", request.correlationID)
    }
  }

  /// Records that `account` has signed in, which ends its pauses.
  func clearPauses(of account: HomeAccountID, _ correlationID: String) {
    throttle.clearPauses(of: account)
    do throws(StorageFailure) {
      try SharedPauses(of: memory.store)?.end(of: account, at: runtime.now())
    } catch {
      log.warning("The pause is still shared: \(personal: "\(error.reason)")", correlationID)
    }
  }
}
