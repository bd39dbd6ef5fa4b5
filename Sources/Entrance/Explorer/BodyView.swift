import EntranceKit
import Gtk
import Localization

/// The body of the request: a text, or a file in its place.
@MainActor
final class BodyView {
  /// The widget.
  let widget: Widget
  /// Called when the text has changed.
  var onChange: @MainActor () -> Void = {}

  private let textPlace: Widget
  private let textView: TextView
  private let fileRow: Widget
  private let nameLabel: Label
  private let detailsLabel: Label
  private let removeButton: Button
  private let problemLabel: Label
  private let chooser: FileChooser
  private let showToast: @MainActor (String) -> Void
  private let announce: @MainActor (String) -> Void
  private weak var model: ExplorerModel?
  /// Follows the file by this path; nil without one.
  private var monitor: (path: String, monitor: FileMonitor)?
  /// The file that is shown.
  private var file: ExplorerState.BodyFile?

  /// Creates a view of an empty text.
  ///
  /// - Parameters:
  ///   - showToast: shows a short message.
  ///   - announce: has a screen reader say a text.
  init(
    showToast: @escaping @MainActor (String) -> Void,
    announce: @escaping @MainActor (String) -> Void
  ) {
    let builder = Builder(interface: "explorer-body")
    widget = builder.object("body")
    textPlace = builder.object("text_place")
    textView = builder.object("body_view")
    fileRow = builder.object("file_row")
    nameLabel = builder.object("name_label")
    detailsLabel = builder.object("details_label")
    removeButton = builder.object("remove_button")
    problemLabel = builder.object("body_problem_label")
    chooser = FileChooser(showToast: showToast)
    (self.showToast, self.announce) = (showToast, announce)
    // JSON is written left to right in every language.
    textView.isRightToLeft = false
    textView.setAccessibleLabel(tr("Body"))
    textView.buffer.onChange { [weak self] in self?.onChange() }
    removeButton.onClick { [weak self] in self?.model?.removeFile() }
    // The text would take the names of the files, and the page would import them.
    _ = FileDrop(on: widget, beforeChildren: true) { [weak self] in
      self?.takeDrop($0) ?? false
    }
  }

  /// Shows the body of the request of `model` from now on.
  func follow(_ model: ExplorerModel?) {
    self.model = model
    chooser.close()
  }

  /// The text.
  var text: String { textView.buffer.text }

  /// Shows another text, which the person did not type.
  func show(_ text: String) { if textView.buffer.text != text { textView.buffer.set(text) } }

  /// *Body From File…*.
  private(set) lazy var useFile = Action("use-body-file") { [weak self] in
    guard let self, model?.state.account != nil else { return }
    chooser.ask(over: widget.window) {
      FileDialog(over: $0, title: tr("Body From File"))
    } whenChosen: { [weak self] in
      self?.model?.useFile($0)
    }
  }

  private func takeDrop(_ paths: [String]) -> Bool {
    guard let model, model.state.account != nil, let path = paths.first else { return false }
    guard paths.count == 1 else {
      showToast(tr("The body can be only one file."))
      return true
    }
    model.useFile(path)
    return true
  }

  /// Shows the file in place of the text, if there is one, and what is wrong.
  func show(_ state: ExplorerState) {
    problemLabel.show(ifAny: state.bodyProblem)
    followFile()
    guard state.bodyFile != file else { return }
    let (old, hadFocus) = (file, textView.hasFocus || removeButton.hasFocus)
    file = state.bodyFile
    textPlace.isVisible = file == nil
    fileRow.isVisible = file != nil
    nameLabel.text = file?.name ?? ""
    fileRow.tooltip = file?.path
    detailsLabel.text = file?.details ?? ""
    removeButton.setAccessibleDescription(file?.name ?? "")
    // What had it is gone.
    if hadFocus, old == nil { removeButton.grabFocus() }
    if hadFocus, file == nil { textView.grabFocus() }
    if let file, file.path != old?.path { announce(file.name) }
  }

  /// Looks at the file again when another program has changed it.
  private func followFile() {
    let path = model?.request.bodyFile
    guard path != monitor?.path else { return }
    monitor = path.map { path in
      (path: path, monitor: FileMonitor(path) { [weak self] in self?.model?.checkFile() })
    }
  }
}
