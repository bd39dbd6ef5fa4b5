public import FoundationEssentials
public import HTTPTypes

/// Sends HTTP requests over TLS with libcurl.
///
/// A dedicated thread does all the work. It starts with the first request and ends when the client
/// is released. Connections are kept and reused, within this client only.
///
/// `https` only, TLS 1.2 or newer, certificates always verified, redirects never followed, no
/// cookies, no `.netrc`. Header fields of a reply are unchanged; a gzip-coded body is decoded.
///
/// A POST or PATCH gets a new connection: the server may have just closed a kept one, and sending
/// the request again could perform the action twice (RFC 9110, section 9.2.2). So does one whose
/// body can be read only once. Any other request
/// that fails on a closed kept connection before the first byte of the reply is sent again, once,
/// on a new connection. For a minute after a request that timed out, each request to its host gets
/// a new one: the kept one may be dead.
///
/// libcurl cannot tell whether a body that ends with its connection is complete. A reply without
/// any mark of its end (a length, chunks, HTTP/2 frames or gzip's own end) is therefore
/// ``HTTPError/Code/invalidResponse``.
public final class CurlClient: HTTPTransport, StreamingTransport {
  /// The settings of a client.
  public struct Configuration: Sendable {
    /// The certificate authorities to trust.
    public var trust: Trust
    /// Chooses the proxy for a URL.
    ///
    /// When it is nil or returns nil, the environment decides (`https_proxy`, `no_proxy`).
    ///
    /// It gets only scheme, host and port, and returns a proxy's URL or `direct`.
    public var proxyResolver: (@Sendable (_ url: String) async -> String?)?

    /// Creates a configuration; without arguments, the system's.
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

  /// The environment variables that can name a proxy for libcurl, in order of precedence.
  package static let proxyVariables = ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]

  private let proxyResolver: (@Sendable (String) async -> String?)?
  private let loop: CurlLoop

  /// Creates a client; its thread starts with the first request.
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
    try await execute(request, body: RequestBody.data(body), limits: limits)
  }

  /// Sends `request` with `body`, and waits for the whole response.
  package func execute(_ request: HTTPRequest, body: RequestBody, limits: HTTPLimits)
    async throws(HTTPError) -> HTTPReply
  {
    let exchange = CurlExchange(try CurlRequest(request, body: body, limits: limits))
    guard case .pieces(let pieces) = body else { return try await outcome(of: exchange).get() }
    let filling = Task { [loop] in await pieces.fill { loop.resume(exchange) } }
    defer { filling.cancel() }
    return try await outcome(of: exchange).get()
  }

  /// Submits `exchange`, and waits for its outcome on the caller's actor.
  ///
  /// A closure is on that actor only if it uses it. Elsewhere, each request would wake two more threads.
  private func outcome(
    of exchange: CurlExchange, isolation: isolated (any Actor)? = #isolation
  ) async -> CurlExchange.Outcome {
    await withTaskCancellationHandler {
      _ = isolation
      submit(exchange)
      return await exchange.wait()
    } onCancel: {
      exchange.cancel()
      loop.drop(exchange)
    }
  }

  /// Sends `request` with `body`, and waits for the head of the response; its body follows.
  public func stream(
    _ request: HTTPRequest, body: Data, limits: HTTPLimits
  ) async throws(HTTPError) -> HTTPStream {
    let pipe = BodyPipe()
    let exchange = CurlExchange(
      try CurlRequest(request, body: .data(body), limits: limits), pipe: pipe)
    let reading = CurlReading(exchange, pipe, client: self, loop)
    submit(exchange)
    let head = try await reading.head()
    return HTTPStream(
      response: head, body: HTTPBody { () throws(HTTPError) in try await reading.next() })
  }

  private func submit(_ exchange: CurlExchange) {
    if let proxyResolver {
      submit(exchange, through: proxyResolver)
    } else {
      loop.submit(exchange, proxy: nil)
    }
  }

  /// Resolves the proxy outside the caller's task, so that a resolver that hangs delays neither
  /// cancellation nor the time limit.
  private func submit(
    _ exchange: CurlExchange, through resolver: @escaping @Sendable (String) async -> String?
  ) {
    let request = exchange.request
    Task { [loop] in
      let timer = Task {
        try await Task.sleep(until: exchange.deadline, clock: .continuous)
        exchange.finish(.failure(HTTPError(.timedOut, host: request.host)))
      }
      let proxy = await resolver(request.origin)
      timer.cancel()
      loop.submit(exchange, proxy: proxy)
    }
  }
}

/// Reads a response; when it is released, the rest is not received.
private final class CurlReading: Sendable {
  private let exchange: CurlExchange
  private let pipe: BodyPipe
  /// Kept, because the transfer ends with its client.
  private let client: CurlClient
  private let loop: CurlLoop

  init(_ exchange: CurlExchange, _ pipe: BodyPipe, client: CurlClient, _ loop: CurlLoop) {
    self.exchange = exchange
    self.pipe = pipe
    self.client = client
    self.loop = loop
  }

  deinit { cancel() }

  func head() async throws(HTTPError) -> HTTPResponse {
    try await untilCanceled { pipe async throws(HTTPError) -> HTTPResponse in
      try await pipe.head()
    }
  }

  func next() async throws(HTTPError) -> Data? {
    try await untilCanceled { pipe async throws(HTTPError) -> Data? in
      try await pipe.next { self.loop.resume(self.exchange) }
    }
  }

  /// Reads on the caller's actor, as ``CurlClient`` waits.
  private func untilCanceled<Value: Sendable>(
    isolation: isolated (any Actor)? = #isolation,
    _ read: (BodyPipe) async throws(HTTPError) -> Value
  ) async throws(HTTPError) -> Value {
    let result = await withTaskCancellationHandler { () -> Result<Value, HTTPError> in
      _ = isolation
      do throws(HTTPError) {
        return .success(try await read(pipe))
      } catch {
        return .failure(error)
      }
    } onCancel: {
      cancel()
    }
    return try result.get()
  }

  private func cancel() {
    guard exchange.outcome == nil else { return }
    exchange.cancel()
    loop.drop(exchange)
  }
}
