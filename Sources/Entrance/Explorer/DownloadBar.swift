import EntranceKit
import Gtk
import Localization

/// The bar of a download: how much was received, and a button that pauses it or goes on.
@MainActor
final class DownloadBar {
  /// The widget.
  let widget: Box
  private let label: Label
  private let button: Button
  private let announce: @MainActor (String) -> Void

  private weak var model: ExplorerModel?
  private var work: ExplorerState.Work?

  /// Creates a bar without a download.
  ///
  /// - Parameter announce: has a screen reader say a text.
  init(announce: @escaping @MainActor (String) -> Void) {
    self.announce = announce
    let builder = Builder(interface: "explorer-download")
    widget = builder.object("bar")
    label = builder.object("label")
    button = builder.object("button")
    draw()
  }

  /// The action of its button.
  var actions: [Action] { [pause] }

  private lazy var pause = Action("pause-download") { [weak self] in
    guard let self, work?.progressText != nil else { return }
    if work?.isPaused == true { model?.resumeDownload() } else { model?.pauseDownload() }
  }

  /// Shows the downloads of `model` from now on.
  func follow(_ model: ExplorerModel?) {
    self.model = model
    show(nil)
  }

  /// Shows how far a download is; nothing of other work.
  func show(_ work: ExplorerState.Work?) {
    guard work != self.work else { return }
    let old = self.work
    self.work = work
    draw()
    // What follows is said only on request.
    guard let work, let text = work.spokenText else { return }
    let isResumed = old?.isPaused == true && !work.isPaused
    let waits = work.isWaiting && old?.isWaiting != true
    let isNewPause = work.isPaused && text != old?.spokenText
    if isResumed || waits || isNewPause { announce(text) }
  }

  private func draw() {
    let text = work?.progressText
    widget.isVisible = text != nil
    label.text = text ?? ""
    pause.isEnabled = text != nil
    button.setLabel(mnemonic: work?.isPaused == true ? tr("Resume") : tr("Pause"))
  }
}
