import CCurl
import Glibc
import Sentences

/// libcurl's functions; the first use loads the library.
///
/// Safe to share: a table of function pointers that never changes.
nonisolated(unsafe) let curl = entrance_curl_load()

/// The owner thread: the only thread that calls libcurl for a client.
///
/// Other threads put work into the inbox and wake the thread up. They never touch a transfer.
final class CurlLoop: Sendable {
  private struct Inbox: Sendable {
    var submitted: [(exchange: CurlExchange, proxy: String?)] = []
    var dropped: [CurlExchange] = []
    var resumed: [CurlExchange] = []
    var isClosed = false
    var hasThread = false
    /// Nil while the thread has no multi handle.
    var bell: Bell?
  }

  /// The thread's multi handle, for use by other threads.
  ///
  /// Unchecked, because libcurl allows `curl_multi_wakeup` from any thread, and the inbox's lock
  /// keeps the handle alive meanwhile.
  private struct Bell: @unchecked Sendable {
    let multi: UnsafeMutableRawPointer
  }

  private static let isLibraryReady =
    curl.is_complete != 0 && curl.global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

  private let inbox = LockedValue(Inbox())
  private let trust: Trust

  init(trust: Trust) {
    self.trust = trust
  }

  /// Passes an exchange to the thread, and starts the thread if necessary.
  func submit(_ exchange: CurlExchange, proxy: String?) {
    enum Next { case wait, startThread, giveUp }
    let next = inbox.withLock { inbox -> Next in
      if inbox.isClosed { return .giveUp }
      inbox.submitted.append((exchange, proxy))
      Self.wake(inbox)
      defer { inbox.hasThread = true }
      return inbox.hasThread ? .wait : .startThread
    }
    switch next {
    case .wait: break
    case .startThread: startThread()
    case .giveUp: exchange.cancel()
    }
  }

  /// Tells the thread that nobody waits for `exchange` any longer.
  func drop(_ exchange: CurlExchange) {
    inbox.withLock { inbox in
      guard inbox.hasThread else { return }
      inbox.dropped.append(exchange)
      Self.wake(inbox)
    }
  }

  /// Tells the thread that the reader of `exchange` has room again.
  func resume(_ exchange: CurlExchange) {
    inbox.withLock { inbox in
      inbox.resumed.append(exchange)
      Self.wake(inbox)
    }
  }

  /// Ends the thread, and cancels what is still in progress.
  func close() {
    inbox.withLock { inbox in
      inbox.isClosed = true
      Self.wake(inbox)
    }
  }

  private static func wake(_ inbox: borrowing Inbox) {
    if let bell = inbox.bell { _ = curl.multi_wakeup(bell.multi) }
  }

  private func startThread() {
    let context = Unmanaged.passRetained(self)
    var thread = pthread_t()
    let status = pthread_create(
      &thread, nil,
      { context in
        guard let context else { return nil }
        Unmanaged<CurlLoop>.fromOpaque(context).takeRetainedValue().run()
        return nil
      }, context.toOpaque())
    if status == 0 {
      pthread_detach(thread)
    } else {
      context.release()
      refuseAll()
    }
  }

  // MARK: - On the owner thread

  private func run() {
    // Without this, writing to a closed connection would end the process.
    var pipeSignal = sigset_t()
    sigemptyset(&pipeSignal)
    sigaddset(&pipeSignal, SIGPIPE)
    pthread_sigmask(SIG_BLOCK, &pipeSignal, nil)

    guard Self.isLibraryReady, let multi = curl.multi_init() else {
      refuseAll()
      return
    }
    let bell = Bell(multi: multi)
    inbox.withLock { $0.bell = bell }

    // Keyed by easy handle, which is how libcurl identifies them.
    var transfers: [UnsafeMutableRawPointer: CurlTransfer] = [:]
    func remove(_ transfer: CurlTransfer) {
      _ = curl.multi_remove_handle(multi, transfer.easy)
      transfers[transfer.easy] = nil
    }
    // Until when a kept connection to an authority may be a dead one. libcurl keeps an HTTP/2
    // connection on which a request has timed out, and each request makes it young again.
    var suspects: [String: ContinuousClock.Instant] = [:]
    var trust = self.trust
    // Whether the file may have been corrected since it was read.
    var isTrustInDoubt = trust.problem != nil
    func begin(_ exchange: CurlExchange, proxy: String?, isSecond: Bool = false) {
      if isTrustInDoubt {
        trust = trust.current
        isTrustInDoubt = trust.problem != nil
      }
      let isSuspect = suspects[exchange.request.authority].map { ContinuousClock.now < $0 } ?? false
      do throws(HTTPError) {
        let transfer = try CurlTransfer(
          exchange, trust: trust, proxy: proxy,
          takesNewConnection: isSecond || isSuspect || !exchange.request.isRepeatable)
        guard curl.multi_add_handle(multi, transfer.easy) == CURLM_OK else {
          throw HTTPError(CURLE_FAILED_INIT, host: exchange.request.host)
        }
        transfers[transfer.easy] = transfer
      } catch {
        exchange.finish(.failure(error))
      }
    }

    while true {
      let work = takeWork()
      for (exchange, proxy) in work.submitted where exchange.outcome == nil {
        begin(exchange, proxy: proxy)
      }
      for exchange in work.dropped {
        transfers.values.first { $0.exchange === exchange }.map(remove)
      }
      for exchange in work.resumed {
        transfers.values.first { $0.exchange === exchange }?.resume()
      }
      if work.isClosed { break }

      var running: Int32 = 0
      _ = curl.multi_perform(multi, &running)
      for transfer in transfers.values {
        transfer.exchange.pipe?.flush()
        transfer.noticeHead()
      }
      var queued: Int32 = 0
      while let message = curl.multi_info_read(multi, &queued) {
        guard message.pointee.msg == CURLMSG_DONE, let easy = message.pointee.easy_handle,
          let transfer = transfers[easy]
        else { continue }
        // Removing the handle frees the message.
        let code = message.pointee.data.result
        if code == CURLE_OPERATION_TIMEDOUT {
          suspects = suspects.filter { ContinuousClock.now < $0.value }
          // libcurl counts whole seconds.
          suspects[transfer.exchange.request.authority] =
            ContinuousClock.now + .seconds(CurlTransfer.longestRest + 2)
        }
        if transfer.metClosedConnection(code) {
          remove(transfer)
          begin(transfer.exchange, proxy: transfer.proxy, isSecond: true)
        } else {
          let outcome = transfer.outcome(code)
          if case .failure(let error) = outcome, error.isAboutTrust { isTrustInDoubt = true }
          transfer.exchange.finish(outcome)
          remove(transfer)
        }
      }
      _ = curl.multi_poll(multi, nil, 0, .max, nil)
    }

    for transfer in Array(transfers.values) {
      transfer.exchange.cancel()
      remove(transfer)
    }
    _ = curl.multi_cleanup(multi)
  }

  /// Empties the inbox; once it is closed, no other thread can wake the multi handle.
  private func takeWork() -> Inbox {
    inbox.withLock { inbox in
      defer {
        inbox.submitted = []
        inbox.dropped = []
        inbox.resumed = []
        if inbox.isClosed { inbox.bell = nil }
      }
      return inbox
    }
  }

  /// Ends all waiting exchanges because libcurl or its thread could not be started; the next
  /// request tries again.
  private func refuseAll() {
    let refused = inbox.withLock { inbox in
      defer {
        inbox.submitted = []
        inbox.dropped = []
        inbox.hasThread = false
      }
      return inbox.submitted
    }
    for (exchange, _) in refused {
      exchange.finish(
        .failure(
          HTTPError(
            .invalidConfiguration, host: exchange.request.host,
            Sentence("The network library, libcurl, could not be started."))))
    }
  }
}
