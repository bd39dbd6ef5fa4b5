/// Silent requests that want the same from the server at the same time: they share one.
///
/// Each caller can give up on its own. The request goes on for the others, and is cancelled when the last
/// one has left; what the server has answered by then is kept all the same.
actor SharedRequests {
  typealias Outcome = Result<AuthenticationResult, AuthenticationError>

  /// What makes two requests the same.
  struct Key: Hashable, Sendable {
    private let homeAccountID: HomeAccountID
    private let authority: Authority
    private let scopes: Set<String>
    private let claims: String?
    private let forceRefresh: Bool
    private let isProofOfPossession: Bool

    init(_ parameters: SilentTokenParameters, authority: Authority) {
      homeAccountID = parameters.account.homeAccountID
      self.authority = authority
      scopes = Set(parameters.scopes.map { $0.lowercased() })
      claims = parameters.claims?.json
      forceRefresh = parameters.forceRefresh
      // Which request the proof is for makes no difference to the token.
      isProofOfPossession = parameters.authenticationScheme.isProofOfPossession
    }
  }

  private struct Request {
    let id: Int
    let task: Task<Void, Never>
    var callers: [Int: CheckedContinuation<Outcome, Never>] = [:]
  }

  private var requests: [Key: Request] = [:]
  private var lastID = 0

  /// The outcome of the request for `key` that is under way, or else of `request`, which is started.
  ///
  /// A caller whose task is cancelled gets its outcome at once.
  func outcome(
    of key: Key, request: @escaping @Sendable () async -> Outcome
  ) async -> Outcome {
    lastID += 1
    let id = lastID
    return await withTaskCancellationHandler {
      await withCheckedContinuation { caller in
        guard !Task.isCancelled else { return caller.resume(returning: .failure(Self.cancelled)) }
        if requests[key]?.callers.isEmpty != false { start(key, id, request) }
        requests[key]?.callers[id] = caller
      }
    } onCancel: {
      Task { await leave(key, id) }
    }
  }

  private func start(
    _ key: Key, _ id: Int, _ request: @escaping @Sendable () async -> Outcome
  ) {
    // One that was cancelled may have its answer yet, and with it a new refresh token.
    let cancelled = requests[key]?.task
    requests[key] = Request(
      id: id,
      task: Task {
        await cancelled?.value
        finish(key, id, await request())
      })
  }

  private func finish(_ key: Key, _ id: Int, _ outcome: Outcome) {
    guard requests[key]?.id == id, let request = requests.removeValue(forKey: key) else { return }
    for caller in request.callers.values { caller.resume(returning: outcome) }
  }

  private func leave(_ key: Key, _ id: Int) {
    guard let caller = requests[key]?.callers.removeValue(forKey: id) else { return }
    caller.resume(returning: .failure(Self.cancelled))
    if requests[key]?.callers.isEmpty == true { requests[key]?.task.cancel() }
  }

  private static var cancelled: AuthenticationError {
    AuthenticationError(.userCanceled, "The request was cancelled.", step: .token)
  }
}
