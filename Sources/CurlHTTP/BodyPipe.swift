import FoundationEssentials
import HTTPTypes

/// Leads a response from the owner thread to its reader: the head, then pieces of the body.
final class BodyPipe: Sendable {
  private struct State: Sendable {
    var head: HTTPResponse?
    var pieces: [Data] = []
    var size = 0
    var isPaused = false
    var end: Result<Void, HTTPError>?
    var reader: CheckedContinuation<Void, Never>?
  }

  /// The number of bytes that wait for the reader, above which no more are received.
  private static let capacity = 256 << 10

  private let state = LockedValue(State())

  // MARK: - On the owner thread

  /// Whether the reader must read first; notes that the transfer pauses until then.
  func mustPause() -> Bool {
    state.withLock { state in
      state.isPaused = state.size >= Self.capacity
      return state.isPaused
    }
  }

  func receive(head: HTTPResponse) { change { $0.head = head } }

  func receive(_ piece: Data) {
    guard !piece.isEmpty else { return }
    change { state in
      state.pieces.append(piece)
      state.size += piece.count
    }
  }

  /// Ends the body; the first end counts.
  func finish(_ end: Result<Void, HTTPError>) { change { $0.end = $0.end ?? end } }

  private func change(_ body: (inout State) -> Void) {
    let reader = state.withLock { state in
      body(&state)
      return state.reader.take()
    }
    reader?.resume()
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

  /// Waits for the next piece; nil at the end.
  ///
  /// - Parameter resume: continues a paused transfer.
  func next(resume: () -> Void) async throws(HTTPError) -> Data? {
    while true {
      let (piece, end, isPaused) = state.withLock { state in
        // What arrived before an error is given out, too; a canceled reader wants nothing.
        if case .failure(let error) = state.end, error.code == .cancelled { state.pieces = [] }
        let piece = state.pieces.isEmpty ? nil : state.pieces.removeFirst()
        state.size -= piece?.count ?? 0
        let isPaused = state.isPaused && state.size < Self.capacity / 2
        if isPaused { state.isPaused = false }
        return (piece, state.end, isPaused)
      }
      if isPaused { resume() }
      if let piece { return piece }
      if let end {
        try end.get()
        return nil
      }
      await wait { !$0.pieces.isEmpty || $0.end != nil }
    }
  }

  private func wait(until isReady: @Sendable (State) -> Bool) async {
    await withCheckedContinuation { continuation in
      let mustWait = state.withLock { state in
        guard !isReady(state) else { return false }
        state.reader = continuation
        return true
      }
      if !mustWait { continuation.resume() }
    }
  }
}
