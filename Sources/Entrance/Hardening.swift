import Glibc
import SecretStore

/// What makes this process a worse place to steal secrets from.
enum Hardening {
  /// Variables that make a library write out TLS keys, open a debugger's port, weaken the sandbox of
  /// the web view or keep secrets elsewhere.
  ///
  /// A prefix ends in `*`.
  private static let unwelcome = [
    "SSLKEYLOGFILE", "WEBKIT_INSPECTOR_*", "WEBKIT_DISABLE_SANDBOX_*", "WEBKIT_DEBUG", "JSC_*",
    "GTK_DEBUG", "SECRET_BACKEND", "SECRET_FILE_TEST_*", "CURL_*",
  ]

  /// Cleans the environment, which child processes inherit, and closes this process to others.
  static func apply() {
    umask(0o077)
    ProcessMemory.forbidDumps()
    let removed = variables().filter(isUnwelcome).sorted()
    for name in removed { unsetenv(name) }
    // The web view's TLS still speaks the versions that RFC 8996 forbids, unless told otherwise.
    setenv("G_TLS_GNUTLS_PRIORITY", "NORMAL:-VERS-TLS1.0:-VERS-TLS1.1", 1)
    if !removed.isEmpty {
      printError("not used from the environment: \(removed.joined(separator: ", "))")
    }
  }

  private static func isUnwelcome(_ name: String) -> Bool {
    unwelcome.contains {
      $0.hasSuffix("*") ? name.hasPrefix($0.dropLast()) : name == $0
    }
  }

  private static func variables() -> [String] {
    var names: [String] = []
    var entry = environ
    while let text = entry.pointee {
      names.append(String(String(cString: text).prefix { $0 != "=" }))
      entry += 1
    }
    return names
  }
}
