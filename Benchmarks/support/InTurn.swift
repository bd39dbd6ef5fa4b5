/// Measures several things, in microseconds per call: the medians of `samples` samples of `count`
/// calls.
///
/// They are sampled in turn, so that other load on the computer affects all of them. Each of
/// `bodies` makes as many calls as its argument says.
package func inTurn(
  samples: Int, count: Int = 1, _ bodies: (_ count: Int) async throws -> Void...
) async throws -> [Double] {
  var times = [[Double]](repeating: [], count: bodies.count)
  for _ in 0..<samples {
    for (number, body) in bodies.enumerated() {
      let start = ContinuousClock.now
      try await body(count)
      times[number].append(microseconds(since: start) / Double(count))
    }
  }
  return times.map { $0.sorted()[samples / 2] }
}

/// The microseconds since `start`.
package func microseconds(since start: ContinuousClock.Instant) -> Double {
  let time = (ContinuousClock.now - start).components
  return Double(time.seconds) * 1e6 + Double(time.attoseconds) / 1e12
}
