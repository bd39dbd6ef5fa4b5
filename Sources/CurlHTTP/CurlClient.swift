public import FoundationEssentials
public import HTTPTypes

/// Sends HTTP requests over TLS with libcurl.
///
/// One thread of its own does all the work. It starts with the first request and ends when the
/// client goes away. Connections are kept and reused, by this client alone.
///
/// `https` only, TLS 1.2 or newer, certificates always verified, redirects never followed, no
/// cookies, no `.netrc`. Of a reply, the header fields stay as they came, while the body has its
/// gzip coding taken off.
///
/// A POST or PATCH gets a connection of its own, since sending it again could do the thing twice (RFC 9110,
/// section 9.2.2): a kept connection may have been closed by the server a moment ago. Any other request
/// that meets such a connection before a byte of the reply came is sent again, once, on a new one.
///
/// libcurl cannot tell whether a body that ends with its connection is complete. A reply without
/// any mark of its end (a length, chunks, HTTP/2 frames or gzip's own end) is therefore
/// ``HTTPError/Code/invalidResponse``.
public final class CurlClient: HTTPTransport {
  /// What may differ between clients.
  public struct Configuration: Sendable {
    /// Whose signatures on servers' certificates count.
    public var trust: Trust
    /// Chooses the proxy for a URL; the environment does (`https_proxy`, `no_proxy`) if there is
    /// none, or if it gives nil.
    ///
    /// It is handed scheme, host and port only, and gives back a proxy's URL or `direct`.
    public var proxyResolver: (@Sendable (_ url: String) async -> String?)?

    /// Creates a configuration; without arguments it is the system's.
    public init(
      trust: Trust = .system, proxyResolver: (@Sendable (_ url: String) async -> String?)? = nil
    ) {
      self.trust = trust
      self.proxyResolver = proxyResolver
    }

    /// Creates a configuration that trusts the authorities in the PEM file at `caFile` and no others;
    /// the system's when it is nil.
    public init(
      caFile: String?, proxyResolver: (@Sendable (_ url: String) async -> String?)? = nil
    ) {
      self.init(trust: caFile.map { .file($0) } ?? .system, proxyResolver: proxyResolver)
    }
  }

  private let proxyResolver: (@Sendable (String) async -> String?)?
  private let loop: CurlLoop

  /// Creates a client; nothing is started before its first request.
  public init(_ configuration: Configuration = Configuration()) {
    proxyResolver = configuration.proxyResolver
    loop = CurlLoop(trust: configuration.trust)
  }

  deinit {
    loop.close()
  }

  /// Sends `request` with `body`, and waits for the whole response.
  public func execute(_ request: HTTPRequest, body: Data, limits: HTTPLimits)
    async throws(HTTPError)
    -> HTTPReply
  {
    let exchange = CurlExchange(try CurlRequest(request, body: body, limits: limits))
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        guard exchange.begin(continuation) else { return }
        if let proxyResolver {
          submit(exchange, through: proxyResolver)
        } else {
          loop.submit(exchange, proxy: nil)
        }
      }
    } onCancel: {
      exchange.finish(.failure(.cancelled(host: exchange.request.host)))
      loop.drop(exchange)
    }
    guard let outcome = exchange.outcome else { throw .cancelled(host: exchange.request.host) }
    return try outcome.get()
  }

  /// Asks for the proxy beside the caller's task, so that a resolver that hangs holds up neither
  /// cancellation nor the limit.
  private func submit(
    _ exchange: CurlExchange, through resolver: @escaping @Sendable (String) async -> String?
  ) {
    let request = exchange.request
    Task { [loop] in
      let timer = Task {
        try await Task.sleep(until: exchange.deadline, clock: .continuous)
        exchange.finish(.failure(.timedOut(host: request.host)))
      }
      let proxy = await resolver(request.origin)
      timer.cancel()
      loop.submit(exchange, proxy: proxy)
    }
  }
}
