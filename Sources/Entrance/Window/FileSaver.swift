import AuthCore
import CurlHTTP
import Dispatch
import FoundationEssentials
import Gtk
import Localization

/// Saves what a page shows in files that the person chooses.
@MainActor
final class FileSaver {
  private let widget: Widget
  private let showToast: @MainActor (String) -> Void
  private let chooser: FileChooser

  /// - Parameters:
  ///   - widget: is in the window that dialogs are shown over.
  ///   - showToast: shows a short message.
  init(over widget: Widget, showToast: @escaping @MainActor (String) -> Void) {
    (self.widget, self.showToast) = (widget, showToast)
    chooser = FileChooser(showToast: showToast)
  }

  /// Forgets the dialog that is open.
  func close() { chooser.close() }

  /// Asks for a file.
  func choose(
    _ title: String, _ name: String, _ proceed: @escaping @MainActor (String) -> Void
  ) {
    chooser.ask(
      over: widget.window, { FileDialog(over: $0, title: title, name: name) }, whenChosen: proceed)
  }

  /// Saves what `make` makes, which may take its time, in a file that the person chooses.
  ///
  /// - Parameter message: makes what is said then of the path of the file.
  func save(
    _ title: String, _ name: String, saying message: @escaping @MainActor (String) -> String,
    _ make: @escaping @Sendable () -> Data
  ) {
    choose(title, name) { [weak self] in self?.write(to: $0, saying: message($0), make) }
  }

  /// Writes what `make` makes, and says `message` when that is done.
  func write(to path: String, saying message: String, _ make: @escaping @Sendable () -> Data) {
    Task {
      do throws(StorageFailure) {
        try await DispatchQueue.global(qos: .userInitiated).run { () throws(StorageFailure) in
          _ = try PrivateFile(path: SymbolicLink.target(of: path)).write(Array(make()))
        }
        showToast(message)
      } catch {
        showToast(tr("The file could not be saved: {reason}", ["reason": error.reason]))
      }
    }
  }
}
