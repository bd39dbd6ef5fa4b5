import FoundationEssentials
import HTTPTypes

/// Leads a response from the owner thread to its reader: the head, then pieces of the body.
///
/// To wake a reader takes longer than to receive a piece of 16 kB, so pieces that arrive together are
/// given out as one.
final class BodyPipe: Sendable {
  private struct State: Sendable {
    var head: HTTPResponse?
    /// What waits for the reader.
    var waiting = Data()
    var isPaused = false
    var end: Result<Void, HTTPError>?
    var reader: Promise<Void>?
  }

  /// The number of bytes that wait for the reader, above which no more are received.
  private static let capacity = 1 << 20
  /// The number of bytes that are worth waking the reader before more arrive.
  private static let batch = 128 << 10

  private let state = LockedValue(State())

  // MARK: - On the owner thread

  /// Whether the reader must read first; notes that the transfer pauses until then.
  func mustPause() -> Bool {
    state.withLock { state in
      state.isPaused = state.waiting.count >= Self.capacity
      return state.isPaused
    }
  }

  func receive(head: HTTPResponse) { change { $0.head = head } }

  func receive(_ piece: UnsafeRawBufferPointer) {
    let reader = state.withLock { state in
      state.waiting.append(contentsOf: piece)
      return state.waiting.count >= Self.batch ? state.reader.take() : nil
    }
    reader?.fulfill(())
  }

  /// Gives the reader what waits for it: nothing more is there at the moment.
  func flush() {
    let reader = state.withLock { $0.waiting.isEmpty ? nil : $0.reader.take() }
    reader?.fulfill(())
  }

  /// Ends the body; the first end counts.
  func finish(_ end: Result<Void, HTTPError>) { change { $0.end = $0.end ?? end } }

  private func change(_ body: (inout State) -> Void) {
    let reader = state.withLock { state in
      body(&state)
      return state.reader.take()
    }
    reader?.fulfill(())
  }

  // MARK: - In the reader's task

  /// Waits for the head.
  func head() async throws(HTTPError) -> HTTPResponse {
    while true {
      let (head, end) = state.withLock { ($0.head, $0.end) }
      if let head { return head }
      if let end {
        try end.get()
        throw HTTPError(.invalidResponse, host: "")
      }
      await wait { $0.head != nil || $0.end != nil }
    }
  }

  /// Waits for the next piece: all that has arrived; nil at the end.
  ///
  /// - Parameter resume: continues a paused transfer.
  func next(resume: () -> Void) async throws(HTTPError) -> Data? {
    while true {
      let (piece, end, isPaused) = state.withLock { state in
        // What arrived before an error is given out, too; a canceled reader wants nothing.
        if case .failure(let error) = state.end, error.code == .cancelled { state.waiting = Data() }
        let piece = state.waiting
        state.waiting = Data()
        defer { state.isPaused = false }
        return (piece, state.end, state.isPaused)
      }
      if isPaused { resume() }
      if !piece.isEmpty { return piece }
      if let end {
        try end.get()
        return nil
      }
      await wait { !$0.waiting.isEmpty || $0.end != nil }
    }
  }

  private func wait(until isReady: @Sendable (State) -> Bool) async {
    let promise = Promise<Void>()
    let mustWait = state.withLock { state in
      guard !isReady(state) else { return false }
      state.reader = promise
      return true
    }
    if mustWait { await promise.value() }
  }
}
