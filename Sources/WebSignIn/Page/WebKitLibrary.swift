import AuthCore
import CWebKit
import Gtk
import Sentences

/// WebKit's functions; the first use loads the library.
let webkit = entrance_webkit_load()

/// Loads the library for ``webkit``.
enum WebKitLibrary {
  /// Loads the library, or throws when it is missing.
  static func load() throws(AuthenticationError) {
    guard webkit.is_complete == 0 else { return }
    throw AuthenticationError(
      .webAuthenticationFailed,
      Sentence(
        "The sign-in page needs WebKitGTK. Install the package “{package}” and try again.",
        ["package": "libwebkitgtk-6.0-4"]))
  }

  /// Loads the library ahead of its use, on any thread.
  nonisolated static func prepare() {
    _ = entrance_webkit_load()
  }
}
