import CGtk

/// The proxy that the desktop's network settings choose.
@MainActor
public enum SystemProxy {
  /// Looks up the proxy for a URL.
  ///
  /// - Returns: the proxy's URL, or `direct://` for none; nil when the environment names a proxy, which
  ///   then counts, or when the settings cannot be read.
  public static func lookUp(_ url: String) async -> String? {
    let variables = ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]
    let isInEnvironment = variables.contains { name in g_getenv(name) != nil }
    guard !isInEnvironment, let resolver = g_proxy_resolver_get_default() else { return nil }
    let proxies = try? await awaitOperation { cancellable, ready, data in
      g_proxy_resolver_lookup_async(resolver, url, cancellable, ready, data)
    } finish: { result, error -> String? in
      guard let list = g_proxy_resolver_lookup_finish(resolver, result, &error) else { return nil }
      defer { g_strfreev(list) }
      return list[0].map { String(cString: $0) }
    }
    return proxies ?? nil
  }
}
