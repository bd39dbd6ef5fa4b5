package import FoundationEssentials

/// The body of a request that comes piece by piece, and can be sent once.
///
/// The first piece is asked for when a connection is made, and each further one when there is room for
/// it. So a body takes little memory, whatever its size.
package final class BodyPieces: Sendable {
  /// There were more bytes, or fewer, than was said.
  package struct WrongCount: Error {
    /// How many bytes were to come.
    package let expected: Int
  }

  /// What the transfer gets.
  enum Reading: Equatable {
    /// So many bytes; 0 at the end.
    case bytes(Int)
    /// Nothing at the moment: it is resumed.
    case paused
    /// Nothing any more: see ``failure``.
    case failed
  }

  fileprivate struct State: Sendable {
    /// What waits for the transfer, of which `position` bytes are sent.
    var waiting = Data()
    var position = 0
    /// The bytes of all pieces.
    var total = 0
    /// Whether a transfer has asked for bytes.
    ///
    /// When a transfer has ended, that is known, whatever the task that brings the pieces has done.
    var isWanted = false
    /// Whether the transfer waits for a piece.
    var isPaused = false
    var isAtEnd = false
    /// Whether there is nothing more, although it is not the end: nobody waits for the response.
    var isCut = false
    var failure: (any Error)?
    /// Brings the pieces, and waits until there is room.
    var source: Promise<Void>?

    var restCount: Int { waiting.count - position }
    var hasRoom: Bool { isWanted && restCount < BodyPieces.capacity }
  }

  /// The number of bytes that wait for the transfer, above which no more pieces are asked for.
  private static let capacity = 256 << 10

  /// Its bytes; nil when that is not known.
  package let count: Int?
  private let forEach: @Sendable (_ take: (Data) async -> Bool) async throws -> Void
  private let state = LockedValue(State())

  /// A body of `pieces`.
  ///
  /// - Parameter count: the bytes of all pieces; nil when that is not known.
  package init<Pieces: AsyncSequence & Sendable>(_ pieces: Pieces, count: Int?)
  where Pieces.Element == Data {
    self.count = count
    forEach = { take in
      for try await piece in pieces {
        guard await take(piece) else { return }
      }
    }
  }

  /// Whether the first piece was asked for, so that it cannot be sent again.
  package var hasBegun: Bool { state.withLock(\.isWanted) }

  /// Why it did not come to its end: an error of the pieces, or ``WrongCount``.
  package var failure: (any Error)? { state.withLock { $0.failure } }

  // MARK: - In a task

  /// Brings the pieces to the transfer, to their end or until the task is canceled.
  ///
  /// - Parameter resume: continues a paused transfer.
  func fill(_ resume: @escaping @Sendable () -> Void) async {
    await waitForRoom()
    guard !Task.isCancelled else { return }
    await gather { piece in
      self.change(resume) { $0.add(piece) }
      await self.waitForRoom()
      return !Task.isCancelled && self.failure == nil
    }
    // What is cut off must not look like the end.
    let isCut = Task.isCancelled
    change(resume) { ($0.isAtEnd, $0.isCut) = (!isCut, isCut) }
  }

  /// All of it, for a transport that takes no pieces.
  func whole(for host: String) async throws(HTTPError) -> Data {
    state.withLock { $0.isWanted = true }
    await gather { piece in
      self.state.withLock { $0.add(piece) }
      return self.state.withLock { $0.total <= FileReader.Limit.input } && self.failure == nil
    }
    let (data, total, failure) = state.withLock { ($0.waiting, $0.total, $0.failure) }
    guard !Task.isCancelled else { throw HTTPError(.cancelled, host: host) }
    guard total <= FileReader.Limit.input else { throw .tooLargeToGather(host) }
    guard failure == nil else { throw HTTPError(.invalidRequest, host: host) }
    return data
  }

  /// Takes the pieces while `take` wants more, and notes whether they are all.
  private func gather(_ take: (Data) async -> Bool) async {
    do {
      try await forEach { piece in
        if let count = self.count, self.state.withLock({ $0.total + piece.count > count }) {
          self.fail(WrongCount(expected: count))
          return false
        }
        return await take(piece)
      }
      let total = state.withLock(\.total)
      if let count, total < count, !Task.isCancelled { fail(WrongCount(expected: count)) }
    } catch {
      // Otherwise it is the error of the task.
      if !Task.isCancelled { fail(error) }
    }
  }

  private func fail(_ error: any Error) { state.withLock { $0.failure = $0.failure ?? error } }

  /// Changes the state, and continues a transfer that waits for that.
  private func change(_ resume: () -> Void, _ body: (inout State) -> Void) {
    let isPaused = state.withLock { state in
      body(&state)
      defer { state.isPaused = false }
      return state.isPaused
    }
    if isPaused { resume() }
  }

  private func waitForRoom() async {
    let promise = Promise<Void>()
    let mustWait = state.withLock { state in
      guard !state.hasRoom else { return false }
      state.source = promise
      return true
    }
    guard mustWait else { return }
    await withTaskCancellationHandler {
      await promise.value()
    } onCancel: {
      promise.fulfill(())
    }
  }

  // MARK: - On the owner thread

  /// Copies the next bytes to `buffer`.
  func read(into buffer: UnsafeMutableRawBufferPointer) -> Reading {
    let (reading, source) = state.withLock { state -> (Reading, Promise<Void>?) in
      let reading = state.read(into: buffer, of: count)
      state.isWanted = true
      return (reading, state.hasRoom ? state.source.take() : nil)
    }
    source?.fulfill(())
    return reading
  }

  /// Whether the transfer has nothing of it yet, so that it can begin.
  var isUntouched: Bool { state.withLock { $0.position == 0 && $0.restCount == $0.total } }
}

extension BodyPieces.State {
  /// Adds what the transfer gets next.
  fileprivate mutating func add(_ piece: Data) {
    // What was sent takes no room any longer.
    if position == waiting.count {
      waiting = piece
    } else {
      if position > 0 { waiting = Data(waiting.dropFirst(position)) }
      waiting.append(piece)
    }
    position = 0
    total += piece.count
  }

  /// Copies the next bytes to `buffer`.
  ///
  /// - Parameter size: the bytes of the whole body, if they are known. With the last one, the server
  ///   takes the body for a whole one, so it is kept until it is known that none follows.
  fileprivate mutating func read(
    into buffer: UnsafeMutableRawBufferPointer, of size: Int?
  ) -> BodyPieces.Reading {
    if failure != nil || isCut { return .failed }
    let ready = waiting.dropFirst(position).dropLast(!isAtEnd && total == size ? 1 : 0)
    guard !ready.isEmpty else {
      isPaused = !isAtEnd
      return isAtEnd ? .bytes(0) : .paused
    }
    let count = ready.copyBytes(to: buffer)
    position += count
    return .bytes(count)
  }
}
