import CurlHTTP
package import FoundationEssentials
import Glibc
import HTTPTypes
import Sentences

/// The pauses that services asked for, shared by all processes that use a store.
///
/// A command forgets what a service asked for as soon as it ends, and the next one would send the
/// same request at once. So a pause is also kept in a file for the store, in the user's state
/// directory: it outlives a crash, and is the same for a terminal and for a timer. It names
/// requests and accounts by digests, so it contains no secret. Token endpoints and APIs have a file
/// each: a sign-in ends only the pauses of the former.
///
/// When two accounts are paused at the same moment, one of the pauses may be lost, and a file that
/// cannot be read or written shares nothing: each costs one request. A store of a single process
/// has no file, because no other process has its tokens.
///
/// All operations can block.
package struct SharedPauses: Sendable {
  private let file: PrivateFile

  /// The most pauses that are kept, and the largest file that is read, in bytes.
  private static let (most, largestSize) = (100, 64 << 10)

  /// A pause in the file.
  struct Pause: Equatable {
    var request: String
    var account: String
    /// Seconds since 1970.
    var start: Double
    var end: Double
    var status: Int

    fileprivate init(request: String, account: String, start: Double, end: Double, status: Int) {
      (self.request, self.account) = (request, account)
      (self.start, self.end, self.status) = (start, end, status)
    }

    fileprivate init?(_ json: JSON) {
      guard let request = json["request"]?.string, let account = json["account"]?.string,
        let start = json["start"]?.number, let end = json["end"]?.number,
        let status = json["status"]?.integer, (100...999).contains(status)
      else { return nil }
      self.init(request: request, account: account, start: start, end: end, status: status)
    }

    fileprivate var json: JSON {
      [
        "request": .string(request), "account": .string(account), "start": .number("\(start)"),
        "end": .number("\(end)"), "status": .number("\(status)"),
      ]
    }

    /// Whether it has begun, has not ended, and is no longer than any pause: whoever sets the clock
    /// back or edits the file does not extend it.
    fileprivate func covers(_ date: Date) -> Bool {
      let now = date.timeIntervalSince1970
      return start <= now && now < end && end <= start + PauseLength.longest + 1
    }
  }

  /// What is left of a pause.
  package struct Rest: Sendable {
    /// Its length, in seconds.
    package var seconds: Double
    /// The status of the reply that asked for it.
    package var status: Int
  }

  /// The pauses of requests with tokens from `store`; nil for a store of one process.
  ///
  /// - Parameter kind: tells the file from others of the same store; nil for that of token endpoints.
  init?(of store: any TokenCacheStore, kind: String? = nil) {
    guard let name = store.lockName else { return nil }
    let directory = "\(HomeDirectory.base("XDG_STATE_HOME", orHome: ".local/state"))/entrance"
    let names = [name] + [kind].compactMap(\.self)
    file = PrivateFile(
      path: "\(directory)/pauses/\(Self.digest(names)).json", limit: Self.largestSize)
  }

  /// The path of the file.
  package var path: String { file.path }

  /// What is left at `date` of the pause of requests with this name; nil when they may be sent.
  func rest(of request: Secret<[String]>, at date: Date) -> Rest? {
    rests(of: [request], at: date)[0]
  }

  /// What is left at `date` of the pause of each of these requests.
  package func rests(of requests: some Collection<Secret<[String]>>, at date: Date) -> [Rest?] {
    let pauses = read(at: date)
    // Most of the time there are none, and the names of the requests need not be made.
    guard !pauses.isEmpty else { return [Rest?](repeating: nil, count: requests.count) }
    return requests.map { request in
      let name = Self.digest(request.exposed)
      return pauses.first { $0.request == name }.map {
        Rest(seconds: $0.end - date.timeIntervalSince1970, status: $0.status)
      }
    }
  }

  /// Keeps the pause of `seconds` that the server asked for in its reply to such a request.
  ///
  /// - Throws: when it cannot be kept.
  package func keep(
    _ seconds: Double, for request: Secret<[String]>, of account: HomeAccountID?, status: Int,
    at date: Date
  ) throws(StorageFailure) {
    let now = date.timeIntervalSince1970
    let name = Self.digest(request.exposed)
    let pause = Pause(
      request: name, account: Self.name(of: account), start: now,
      end: now + min(seconds, PauseLength.longest), status: status)
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
    guard let bytes = try? file.read()?.bytes else { return [] }
    return Self.pauses(in: bytes, at: date)
  }

  /// The pauses of a file's contents that have not ended at `date`.
  static func pauses(in bytes: [UInt8], at date: Date) -> [Pause] {
    let json = try? JSON(parsing: bytes)
    return json?["pauses"]?.array?.compactMap(Pause.init).filter { $0.covers(date) } ?? []
  }

  /// The contents of a file with these pauses, or the last of them.
  static func contents(of pauses: [Pause]) -> [UInt8] {
    let json: JSON = ["pauses": .array(pauses.suffix(most).map(\.json))]
    return Array(json.compactText.utf8)
  }

  private func write(_ pauses: [Pause]) throws(StorageFailure) {
    guard !pauses.isEmpty else {
      unlink(file.path)
      return
    }
    try file.prepareDirectory()
    _ = try file.write(Self.contents(of: pauses))
  }

  private static func name(of account: HomeAccountID?) -> String {
    digest([account?.description ?? ""])
  }

  private static func digest(_ texts: [String]) -> String {
    Base64URL.encode(Throttle.digest(of: texts))
  }
}

extension PublicClientApplication {
  /// The pauses that APIs asked for; nil when no other process has the app's tokens.
  package nonisolated var pausesOfAPIs: SharedPauses? {
    SharedPauses(of: memory.store, kind: "API")
  }

  /// Whether another process can have the app's tokens, as far as it is known without a look at files.
  package nonisolated var canSharePauses: Bool {
    memory.store is any ForwardingStore || memory.store.lockName != nil
  }

  /// The error to return instead of sending `request` at `date`; nil when it may be sent.
  func throttled(_ request: TokenRequest, at date: Date) -> AuthenticationError? {
    throttle.error(for: request, at: date) ?? pausedElsewhere(request, at: date)
  }

  /// The error for a pause that another process was asked for; nil when there is none.
  private func pausedElsewhere(_ request: TokenRequest, at date: Date) -> AuthenticationError? {
    let pauses = SharedPauses(of: memory.store)
    guard let rest = pauses?.rest(of: Throttle.pauseText(of: request), at: date) else { return nil }
    let isOutage = rest.status == 429 || (500...599).contains(rest.status)
    let host = HTTPRequest(url: request.url).authority ?? ""
    var error =
      isOutage
      ? AuthenticationError(
        outage: rest.status,
        of: KnownClouds.preferredHost(of: host) == nil
          ? Authority.signInService(at: host) : Authority.common.signInService, step: .token)
      : .busy
    error.httpStatus = rest.status
    // Only 429 is also kept without such a request.
    error.isPauseRequested = rest.status != 429
    error.retryAfter = .seconds(rest.seconds)
    error.isThrottled = true
    return error
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
      let seconds = PauseLength.after(reply, at: date), seconds > 0
    else { return }
    do throws(StorageFailure) {
      try SharedPauses(of: memory.store)?.keep(
        seconds, for: Throttle.pauseText(of: request), of: account, status: status.code, at: date)
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
