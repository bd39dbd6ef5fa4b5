import AuthCore
import FoundationEssentials
import Glibc
import Localization
import MicrosoftGraph

/// The recording of what an open connection exchanges with the sign-in service and its API, without
/// secrets and names.
@MainActor
public final class Recording {
  /// What is recorded where, in words; nil while nothing is.
  public private(set) var text: String? { didSet { changes.notify(()) } }
  /// The observers of it.
  public let changes = Observers<Void>()

  private var transport: RecordableTransport?
  /// What records until its file is written.
  private var recorder: RecordableTransport?
  private let privacy: Privacy
  /// The window that the recording was started in, and ends with.
  private weak var window: WindowModel?
  /// Whether its file is written for the first time.
  private var isStarting = false
  /// The last recording; nil before the first one.
  private var last: Span?

  /// A recording's file, and its time; until now if it has no end.
  private struct Span {
    let path: String
    let start: Date
    var end: Date?
  }

  init(_ transport: RecordableTransport?, _ privacy: Privacy) {
    self.transport = transport
    self.privacy = privacy
  }

  /// Whether a recording can start.
  public var canStart: Bool { transport != nil && window == nil && !isStarting }

  /// *Record…*: records from now on, in the file at `path`.
  @discardableResult
  func start(_ path: String, in window: WindowModel) -> Task<Void, Never>? {
    guard canStart, let transport else { return nil }
    (self.window, isStarting) = (window, true)
    return Task {
      defer {
        isStarting = false
        changes.notify(())
      }
      do throws(GraphError) {
        try await Self.onOtherThread { () throws(GraphError) in try transport.start(path) }
        // Its window may be closed by now, and the app be edited.
        guard self.window === window, self.transport === transport else {
          transport.discard()
          if self.window === window { self.window = nil }
          return
        }
        recorder = transport
        last = Span(path: path, start: Date())
        let name = privacy.shown(RequestFile(path: path).name.plain)
        text = tr("Recording in {file}, without secrets and names", ["file": name])
      } catch {
        if self.window === window { self.window = nil }
        window.status.toasts.notify(tr(error.sentence))
      }
    }
  }

  /// *Stop Recording*: writes the file; if that fails, the recording goes on, so that nothing is
  /// lost.
  @discardableResult
  public func stop() -> Task<Void, Never>? {
    guard text != nil, let recorder else { return nil }
    let toasts = window?.status.toasts
    return Task {
      // What comes while the file is written may be missing in it.
      let end = Date()
      do throws(GraphError) {
        try await Self.onOtherThread { () throws(GraphError) in try recorder.stop() }
        (window, self.recorder) = (nil, nil)
        last?.end = end
        text = nil
        toasts?.notify(tr("The recording is saved"))
      } catch {
        toasts?.notify(tr(error.sentence))
      }
    }
  }

  /// Ends with its window, which may be the last of the program: what was recorded is written before
  /// this returns, if it can be.
  func stop(with window: WindowModel) {
    guard self.window === window else { return }
    if let recorder {
      last?.end = Date()
      try? recorder.stop()
      // Nobody would see that it goes on.
      recorder.discard()
    }
    (self.window, recorder, text) = (nil, nil, nil)
  }

  /// The file of the last recording, with all that is recorded by now; nil if it does not have an
  /// exchange, or is gone.
  ///
  /// - Parameters:
  ///   - sent: when the request was sent.
  ///   - answered: when its response was there.
  func file(havingSent sent: Date, answered: Date) async throws(GraphError) -> String? {
    guard let last, last.start <= sent, answered <= last.end ?? .distantFuture else { return nil }
    if let recorder {
      try await Self.onOtherThread { () throws(GraphError) in try recorder.save() }
    }
    return access(last.path, F_OK) == 0 ? last.path : nil
  }

  @concurrent
  private static func onOtherThread(
    _ work: @Sendable () throws(GraphError) -> Void
  ) async throws(GraphError) {
    try work()
  }

  /// Records with another transport from now on; what was recorded is written, at the next *Stop
  /// Recording* if it cannot be written now.
  func use(_ transport: RecordableTransport?) {
    stop()
    self.transport = transport
  }
}
