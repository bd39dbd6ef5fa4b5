public import AuthCore
import FoundationEssentials
import HTTPTypes
import Sentences

/// The pauses that an API asks an account for (`Retry-After`), shared by all processes that use the
/// account's store.
///
/// A command that ends forgets what it was told, and the next one would ask at once. With
/// ``GraphClient/pauses``, it waits, or fails without a request, if the rest is too long for
/// ``GraphClient/retry``: the error has the status of the response that asked for the pause.
///
/// A pause is kept in a file in `$XDG_STATE_HOME/entrance/pauses`, without secrets, for an hour at
/// most, after the statuses 429, 503 and 509. It is for requests of the same app and account to the
/// same part of the same host: a mailbox that is busy does not keep anyone from the account's files.
/// Each request of a batch has its own. Nothing is kept for a store of one process, such as
/// `MemoryTokenCacheStore`.
public struct GraphPauses: Sendable {
  private let app: PublicClientApplication
  private let account: Account

  /// The pauses of an account, which has signed in.
  ///
  /// - Parameters:
  ///   - app: the app that the account has signed in to.
  ///   - account: the account.
  public init(app: PublicClientApplication, account: Account) {
    self.app = app
    self.account = account
  }

  /// What is left at `date` of the pause before a request; nil when it can be sent.
  func rest(of request: HTTPRequest, at date: Date) async -> SharedPauses.Rest? {
    // Where nothing is shared, the thread does not change.
    guard app.canSharePauses else { return nil }
    return await rests(of: [request], at: date)[0]
  }

  /// What is left at `date` of the pause before each request.
  @concurrent
  func rests(of requests: [HTTPRequest], at date: Date) async -> [SharedPauses.Rest?] {
    app.pausesOfAPIs?.rests(of: requests.lazy.map { name(of: $0) }, at: date)
      ?? requests.map { _ in nil }
  }

  /// Keeps the pause that the response to a request asks for, if it asks for one.
  @concurrent
  func keep(_ error: GraphError, to request: HTTPRequest, at date: Date) async {
    guard let status = error.status, [429, 503, 509].contains(status),
      let pause = error.retryAfter, pause > .zero
    else { return }
    // One that cannot be kept costs a request.
    try? app.pausesOfAPIs?.keep(
      pause / Duration.seconds(1), for: name(of: request), of: nil, status: status, at: date)
  }

  /// What tells paused requests apart.
  private func name(of request: HTTPRequest) -> Secret<[String]> {
    Secret([
      app.configuration.clientID, account.environment, account.id,
      request.authority?.lowercased() ?? "", Self.part(of: request.path ?? ""),
    ])
  }

  /// The part of an API that a path with a version leads to, as far as the path tells: a mailbox, or
  /// a collection with what is in its items.
  static func part(of path: String) -> String {
    // Spaces are in no path, so the two kinds are told apart.
    if let mailbox = MailboxQueue.mailbox(of: path) { return "mailbox \(mailbox)" }
    var segments = path.prefix { $0 != "?" }.split(separator: "/")
    if let first = segments.first, GraphClient.Version.isVersion(first) { segments.removeFirst() }
    guard let first = segments.first else { return "" }
    // /me/drive, /groups('ID')/drive, or /groups/ID/drive
    let isItem = first.lowercased() == "me" || first.contains("(")
    let inside = segments.dropFirst(isItem ? 1 : 2).first
    return [first, inside].compactMap { $0?.prefix { !"(:".contains($0) }.lowercased() }
      .joined(separator: "/")
  }
}

extension GraphError {
  /// The service has asked for a pause before, which is not over.
  static func paused(_ rest: SharedPauses.Rest, by service: String) -> GraphError {
    var error = GraphError(
      rest.status == 429 ? .throttled : .serverUnavailable,
      Sentence(
        "{service} has asked for a pause, so the request was not sent. Try again later.",
        ["service": service]))
    error.isPaused = true
    error.status = rest.status
    // In whole seconds, as a service asks for it; a date has some nanoseconds more or less.
    error.retryAfter = .seconds(max((rest.seconds - 0.001).rounded(.up), 1))
    return error
  }
}
