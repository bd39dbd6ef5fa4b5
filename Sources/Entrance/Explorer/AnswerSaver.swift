import AuthCore
import CurlHTTP
import Dispatch
import FoundationEssentials
import Gtk
import Localization

/// Saves what the Explorer's answer has in files that the person chooses.
@MainActor
final class AnswerSaver {
  private let widget: Widget
  private let showToast: @MainActor (String) -> Void
  /// The dialog that is open.
  private var dialog: FileDialog?

  /// - Parameters:
  ///   - widget: is in the window that dialogs are shown over.
  ///   - showToast: shows a short message.
  init(over widget: Widget, showToast: @escaping @MainActor (String) -> Void) {
    (self.widget, self.showToast) = (widget, showToast)
  }

  /// Forgets the dialog that is open.
  func close() { dialog = nil }

  /// Asks for a file.
  func choose(
    _ title: String, _ name: String, _ proceed: @escaping @MainActor (String) -> Void
  ) {
    guard dialog == nil, let window = widget.window else { return }
    let dialog = FileDialog(over: window, title: title, name: name)
    self.dialog = dialog
    dialog.present { [weak self] path in
      self?.dialog = nil
      if let path { proceed(path) }
    }
  }

  /// Saves what `make` makes, which may take its time, in a file that the person chooses.
  func save(_ title: String, _ name: String, _ make: @escaping @Sendable () -> Data) {
    choose(title, name) { [weak self] in self?.write(to: $0, make) }
  }

  private func write(to path: String, _ make: @escaping @Sendable () -> Data) {
    Task {
      do throws(StorageFailure) {
        try await DispatchQueue.global(qos: .userInitiated).run { () throws(StorageFailure) in
          _ = try PrivateFile(path: path).write(Array(make()))
        }
        showToast(tr("Saved"))
      } catch {
        showToast(tr("The file could not be saved: {reason}", ["reason": error.reason]))
      }
    }
  }
}
