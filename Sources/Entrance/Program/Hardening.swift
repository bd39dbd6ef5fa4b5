import AuthCore
import Glibc
import SecretStore
import Sentences

/// Protects this process's secrets.
enum Hardening {
  /// The environment variables that this program and its child processes keep; a prefix ends in
  /// `*`.
  ///
  /// Libraries have any number of variables that log TLS keys, open a debugger's port or weaken a
  /// sandbox. So only variables that a desktop program needs are kept.
  private static let kept = [
    // The user, language and time.
    "HOME", "USER", "LOGNAME", "SHELL", "PATH", "PWD", "TMPDIR", "LANG", "LANGUAGE", "LC_*",
    "LOCPATH", "TZ", "TZDIR",
    // The desktop, and its appearance and input.
    "XDG_*", "DISPLAY", "XAUTHORITY", "WAYLAND_DISPLAY", "WAYLAND_SOCKET", "DBUS_*", "DESKTOP_*",
    "AT_SPI_BUS_ADDRESS", "NO_AT_BRIDGE", "GDK_BACKEND", "GDK_SCALE", "GDK_DPI_SCALE",
    "GSK_RENDERER", "GTK_A11Y", "GTK_THEME", "GTK_IM_MODULE", "GTK_CSD", "XMODIFIERS", "XCURSOR_*",
    "IBUS_*",
    "ADW_DISABLE_PORTAL", "ADW_DEBUG_COLOR_SCHEME", "ADW_DEBUG_HIGH_CONTRAST", "GSETTINGS_BACKEND",
    "GSETTINGS_SCHEMA_DIR", "KDE_FULL_SESSION", "KDE_SESSION_VERSION", "GNOME_DESKTOP_SESSION_ID",
    "LIBGL_ALWAYS_SOFTWARE", "WEBKIT_DISABLE_COMPOSITING_MODE", "WEBKIT_DISABLE_DMABUF_RENDERER",
    "G_DEBUG", "BROWSER",
    // The network, and single sign-on.
    "http_proxy", "https_proxy", "ftp_proxy", "all_proxy", "no_proxy", "HTTP_PROXY", "HTTPS_PROXY",
    "FTP_PROXY", "ALL_PROXY", "NO_PROXY", "KRB5CCNAME", "KRB5_CONFIG",
    // The paths of programs and libraries, as set by other packagings.
    "ENTRANCE_*", "LD_LIBRARY_PATH", "GIO_MODULE_DIR", "GIO_EXTRA_MODULES",
    "GDK_PIXBUF_MODULE_FILE", "GDK_PIXBUF_MODULEDIR", "FONTCONFIG_FILE", "FONTCONFIG_PATH",
    "CREDENTIALS_DIRECTORY", "FLATPAK_*",
    // Crash reports of Swift, and test builds.
    "SWIFT_BACKTRACE", "LLVM_PROFILE_FILE", "ASAN_OPTIONS", "LSAN_OPTIONS", "TSAN_OPTIONS",
  ]

  /// Removed variables that someone set on purpose, and is warned about.
  private static let reported = [
    "SSLKEYLOGFILE", "GNUTLS_*", "WEBKIT_*", "JSC_*", "GTK_DEBUG", "GDK_DEBUG", "G_MESSAGES_DEBUG",
    "SECRET_*", "CURL_*",
  ]

  /// Cleans the environment, which child processes inherit, and prevents core dumps.
  ///
  /// - Returns: the removed variables that someone set on purpose.
  static func apply() -> [String] {
    ProcessMemory.forbidDumps()
    // Outside a Snap package, they would turn the web view's sandbox off.
    let kept = PageSandbox.current == .snap ? kept + ["SNAP", "SNAP_*"] : kept
    let removed = variables().filter { !matches($0, kept) }
    for name in removed { unsetenv(name) }
    // By default, the web view's TLS still accepts the versions that RFC 8996 forbids.
    setenv("G_TLS_GNUTLS_PRIORITY", "NORMAL:-VERS-TLS1.0:-VERS-TLS1.1", 1)
    return removed.filter { matches($0, reported) }.sorted()
  }

  /// Warns about the removed variables, and starts this program again: its linked libraries read
  /// some of them before `main`.
  ///
  /// The variables are removed by then, so this happens only once.
  static func restart(without ignored: [String]) {
    printError(
      Sentence(
        "ignored environment variables: {names}", ["names": ignored.joined(separator: ", ")]))
    var path = [CChar](repeating: 0, count: Int(PATH_MAX))
    guard readlink("/proc/self/exe", &path, path.count - 1) > 0 else { return }
    execv(path, CommandLine.unsafeArgv)
  }

  private static func matches(_ name: String, _ patterns: [String]) -> Bool {
    patterns.contains {
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
