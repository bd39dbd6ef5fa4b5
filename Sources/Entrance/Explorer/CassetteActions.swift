import EntranceKit
import Gtk
import Localization

/// Records what is exchanged, and opens recordings, in files that the person chooses.
@MainActor
final class CassetteActions {
  /// Gives the focus to the page, because the button that had it is gone.
  var focus: @MainActor () -> Void = {}

  private let widget: Widget
  private let chooser: FileChooser
  private weak var model: ExplorerModel?

  /// - Parameters:
  ///   - widget: is in the window that dialogs are shown over.
  ///   - showToast: shows a short message.
  init(over widget: Widget, showToast: @escaping @MainActor (String) -> Void) {
    self.widget = widget
    chooser = FileChooser(showToast: showToast)
  }

  /// Says that a recording answers.
  private(set) lazy var bar = CassetteBar(tr("Stop Replaying")) { [weak self] in
    self?.model?.stopReplaying()
    self?.focus()
  }

  /// Records and replays for `model` from now on.
  func follow(_ model: ExplorerModel?) {
    self.model = model
    chooser.close()
  }

  /// Shows what is replayed.
  ///
  /// - Returns: whether that was not said before.
  func show(_ state: ExplorerState) -> Bool {
    record.isEnabled = state.canRecord
    return bar.show(state.replay)
  }

  /// The actions of the menu.
  var actions: [Action] { [record, open] }

  private lazy var record = Action("record") { [weak self] in
    self?.ask {
      FileDialog(over: $0, title: tr("Record"), name: "recording.har")
    } whenChosen: {
      self?.model?.record(to: $0)
    }
  }
  private lazy var open = Action("open-recording") { [weak self] in
    self?.ask {
      FileDialog(over: $0, title: tr("Open Recording"))
    } whenChosen: {
      self?.model?.openRecording($0)
    }
  }

  private func ask(
    _ make: (Window) -> FileDialog, whenChosen: @escaping @MainActor (String) -> Void
  ) {
    chooser.ask(
      over: widget.window, offering: ["har"], called: tr("Recordings"), make,
      whenChosen: whenChosen)
  }
}
