import Gtk
import Localization

/// Asks for a file, in one dialog at a time.
@MainActor
final class FileChooser {
  private let showToast: @MainActor (String) -> Void
  /// The dialog that is open.
  private var dialog: FileDialog?

  /// - Parameter showToast: shows a short message.
  init(showToast: @escaping @MainActor (String) -> Void) {
    self.showToast = showToast
  }

  /// Forgets the dialog that is open.
  func close() { dialog = nil }

  /// Shows a dialog over `window`.
  ///
  /// - Parameters:
  ///   - suffixes: how the names of the files end that are offered at first; none for all files.
  ///   - name: what these files are.
  ///   - make: makes the dialog.
  ///   - proceed: gets the path that was chosen.
  func ask(
    over window: Window?, offering suffixes: [String] = [], called name: String = "",
    _ make: (Window) -> FileDialog, whenChosen proceed: @escaping @MainActor (String) -> Void
  ) {
    guard dialog == nil, let window else { return }
    let dialog = make(window)
    if !suffixes.isEmpty {
      dialog.offer(suffixes, called: name)
      dialog.offerAll(called: tr("All Files"))
    }
    self.dialog = dialog
    dialog.present { [weak self] choice in
      self?.dialog = nil
      switch choice {
      case .path(let path): proceed(path)
      case .remote: self?.showToast(tr("Only files on this computer can be used"))
      case .canceled: break
      }
    }
  }
}
