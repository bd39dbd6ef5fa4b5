import CCurl
import FoundationEssentials
import Glibc
import HTTPTypes

/// A request in progress: a libcurl easy handle with all that belongs to it.
///
/// Created and released on the owner thread.
final class CurlTransfer {
  /// The caller and its request.
  let exchange: CurlExchange
  /// libcurl's handle.
  let easy: UnsafeMutableRawPointer

  private var response: CurlResponse
  private var headerList: UnsafeMutablePointer<curl_slist>?
  /// libcurl reads a small body from here during the transfer.
  private let body: UnsafeMutablePointer<UInt8>
  /// The bytes of ``body``.
  private let bodySize: Int
  /// The bytes of a large body that libcurl has.
  private var sentCount = 0
  /// Whether the head of the response was noticed, for a request with a body.
  private var hasNoticedHead = false
  private let trust: Trust
  /// The proxy chosen for it; nil to use the environment's.
  let proxy: String?
  private let takesNewConnection: Bool
  private var setupCode = CURLE_OK

  /// How long a connection is kept without a request, in seconds.
  static let longestRest = 60

  /// Makes a transfer that can be added to a multi handle.
  ///
  /// - Parameter takesNewConnection: whether no kept connection is used.
  init(
    _ exchange: CurlExchange, trust: Trust, proxy: String?, takesNewConnection: Bool
  ) throws(HTTPError) {
    let host = exchange.request.host
    if let problem = trust.problem {
      throw HTTPError(.invalidConfiguration, host: host, problem)
    }
    guard let easy = curl.easy_init() else { throw HTTPError(CURLE_FAILED_INIT, host: host) }
    self.exchange = exchange
    self.easy = easy
    self.trust = trust
    self.proxy = proxy
    self.takesNewConnection = takesNewConnection
    response = CurlResponse(
      bodyLimit: exchange.request.limits.bodySize, pipe: exchange.pipe)
    // Never empty: libcurl takes a null pointer to mean "ask a callback".
    let small = exchange.request.smallBody ?? Data()
    bodySize = small.count
    body = .allocate(capacity: max(bodySize, 1))
    small.copyBytes(to: body, count: bodySize)
    configure()
    // An option that this libcurl does not know may be one that security depends on.
    guard setupCode == CURLE_OK else { throw HTTPError(CURLE_FAILED_INIT, host: host) }
  }

  deinit {
    curl.easy_cleanup(easy)
    // Both may hold a token or an authorization code. libcurl's own copies are out of reach.
    var line = headerList
    while let entry = line {
      explicit_bzero(entry.pointee.data, strlen(entry.pointee.data))
      line = entry.pointee.next
    }
    curl.slist_free_all(headerList)
    explicit_bzero(body, bodySize)
    body.deallocate()
  }

  /// The outcome for the caller, after libcurl has ended the transfer.
  func outcome(_ code: CURLcode) -> CurlExchange.Outcome {
    let host = exchange.request.host
    if let problem = response.problem { return .failure(.init(problem, host: host)) }
    guard code == CURLE_OK else { return .failure(error(code)) }
    guard let reply = response.reply() else {
      return .failure(.init(response.problem ?? .invalidResponse, host: host))
    }
    return .success(reply)
  }

  /// Whether it failed because the server had closed a kept connection, and can be sent again.
  ///
  /// No byte of a reply arrived, and sending it twice is harmless (RFC 9110, section 9.2.2).
  func metClosedConnection(_ code: CURLcode) -> Bool {
    guard !takesNewConnection, !response.hasBegun, code != CURLE_OK,
      HTTPError(code, host: "").code == .connectionLost
    else { return false }
    return number(CURLINFO_NUM_CONNECTS) == 0
  }

  private func error(_ code: CURLcode) -> HTTPError {
    let host = exchange.request.host
    if number(CURLINFO_HTTP_CONNECTCODE) >= 300 { return HTTPError(CURLE_PROXY, host: host) }
    let variable = proxy == nil ? Self.proxyVariable : nil
    let hasProxy = proxy.map { !Self.isDirect($0) } ?? (variable != nil)
    switch code {
    case CURLE_COULDNT_CONNECT where !hasProxy && isWithoutNetwork:
      return HTTPError(.networkUnreachable, host: host)
    case CURLE_COULDNT_CONNECT:
      // `no_proxy` may exempt the host, so it is not known which of the two it was.
      if let variable { return .cannotConnect(for: exchange.request, orProxyIn: variable) }
      return hasProxy ? HTTPError(CURLE_PROXY, host: host) : .cannotConnect(for: exchange.request)
    // The request's URL was checked.
    case CURLE_URL_MALFORMAT where hasProxy: return HTTPError(CURLE_PROXY, host: host)
    default: break
    }
    let error = HTTPError(
      code, host: host, verifyResult: number(CURLINFO_SSL_VERIFYRESULT), caFile: trust.path)
    // It is set while a secure connection to the proxy is made, and cleared by its success.
    if error.code == .tlsFailure, number(CURLINFO_PROXY_SSL_VERIFYRESULT) != 0 {
      return .proxyNotSecure(for: host, isCertificate: code == CURLE_PEER_FAILED_VERIFICATION)
    }
    return error
  }

  /// Whether it failed because no network leads to the address.
  private var isWithoutNetwork: Bool {
    let reasons = [ENETDOWN, ENETUNREACH, EHOSTDOWN, EHOSTUNREACH]
    return reasons.contains { Int($0) == number(CURLINFO_OS_ERRNO) }
  }

  /// A number that libcurl tells about the transfer.
  private func number(_ info: CURLINFO) -> Int {
    var value = 0
    entrance_easy_get_long(curl, easy, info, &value)
    return value
  }

  // MARK: - Options

  private func configure() {
    let request = exchange.request
    set(CURLOPT_URL, request.url)
    set(CURLOPT_PATH_AS_IS, 1)
    set(CURLOPT_PROTOCOLS_STR, "https")
    set(CURLOPT_FOLLOWLOCATION, 0)
    set(CURLOPT_NETRC, Int(CURL_NETRC_IGNORED.rawValue))
    set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2TLS))
    setMessage(request)
    setTLS()
    setProxy()

    set(CURLOPT_CONNECTTIMEOUT_MS, request.limits.connect.milliseconds)
    set(CURLOPT_TIMEOUT_MS, ContinuousClock.now.duration(to: exchange.deadline).milliseconds)
    if let idle = request.limits.idle {
      set(CURLOPT_LOW_SPEED_TIME, max(1, idle.milliseconds / 1000))
    }
    countIdleTime(true)
    set(CURLOPT_NOSIGNAL, 1)
    // Without it, a DNS server that does not answer blocks the whole thread.
    set(CURLOPT_QUICK_EXIT, 1)
    // Detects a connection that died while the computer slept.
    set(CURLOPT_TCP_KEEPALIVE, 1)
    set(CURLOPT_TCP_KEEPIDLE, 20)
    set(CURLOPT_TCP_KEEPINTVL, 10)
    set(CURLOPT_MAXAGE_CONN, Self.longestRest)
    set(CURLOPT_FRESH_CONNECT, takesNewConnection ? 1 : 0)

    // The owner of the multi handle retains `self` as long as the easy handle.
    let context = Unmanaged.passUnretained(self).toOpaque()
    set(CURLOPT_HEADERDATA, context)
    set(CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
      guard let bytes, let context else { return 0 }
      let line = UnsafeRawBufferPointer(start: bytes, count: size * count)
      let transfer = Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
      return transfer.response.receiveHeaderLine(line) ? line.count : 0
    }
    set(CURLOPT_WRITEDATA, context)
    set(CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
      guard let bytes, let context else { return 0 }
      let chunk = UnsafeRawBufferPointer(start: bytes, count: size * count)
      let transfer = Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
      // libcurl passes the same bytes again when the transfer continues.
      if transfer.exchange.pipe?.mustPause() == true { return Int(CURL_WRITEFUNC_PAUSE) }
      return transfer.response.receiveBody(chunk) ? chunk.count : 0
    }
  }

  private func setMessage(_ request: CurlRequest) {
    if request.sendsBody {
      // Without a size, it is sent in chunks, or in frames of HTTP/2.
      set(CURLOPT_POSTFIELDSIZE, request.body.count ?? -1)
      if request.smallBody == nil { setLargeBody() } else { set(CURLOPT_POSTFIELDS, body) }
    }
    set(CURLOPT_CUSTOMREQUEST, request.method)
    for line in request.headerLines {
      guard let list = line.withCString({ curl.slist_append(headerList, $0) }) else {
        setupCode = CURLE_OUT_OF_MEMORY
        return
      }
      headerList = list
    }
    set(CURLOPT_HTTPHEADER, headerList)
    set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
  }

  /// Lets libcurl ask for the body piece by piece, so that there is no second copy of the whole.
  private func setLargeBody() {
    set(CURLOPT_POST, 1)
    set(CURLOPT_UPLOAD_BUFFERSIZE, 256 << 10)
    let context = Unmanaged.passUnretained(self).toOpaque()
    set(CURLOPT_READDATA, context)
    note(
      entrance_easy_set_read(curl, easy) { buffer, size, count, context in
        guard let buffer, let context else { return Int(CURL_READFUNC_ABORT) }
        let transfer = Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
        return transfer.copyBody(
          to: UnsafeMutableRawBufferPointer(start: buffer, count: size * count))
      })
    // When libcurl sends the request again, it begins again.
    set(CURLOPT_SEEKDATA, context)
    note(
      entrance_easy_set_seek(curl, easy) { context, offset, origin in
        guard let context, origin == SEEK_SET else { return CURL_SEEKFUNC_FAIL }
        let transfer = Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
        return transfer.seekBody(to: Int(offset)) ? CURL_SEEKFUNC_OK : CURL_SEEKFUNC_FAIL
      })
  }

  /// Copies what comes next to `buffer`; returns the number of bytes, or what libcurl is to do.
  private func copyBody(to buffer: UnsafeMutableRawBufferPointer) -> Int {
    let count: Int? =
      switch exchange.request.body {
      case .data(let data): data.dropFirst(sentCount).copyBytes(to: buffer)
      case .file(let part): part.read(into: buffer, at: sentCount)
      case .pieces(let pieces):
        switch pieces.read(into: buffer) {
        case .bytes(let count): count
        case .paused: Int(CURL_READFUNC_PAUSE)
        case .failed: nil
        }
      }
    guard let count else { return Int(CURL_READFUNC_ABORT) }
    if count == Int(CURL_READFUNC_PAUSE) { countIdleTime(false) } else { sentCount += count }
    return count
  }

  /// Continues a transfer that pauses: its reader has room, or there is more of its body.
  func resume() {
    countIdleTime(true)
    // CURLPAUSE_CONT, which Swift does not import. It fails for a transfer that has ended.
    _ = curl.easy_pause(easy, 0)
  }

  /// Begins or ends to count the time without a byte.
  ///
  /// While the transfer waits for the next piece of its own body, nobody else is slow. libcurl does
  /// not count the pause of a reader, but that of a body.
  private func countIdleTime(_ isCounted: Bool) {
    guard exchange.request.limits.idle != nil else { return }
    // With 0, libcurl also forgets the time before.
    set(CURLOPT_LOW_SPEED_LIMIT, isCounted ? 1 : 0)
  }

  /// Has libcurl look at a transfer that sends a body once more when the head of the response is
  /// there.
  ///
  /// A server that refuses a request need not take the rest. libcurl then sends no more, but 7.88
  /// (Debian 12) does not end a transfer whose body pauses, nor notice that a stream of HTTP/2 has
  /// ended; 8.14 does. If the rest is still wanted, the body pauses again.
  func noticeHead() {
    guard !hasNoticedHead, response.hasHead, exchange.request.sendsBody else { return }
    hasNoticedHead = true
    // libcurl looks at what continues after a pause.
    _ = curl.easy_pause(easy, CURLPAUSE_SEND)
    resume()
  }

  /// Goes to another place of the body; returns whether that is possible.
  private func seekBody(to offset: Int) -> Bool {
    switch exchange.request.body {
    case .data, .file:
      guard (0...(exchange.request.body.count ?? 0)).contains(offset) else { return false }
      sentCount = offset
      return true
    case .pieces(let pieces):
      return offset == 0 && pieces.isUntouched
    }
  }

  private func setTLS() {
    set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
    set(CURLOPT_PROXY_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
    set(CURLOPT_SSL_VERIFYPEER, 1)
    set(CURLOPT_SSL_VERIFYHOST, 2)
    if let authorities = trust.authorities {
      for option in [CURLOPT_CAINFO_BLOB, CURLOPT_PROXY_CAINFO_BLOB] { set(option, authorities) }
      for option in [CURLOPT_CAPATH, CURLOPT_PROXY_CAPATH] { unset(option) }
      // A server's own certificate in the file must not be accepted in place of its authority's.
      for option in [CURLOPT_SSL_OPTIONS, CURLOPT_PROXY_SSL_OPTIONS] {
        set(option, Int(CURLSSLOPT_NO_PARTIALCHAIN))
      }
    } else if Trust.hasSystemFolder {
      // With only the folder, OpenSSL opens the one certificate it needs. With the bundle too, it
      // reads all of them for each connection, which takes longer than the handshake.
      for option in [CURLOPT_CAINFO, CURLOPT_PROXY_CAINFO] { unset(option) }
    }
  }

  private func setProxy() {
    guard let proxy else { return }
    set(CURLOPT_PROXY, Self.isDirect(proxy) ? "" : proxy)
    // Otherwise `no_proxy` in the environment would override the resolver.
    set(CURLOPT_NOPROXY, "")
  }

  /// Whether a resolver's result means no proxy, as GIO's `direct://` does.
  private static func isDirect(_ proxy: String) -> Bool {
    proxy.lowercased() == "direct" || proxy.lowercased().hasPrefix("direct:")
  }

  /// The variable of the environment that names a proxy for libcurl; nil when none does.
  private static var proxyVariable: String? {
    CurlClient.proxyVariables.first { name in
      getenv(name).map { $0.pointee != 0 } ?? false
    }
  }

  private func set(_ option: CURLoption, _ value: Int) {
    note(entrance_easy_set_long(curl, easy, option, value))
  }

  // Passed as an argument, a string would be copied.
  private func set(_ option: CURLoption, _ value: String) {
    value.withCString { note(entrance_easy_set_string(curl, easy, option, $0)) }
  }

  private func unset(_ option: CURLoption) {
    note(entrance_easy_set_string(curl, easy, option, nil))
  }

  private func set(_ option: CURLoption, _ value: UnsafeMutableRawPointer?) {
    note(entrance_easy_set_pointer(curl, easy, option, value))
  }

  /// Sets a blob option; libcurl copies `value`.
  private func set(_ option: CURLoption, _ value: Data) {
    value.withUnsafeBytes { bytes in
      note(entrance_easy_set_blob(curl, easy, option, bytes.baseAddress, bytes.count))
    }
  }

  private func set(_ option: CURLoption, _ callback: curl_write_callback) {
    note(entrance_easy_set_callback(curl, easy, option, callback))
  }

  private func note(_ code: CURLcode) {
    if setupCode == CURLE_OK { setupCode = code }
  }
}

extension Duration {
  /// Whole milliseconds, at least one: libcurl takes 0 to mean no limit.
  fileprivate var milliseconds: Int {
    // `components` traps outside of the range of their types.
    let (seconds, attoseconds) = min(max(self, .zero), .seconds(1_000_000)).components
    return max(1, Int(seconds) * 1000 + Int(attoseconds / 1_000_000_000_000_000))
  }
}
