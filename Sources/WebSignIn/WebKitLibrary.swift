import AuthCore
import CWebKit
import Gtk
import Sentences

/// WebKit's functions; the library is loaded when this is first used.
let webkit = entrance_webkit_load()

/// Looks after the library that ``webkit`` stands for.
enum WebKitLibrary {
  /// Loads the library, or says that it is not there.
  static func load() throws(AuthenticationError) {
    guard webkit.is_complete == 0 else { return }
    throw AuthenticationError(
      .webAuthenticationFailed,
      Sentence(
        "The sign-in page needs WebKitGTK. Install the package “{package}” and try again.",
        ["package": "libwebkitgtk-6.0-4"]))
  }
}
