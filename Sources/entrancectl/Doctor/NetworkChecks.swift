import AuthCore
import Clients
import Connections
import CurlHTTP
import FoundationEssentials
import Glibc
import HTTPTypes
import Sentences

/// Checks of the way to the sign-in service.
struct NetworkChecks {
  /// Whose service it is; Microsoft's when there is no connection.
  let connection: Connection?

  /// How far the clock may be off, in seconds: Microsoft's services bear five minutes.
  private static let clockLimit = 300.0

  private var caFile: String? { connection?.application.caFile }
  private var authority: Authority { connection?.application.authority ?? .common }

  /// Looks whether the file of trusted certificate authorities can be read.
  func authorities() -> Finding {
    let bundles = [
      "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt",
      "/etc/ssl/ca-bundle.pem", "/etc/ssl/cert.pem",
    ]
    guard let path = caFile ?? bundles.first(where: { access($0, R_OK) == 0 }) else {
      return .problem(
        "certificateAuthorities",
        Sentence("This system has no file of trusted certificate authorities."),
        Sentence("Install the package {package}.", ["package": "ca-certificates"]))
    }
    let trust = Trust.file(path)
    if let problem = trust.problem {
      return .problem(
        "certificateAuthorities", problem,
        caFile == nil
          ? Sentence("Reinstall the package {package}.", ["package": "ca-certificates"])
          : Sentence("Correct 'caFile' of the app."))
    }
    return .ok(
      "certificateAuthorities",
      Sentence(
        "Certificate authorities: {number} in {path}",
        ["number": trust.certificateCount, "path": path]))
  }

  /// Looks which proxy leads to the sign-in service: the environment names one, or else the desktop's settings.
  func proxy() async -> Finding {
    let found = SystemProxy.variables.lazy.compactMap { name in
      ProcessEnvironment.variable(name).map { (name, $0) }
    }
    guard let (name, value) = found.first else {
      let chosen = await SystemProxy.lookUp(OpenIDConfiguration.url(for: authority))
      guard let chosen, !chosen.hasPrefix("direct:") else {
        return .absent("proxy", Sentence("No proxy is set (https_proxy)"))
      }
      return .ok(
        "proxy",
        Sentence(
          "Proxy: {proxy} (the desktop’s settings)", ["proxy": Self.place(ofProxy: chosen)]))
    }
    let exceptions =
      ProcessEnvironment.variable("no_proxy") ?? ProcessEnvironment.variable("NO_PROXY")
    let proxy = Self.place(ofProxy: value)
    return .ok(
      "proxy",
      exceptions.map {
        Sentence(
          "Proxy: {proxy} ({variable}), but not for {hosts}",
          ["proxy": proxy, "variable": name, "hosts": $0])
      } ?? Sentence("Proxy: {proxy} ({variable})", ["proxy": proxy, "variable": name]))
  }

  /// Looks whether the sign-in service answers, and agrees about the time.
  func signInService() async -> [Finding] {
    let client = connection.map { Client($0).transport } ?? Client.transport()
    let host = authority.environment
    let start = ContinuousClock.now
    let reply: HTTPReply
    do throws(HTTPError) {
      reply = try await client.execute(
        HTTPRequest(url: OpenIDConfiguration.url(for: authority)), body: Data(),
        limits: HTTPLimits(total: .seconds(15)))
    } catch {
      return [
        .problem("signInService", error.sentence, advice(error.code)),
        .absent(
          "clock", Sentence("The clock was not checked: the sign-in service does not respond")),
      ]
    }
    let time = start.duration(to: .now).components
    let milliseconds = time.seconds * 1000 + time.attoseconds / 1_000_000_000_000_000
    return [
      answer(reply.response.status.code)
        ?? .ok(
          "signInService",
          Sentence(
            "{host} responds ({time} ms)", ["host": host, "time": "\(milliseconds)"])),
      clock(reply.response.headerFields[.date], host),
    ]
  }

  /// What is wrong with an answer; nil when a sign-in can go on with it.
  private func answer(_ status: Int) -> Finding? {
    switch status {
    case 500...:
      Finding.problem(
        "signInService",
        Sentence(
          "{host} reports a server error (HTTP {status}).",
          ["host": authority.environment, "status": status]),
        Sentence("Wait a while and try again."))
    case 400, 404:
      Finding.problem(
        "signInService",
        Sentence(
          "The sign-in service does not know {authority} (HTTP {status}).",
          ["authority": "\(authority)", "status": status]),
        Sentence("Check 'authority' of the app."))
    default: nil
    }
  }

  private func clock(_ text: String?, _ host: String) -> Finding {
    let now = Date()
    guard let text, let date = HTTPDate.date(text, near: now) else {
      return .absent(
        "clock",
        Sentence("The clock was not checked: {host} does not report the time", ["host": host]))
    }
    let difference = now.timeIntervalSince(date)
    guard abs(difference) <= Self.clockLimit else {
      let seconds = Int(abs(difference))
      return .problem(
        "clock",
        difference > 0
          ? Sentence("This computer’s clock is {seconds} seconds fast.", ["seconds": seconds])
          : Sentence("This computer’s clock is {seconds} seconds slow.", ["seconds": seconds]),
        Sentence("Set the clock: 'timedatectl set-ntp true'."))
    }
    return .ok("clock", Sentence("The clock is correct"))
  }

  private func advice(_ code: HTTPError.Code) -> Sentence {
    switch code {
    case .tlsFailure:
      caFile == nil
        ? Sentence(
          "If a proxy inspects connections, install its certificate authority"
            + " ('update-ca-certificates'), or set it as 'caFile' of the app.")
        : Sentence("Check 'caFile' of the app.")
    case .proxyFailure:
      Sentence("Check https_proxy in the environment, or the desktop’s network settings.")
    default: Sentence("Check the network, the proxy, and 'authority' of the app.")
    }
  }

  /// A proxy's scheme, host and port; "…" stands for all else, which may be a password.
  private static func place(ofProxy url: String) -> String {
    let scheme = url.firstRange(of: "://").map { url[..<$0.upperBound] } ?? ""
    let rest = url.dropFirst(scheme.count)
    let authority = rest.prefix { !"/?#\\".contains($0) }
    let tail = rest.dropFirst(authority.count)
    let parts = authority.split(separator: "@", omittingEmptySubsequences: false)
    let host = parts.last ?? ""
    // With an "@" further back, what looks like the host can be half of a password.
    guard !tail.contains("@"), !host.isEmpty,
      (scheme + host).allSatisfy({
        $0.isASCII && ($0.isLetter || $0.isNumber || ".:/-_[]".contains($0))
      })
    else { return "…" }
    return scheme + (parts.count > 1 ? "…@" : "") + host + (tail.isEmpty || tail == "/" ? "" : "/…")
  }
}
