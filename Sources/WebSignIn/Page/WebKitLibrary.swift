import AuthCore
import CGio
import CWebKit
import Gtk
import Sentences

/// WebKit's functions; the first use loads the library.
let webkit = entrance_webkit_load()

/// Loads the library for ``webkit``.
enum WebKitLibrary {
  /// Loads the library, or throws when it is missing.
  static func load() throws(AuthenticationError) {
    finishLoadingModules()
    guard webkit.is_complete == 0 else { return }
    throw AuthenticationError(
      .webAuthenticationFailed,
      Sentence(
        "The sign-in page needs WebKitGTK. Install the package “{package}” and try again.",
        ["package": "libwebkitgtk-6.0-4"]))
  }

  /// Loads the library ahead of its use, on any thread.
  nonisolated static func prepare() {
    finishLoadingModules()
    _ = entrance_webkit_load()
  }

  /// Waits until no other thread loads a module of GIO.
  ///
  /// GLib loads modules under a lock of its own, and libsoup, one of WebKit's libraries, takes that lock while it
  /// is being loaded. So a thread that looks up its first proxy, and this one, would wait for each other forever.
  private nonisolated static func finishLoadingModules() {
    _ = g_proxy_resolver_get_default()
    _ = g_vfs_get_default()
  }
}
