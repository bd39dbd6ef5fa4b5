import NIOCore
import Synchronization

/// Knows the open connections, and cuts them when the emulator stops.
///
/// It stands in the pipeline of the listening channel, where every accepted connection passes.
/// Closing TLS in good order waits up to five seconds for the peer to agree; so the socket beneath
/// it is closed.
final class Connections: ChannelInboundHandler, Sendable {
  typealias InboundIn = any Channel

  private struct State {
    var channels: [ObjectIdentifier: any Channel] = [:]
    var isClosed = false
  }

  private let state = Mutex(State())

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let channel = unwrapInboundIn(data)
    let id = ObjectIdentifier(channel)
    // Before anyone can ask for the cut: the event of one that asks comes behind this on the connection's loop.
    channel.pipeline.addHandler(Cutter(), position: .first).whenComplete { _ in }
    let isClosed = state.withLock { state in
      if !state.isClosed { state.channels[id] = channel }
      return state.isClosed
    }
    // Nobody would handle it any more, and NIO ends the process over a connection that is let go of like that.
    guard !isClosed else { return channel.close(promise: nil) }
    channel.closeFuture.whenComplete { _ in
      self.state.withLock { $0.channels[id] = nil }
    }
    context.fireChannelRead(data)
  }

  /// Closes the sockets of all connections and of those to come, and returns when they are closed.
  func cut() async {
    let channels = state.withLock { state in
      state.isClosed = true
      return Array(state.channels.values)
    }
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
