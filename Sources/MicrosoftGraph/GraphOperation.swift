import AuthCore
import CurlHTTP
import FoundationEssentials
import HTTPTypes
import Sentences

extension GraphClient {
  /// Waits until what a service has accepted (202) is done, such as the copy of a large folder.
  ///
  /// It asks at the address that the response leads to (`Location`); one on another host gets no
  /// token. A service that never ends it is asked until the task is canceled, which does not end
  /// the operation itself.
  /// - Parameters:
  ///   - response: the response; one that leads nowhere is returned at once.
  ///   - progress: is called with the percentage, when the service tells one.
  /// - Returns: the last response: what was done, or 303 with its ``GraphResponse/location``.
  /// - Throws: ``GraphError``; with code ``GraphError/Code/refused`` and the service's code when the
  ///   operation failed.
  public func completion(
    of response: GraphResponse, progress: (Double) -> Void = { _ in }
  ) async throws(GraphError) -> GraphResponse {
    guard response.status == 202, let monitor = response.location else { return response }
    var last = response
    while true {
      let asked = last.headerFields[.retryAfter].flatMap {
        PauseLength.retryAfter($0, from: runtime.now())
      }
      // A service that asks for no pause at all would be asked all the time.
      try await sleep(.seconds(max(asked ?? 2, 0.5)))
      last = try await state(at: monitor)
      let state = OperationState(last)
      if let percentage = state.percentage { progress(percentage) }
      if state.hasFailed { throw GraphError(operation: state, last, of: service) }
      // Graph's documentation of long-running actions has the end with 202, too.
      if last.status == 202 ? state.isDone : !state.isRunning { return last }
    }
  }

  /// The state of an operation, which is asked for again when that failed for a while.
  private func state(at monitor: String) async throws(GraphError) -> GraphResponse {
    // Some services tell only the path.
    let request = GraphRequest(.get, GraphPath(monitor))
    let accepts = { @Sendable (status: Int) in (200...299).contains(status) || status == 303 }
    guard (try? httpRequest(request)) == nil else {
      return try await send(request, accepts: accepts)
    }
    var count = 0
    while true {
      do throws(GraphError) {
        return try await exchange(.get, monitor, accepts: accepts, limits: limits)
      } catch {
        guard let pause = retry.pause(after: error, of: request, count: count, random: random)
        else { throw error }
        count += 1
        try await wait(pause, after: error)
      }
    }
  }
}

/// What a service says about an operation: that of a drive's monitor, of Teams, or of Graph's
/// long-running operations.
struct OperationState {
  let json: JSON?

  init(_ response: GraphResponse) { json = try? response.json() }

  private var status: String { json?["status"]?.string?.lowercased() ?? "" }

  /// Whether the service says that the operation is done.
  var isDone: Bool { ["completed", "succeeded"].contains(status) }

  var percentage: Double? {
    (json?["percentageComplete"] ?? json?["percentProgress"])?.number
      .flatMap { (0...100).contains($0) ? $0 : nil }
  }

  var isRunning: Bool {
    ["notstarted", "inprogress", "running", "waiting", "updating", "deletepending"]
      .contains(status)
  }

  var hasFailed: Bool {
    ["failed", "deletefailed", "updatefailed", "submissionfailed"].contains(status)
  }
}

extension GraphError {
  /// An operation that has failed.
  fileprivate init(operation state: OperationState, _ response: GraphResponse, of service: String) {
    self.init(
      .refused, Sentence("{service} could not complete the operation.", ["service": service]))
    status = response.status
    headerFields = response.headerFields
    requestID = response.requestID
    body = Data(response.body.prefix(Self.largestBody))
    let details = state.json?["error"]
    serverCode = (details?["code"] ?? state.json?["errorCode"])?.string
      .map { String($0.prefix(100)) }
    serverMessage = (details?["message"] ?? state.json?["statusDescription"])?.string
      .map { String($0.prefix(1000)) }
  }
}
