/// How much time and room one exchange may take.
public struct HTTPLimits: Sendable, Equatable {
  /// Time for name look-up, connection and TLS handshake.
  public var connect: Duration
  /// Time for the whole exchange.
  public var total: Duration
  /// The largest body, in bytes, counted after decompression.
  public var bodySize: Int

  /// Creates limits: 10 s to connect, 30 s in all and 1 MiB of body unless told otherwise.
  public init(
    connect: Duration = .seconds(10), total: Duration = .seconds(30), bodySize: Int = 1 << 20
  ) {
    self.connect = connect
    self.total = total
    self.bodySize = bodySize
  }
}
