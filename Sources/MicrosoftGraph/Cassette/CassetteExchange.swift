package import AuthCore
package import CurlHTTP
package import FoundationEssentials
package import HTTPTypes

extension Cassette {
  /// A request and its answer, which a report is about.
  package struct Exchange: Sendable {
    private let entry: CassetteEntry

    /// Creates an exchange.
    ///
    /// - Parameters:
    ///   - start: when the request was sent.
    ///   - duration: how long the answer took.
    package init(
      _ request: HTTPRequest, body: Data, _ reply: HTTPReply, start: Date, duration: Duration
    ) {
      var entry = CassetteEntry(request, body, reply, start: start)
      let (seconds, rest) = duration.components
      entry.milliseconds = max(0, (Double(seconds) * 1000 + Double(rest) / 1e15).rounded())
      self.entry = entry
    }

    /// A recording of it alone, with stand-ins in place of all that it must not hold.
    package var recording: JSON {
      var redaction = Redaction()
      // What is known by the end is replaced in what comes before, too.
      _ = entry.json(&redaction)
      return CassetteEntry.document([entry], &redaction)
    }

    /// The entry of a recording that was made of it: the one that has the same method, status and
    /// address, but for the stand-ins, and began when it did.
    fileprivate func index(in entries: [CassetteEntry]) -> Int? {
      var redaction = Redaction()
      let address = Redaction.skeleton(of: redaction.url(entry.url))
      // Before its request is sent, it may have to wait for its turn.
      let range = -1...(entry.seconds + 1)
      func distance(_ index: Int) -> Double { entries[index].start.timeIntervalSince(entry.start) }
      // What began earlier, but for the rounding to milliseconds, is most likely another request.
      func rank(_ distance: Double) -> (Int, Double) { (distance < -0.001 ? 1 : 0, abs(distance)) }
      return entries.indices.filter { index in
        let other = entries[index]
        return other.method == entry.method && other.status == entry.status
          && range.contains(distance(index)) && Redaction.skeleton(of: other.url) == address
      }.min { rank(distance($0)) < rank(distance($1)) }
    }

    fileprivate func json(_ redaction: inout Redaction) -> JSON { entry.json(&redaction) }
  }

  /// The recording at `path`, with stand-ins in place of all that it must not hold: another program
  /// may have made or changed it.
  ///
  /// - Parameters:
  ///   - exchange: what a report is about.
  ///   - isReplayed: whether the recording has answered it; else it was recorded there.
  /// - Returns: the recording, and the entry of the exchange, in which the same stand-ins are for the
  ///   same values.
  package static func redacted(
    _ path: String, with exchange: Exchange, isReplayed: Bool
  ) throws(GraphError) -> (recording: JSON, entry: JSON) {
    var entries = try Self.entries(of: path)
    // Of what was recorded there, only the stand-ins are known.
    let index = isReplayed ? nil : exchange.index(in: entries)
    var redaction = Redaction()
    for index in entries.indices {
      entries[index].leaveOutContent()
      // What is known by the end is replaced in what comes before, too.
      _ = entries[index].json(&redaction)
    }
    // What was sent may have stand-ins, too: those of any other recording.
    let isApart = index == nil && !isReplayed
    redaction.isApart = isApart
    if index == nil { _ = exchange.json(&redaction) }
    redaction.isApart = false
    let recording = CassetteEntry.document(entries, &redaction)
    redaction.isApart = isApart
    let entry = index.map { entries[$0].json(&redaction) } ?? exchange.json(&redaction)
    return (recording, entry)
  }
}
