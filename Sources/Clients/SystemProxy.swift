import CGio
import Dispatch
import Glibc

/// The proxy that the desktop's network settings choose.
public enum SystemProxy {
  /// Calls block, and one that waits for a script to be fetched holds up no other.
  private static let queue = DispatchQueue(label: "system-proxy", attributes: .concurrent)
  /// The environment's variables that name a proxy, the first of which counts.
  public static let variables = ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]

  /// Looks up the proxy for a URL.
  ///
  /// - Returns: the proxy's URL, or `direct://` for none; nil when the environment names a proxy, which
  ///   then counts, or when the settings cannot be read.
  public static func lookUp(_ url: String) async -> String? {
    guard !variables.contains(where: { getenv($0) != nil }) else { return nil }
    return await withCheckedContinuation { continuation in
      queue.async { continuation.resume(returning: choose(url)) }
    }
  }

  private static func choose(_ url: String) -> String? {
    guard let resolver = g_proxy_resolver_get_default(),
      let proxies = g_proxy_resolver_lookup(resolver, url, nil, nil)
    else { return nil }
    defer { g_strfreev(proxies) }
    return proxies[0].map { String(cString: $0) }
  }
}
