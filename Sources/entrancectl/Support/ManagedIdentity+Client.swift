import AuthCore
import CurlHTTP
import Dispatch
import FoundationEssentials
import Glibc
import Sentences

// The client: a command of `entrancectl` in a program that `entrancectl run` has started.
extension ManagedIdentity {
  /// The environment variable with the port of `entrancectl run`.
  static let portVariable = "ENTRANCE_RUN_PORT"

  /// The seconds after which no response is expected; longer than a token request takes.
  private static let longestWait = 120
  /// The most bytes that are read, far more than a token has.
  private static let maximumAnswer = 1 << 20

  /// Asks the `entrancectl run` that this command was started in.
  ///
  /// - Parameter question: the parameters `scope`, `tenant` and `claims`.
  /// - Returns: the token, and when it expires; nil outside of `entrancectl run`.
  static func answer(
    to question: [FormEncoding.Parameter]
  ) async throws(CommandError) -> (token: String, expiresOn: Date)? {
    guard let port = ProcessEnvironment.variable(portVariable).flatMap({ UInt16($0) }),
      let secret = ProcessEnvironment.variable(secretVariable)
    else { return nil }
    // Nothing is the default for a program: what it is allowed to get can be for several services.
    guard question.contains(where: { $0.name == "scope" }) else {
      throw CommandError(
        usage: Sentence(
          "Specify with --scope what the token is for: one of the scopes that 'entrancectl run'"
            + " allows."))
    }
    let parameters: [FormEncoding.Parameter] = [("api-version", version)]
    let head = [
      "GET \(path)?\(FormEncoding.query(parameters + question)) HTTP/1.1",
      "Host: 127.0.0.1:\(port)", "X-IDENTITY-HEADER: \(secret)",
    ]
    let bytes = await exchange(head.map { $0 + "\r\n" }.joined() + "\r\n", port)
    guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8))?.upperBound,
      let json = try? JSON(parsing: bytes[end...])
    else { throw noAnswer }
    if let message = json["message"]?.string {
      let status = json["exitStatus"]?.integer.flatMap { Int32(exactly: $0) }
      throw CommandError(
        "refused", Sentence(verbatim: message),
        exitStatus: status.map { ExitStatus.program($0) } ?? .failure)
    }
    // When it has ended, any program can have its port.
    guard let token = json["access_token"]?.string, let time = json["expires_on"]?.integer,
      times.contains(time)
    else { throw noAnswer }
    return (token, Date(timeIntervalSince1970: Double(time)))
  }

  /// The times that have a calendar date, from 1970 to the year 9999, in seconds.
  private static let times = 0..<253_402_300_800

  private static let noAnswer = CommandError(
    "noAnswer", Sentence("'entrancectl run', which started this program, does not answer."),
    nextStep: Sentence("If it has ended, start the program with 'entrancectl run' again."))

  /// Sends a request to a port of this computer, and receives the response; empty without one.
  private static func exchange(_ request: String, _ port: UInt16) async -> [UInt8] {
    let socket = Glibc.socket(
      AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard socket >= 0 else { return [] }
    defer { close(socket) }
    return await withTaskCancellationHandler {
      await DispatchQueue(label: "managed-identity").run { () -> [UInt8] in
        guard connect(socket, to: port), send(Array(request.utf8), to: socket) else { return [] }
        return receive(from: socket)
      }
    } onCancel: {
      _ = shutdown(socket, Int32(SHUT_RDWR))
    }
  }

  private static func connect(_ socket: Int32, to port: UInt16) -> Bool {
    var limit = timeval(tv_sec: longestWait, tv_usec: 0)
    for option in [SO_SNDTIMEO, SO_RCVTIMEO] {
      setsockopt(socket, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
    }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = in_addr_t(0x7f00_0001).bigEndian
    return withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
  }

  private static func send(_ bytes: [UInt8], to socket: Int32) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  private static func receive(from socket: Int32) -> [UInt8] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 16 << 10)
    while bytes.count < maximumAnswer {
      let count = read(socket, &buffer, buffer.count)
      guard count > 0 else { break }
      bytes += buffer[..<count]
    }
    return bytes
  }
}
