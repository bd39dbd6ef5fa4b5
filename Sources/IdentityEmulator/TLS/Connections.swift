import NIOCore
import Synchronization

/// Knows the open connections, and cuts them when the emulator stops.
///
/// It stands in the pipeline of the listening channel, where every accepted connection passes.
/// Closing TLS in good order waits up to five seconds for the peer to agree; so the socket beneath
/// it is closed.
final class Connections: ChannelInboundHandler, Sendable {
  typealias InboundIn = any Channel

  private let channels = Mutex<[ObjectIdentifier: any Channel]>([:])

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let channel = unwrapInboundIn(data)
    let id = ObjectIdentifier(channel)
    channels.withLock { $0[id] = channel }
    channel.closeFuture.whenComplete { _ in
      self.channels.withLock { $0[id] = nil }
    }
    channel.pipeline.addHandler(Cutter(), position: .first).whenComplete { _ in }
    context.fireChannelRead(data)
  }

  /// Closes the sockets of all connections, and returns when they are closed.
  func cut() async {
    let channels = channels.withLock { Array($0.values) }
    for channel in channels { channel.pipeline.fireUserInboundEventTriggered(Cutter.Event()) }
    for channel in channels { try? await channel.closeFuture.get() }
  }

  /// The handler next to the socket, with TLS behind it.
  private final class Cutter: ChannelInboundHandler, Sendable {
    typealias InboundIn = ByteBuffer

    struct Event: Sendable {}

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
      guard event is Event else { return context.fireUserInboundEventTriggered(event) }
      context.close(promise: nil)
    }
  }
}
