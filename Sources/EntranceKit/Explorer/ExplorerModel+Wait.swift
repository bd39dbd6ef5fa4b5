// The pause that the service asks for.
extension ExplorerModel {
  /// Counts down the pause that the service asks for with the answer.
  ///
  /// Nothing is sent at its end: the request may do more than read. A recording asks for nothing.
  func followPause() {
    countdown.stop()
    guard replay == nil, let seconds = answer?.failure?.retryAfter else { return wait = nil }
    wait = .left(seconds)
    countdown.start(Int64(seconds)) { [weak self] in
      self?.wait = .left($0)
    } end: { [weak self] in
      self?.wait = .over
    }
  }
}
