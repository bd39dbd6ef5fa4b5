/// The time and size limits of one exchange.
public struct HTTPLimits: Sendable, Equatable {
  /// Time for name resolution, connection and TLS handshake.
  public var connect: Duration
  /// Time for the whole exchange.
  public var total: Duration
  /// The largest body, in bytes, after decoding.
  public var bodySize: Int
  /// Time without a single byte, while the reader of a stream waits, and not the transfer for the
  /// next piece of its own body; nil for none but ``total``.
  public var idle: Duration?

  /// Creates limits: by default 10 s to connect, 30 s in total and 1 MiB of body.
  public init(
    connect: Duration = .seconds(10), total: Duration = .seconds(30), bodySize: Int = 1 << 20,
    idle: Duration? = nil
  ) {
    self.connect = connect
    self.total = total
    self.bodySize = bodySize
    self.idle = idle
  }
}
