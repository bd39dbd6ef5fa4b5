import CGio
import CurlHTTP
import Dispatch
import Gio
import Glibc

/// The proxy from the desktop's network settings.
public enum SystemProxy {
  /// Concurrent, because calls block: one that waits for a proxy script must not delay the others.
  private static let queue = DispatchQueue(label: "system-proxy", attributes: .concurrent)
  /// The environment variables that can name a proxy, in order of precedence.
  public static let variables = CurlClient.proxyVariables

  /// Looks up the proxy for a URL.
  ///
  /// - Returns: the proxy's URL, or `direct://` for no proxy; nil when the environment names a
  ///   proxy, which takes precedence, or when the settings cannot be read.
  public static func lookUp(_ url: String) async -> String? {
    guard !variables.contains(where: { getenv($0) != nil }) else { return nil }
    return await Cancellable.run(on: queue) { choose(url, $0) }
  }

  private static func choose(_ url: String, _ cancellable: Cancellable) -> String? {
    guard let resolver = g_proxy_resolver_get_default(),
      let proxies = g_proxy_resolver_lookup(resolver, url, cancellable.pointer, nil)
    else { return nil }
    defer { g_strfreev(proxies) }
    return proxies[0].map { String(cString: $0) }
  }
}
