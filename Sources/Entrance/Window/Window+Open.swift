import Gio
import Gtk
import Localization

extension Window {
  /// Opens a web page with the desktop's program for it, or says that there is none.
  func open(page address: String) {
    open(
      address, orSay: tr("No program was found that opens {address}.", ["address": address]))
  }

  /// Opens the file at `path` with the desktop's program for it, or says that there is none.
  func open(file path: String) {
    open(
      Self.uri(ofFile: path),
      orSay: tr("No program was found that opens {path}.", ["path": path]))
  }

  /// Opens `uri` with the desktop's program for it, or says `text` in a message.
  func open(_ uri: String, orSay text: String) {
    Task {
      do throws(GLibError) {
        try await show(uri: uri)
      } catch {
        // The window may be closed by now.
        guard !error.isCancelled, isMapped else { return }
        let dialog = MessageDialog(title: tr("Nothing Was Opened"), text: text)
        dialog.addAnswer("close", tr("_Close"))
        dialog.setAnswers(forEnter: "close", forEscape: "close")
        dialog.ask(over: self, for: "close") {}
      }
    }
  }
}
