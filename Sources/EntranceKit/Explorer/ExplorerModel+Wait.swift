// The pause that the service asks for.
extension ExplorerModel {
  /// Counts down the pause that the service asks for with the answer.
  ///
  /// Nothing is sent at its end: the request may do more than read.
  func followPause() {
    countdown.stop()
    guard let seconds = answer?.failure?.retryAfter else { return wait = nil }
    wait = .left(seconds)
    countdown.start(Int64(seconds)) { [weak self] in
      self?.wait = .left($0)
    } end: { [weak self] in
      self?.wait = .over
    }
  }
}
