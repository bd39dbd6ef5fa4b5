import EntranceKit
import Gtk
import Localization

/// The requests of files: the list of them, and where the request of the page is kept.
@MainActor
final class SavedList {
  /// The list.
  let widget: Widget
  /// Where the request of the page is kept.
  let stateBox: Widget
  /// Called when a request was chosen.
  var whenChosen: @MainActor () -> Void = {}
  /// Called when the list is to be shown.
  var show: @MainActor () -> Void = {}

  private let emptyLabel: Label
  /// What is said while no file is open.
  private let noFilesText: String
  private let stateLabel: Label
  private let saveButton: Button
  private let showToast: @MainActor (String) -> Void
  private let chooser: FileChooser
  private var items: ListItems<SavedRow>?
  private weak var model: ExplorerModel?
  private var observers: [Observer?] = []
  /// One for each open file.
  private var monitors: [String: FileMonitor] = [:]

  /// - Parameter showToast: shows a short message.
  init(showToast: @escaping @MainActor (String) -> Void) {
    let builder = Builder(interface: "explorer-saved")
    widget = builder.object("page")
    stateBox = builder.object("saved_state")
    emptyLabel = builder.object("empty_label")
    noFilesText = emptyLabel.text
    stateLabel = builder.object("saved_state_label")
    saveButton = builder.object("save_button")
    self.showToast = showToast
    chooser = FileChooser(showToast: showToast)
    let view: ListView = builder.object("saved")
    let fileButtons: Box = builder.object("file_buttons")
    // A narrow window must not become wider.
    fileButtons.shortenLabels()
    fileButtons.layOutAsButtonRow()
    items = ListItems(in: view) { [weak self] in
      SavedRow {
        self?.model?.addRequest(to: $0)
      } close: {
        self?.model?.files.close($0)
      }
    } show: { [weak self] row, index in
      if let rows = self?.model?.files.rows, rows.indices.contains(index) { row.show(rows[index]) }
    }
    view.onActivate { [weak self] in self?.take($0) }
  }

  /// Shows the files of `model` from now on.
  func follow(_ model: ExplorerModel?) {
    self.model = model
    observers = [
      model?.files.changes.add { [weak self] in self?.draw() },
      model?.messages.add { [weak self] in self?.showToast($0) },
      model?.imports.add { [weak self] in self?.save($0) },
      model?.replacements.add { [weak self] _ in self?.markOpenRow() },
    ]
    draw()
  }

  /// Whether the search lets nothing of the files through.
  var findsNothing: Bool {
    guard let files = model?.files else { return false }
    return files.rows.isEmpty && !files.paths.isEmpty
  }

  /// Shows only what contains `text`.
  func search(_ text: String) { model?.files.search = text }

  /// Takes the first request that the search lets through.
  func takeFirst() {
    guard let model, !model.files.search.isEmpty,
      let index = model.files.rows.firstIndex(where: { $0.index != nil })
    else { return }
    take(index)
  }

  private func take(_ index: Int) {
    guard let model, model.files.rows.indices.contains(index) else { return }
    if model.files.rows[index].index != nil {
      whenChosen()
      model.choose(model.files.rows[index])
    }
    // One that is not opened keeps no mark.
    markOpenRow()
  }

  private func markOpenRow() { items?.selected = model?.openRow }

  /// Opens or imports files that are dropped on `widget`.
  func takeDrops(on widget: Widget) {
    _ = FileDrop(on: widget) { [weak self] in self?.takeDrop($0) ?? false }
  }

  private func takeDrop(_ paths: [String]) -> Bool {
    guard let model, model.state.account != nil, !paths.isEmpty else { return false }
    let own = paths.filter { path in Self.suffixes.contains { path.hasSuffix(".\($0)") } }
    open(own)
    let others = paths.filter { !own.contains($0) }
    if let first = others.first { model.importFile(first) }
    if others.count > 1 { showToast(tr("One file can be imported at a time.")) }
    return true
  }

  private func open(_ paths: [String]) {
    guard let model, !paths.isEmpty else { return }
    for path in paths.prefix(Preferences.mostRequestFiles) { model.files.open(path) }
    show()
  }

  /// Has the person choose where imported requests are saved.
  private func save(_ imported: ExplorerImport) {
    ask {
      FileDialog(over: $0, title: tr("Save Imported Requests"), name: imported.fileName)
    } whenChosen: { [weak self] path in
      self?.model?.save(imported, as: path)
      self?.show()
    }
  }

  // MARK: Actions

  /// The actions of its buttons and shortcuts.
  var actions: [Action] { [openFile, importFile, save, saveAs] }

  private lazy var openFile = Action("open-requests") { [weak self] in
    self?.ask {
      FileDialog(over: $0, title: tr("Open Requests"))
    } whenChosen: {
      self?.open([$0])
    }
  }
  private lazy var importFile = Action("import-requests") { [weak self] in
    self?.ask(
      ["json", "har", "sh", "txt"],
      called: tr("Postman Collections, Graph Explorer Samples, HAR Files, and curl Commands")
    ) {
      FileDialog(over: $0, title: tr("Import Requests"))
    } whenChosen: {
      self?.model?.importFile($0)
    }
  }
  private lazy var save = Action("save-request") { [weak self] in
    guard let self, let model else { return }
    if model.state.saved == nil { saveAs.activate() } else { model.save() }
  }
  private lazy var saveAs = Action("save-request-as") { [weak self] in
    self?.ask {
      FileDialog(over: $0, title: tr("Save Request"), name: "requests.http")
    } whenChosen: {
      self?.model?.save(as: $0)
    }
  }

  /// How the names of files of requests end.
  private static let suffixes = ["http", "rest"]

  /// Has the person choose a file.
  private func ask(
    _ suffixes: [String] = suffixes, called name: String = tr("Request Files"),
    _ make: (Window) -> FileDialog, whenChosen: @escaping @MainActor (String) -> Void
  ) {
    guard model?.state.account != nil else { return }
    chooser.ask(
      over: stateBox.window ?? widget.window, offering: suffixes, called: name, make,
      whenChosen: whenChosen)
  }

  // MARK: Drawing

  private func draw() {
    let paths = model?.files.paths ?? []
    monitors = monitors.filter { paths.contains($0.key) }
    for path in paths where monitors[path] == nil {
      monitors[path] = FileMonitor(path) { [weak self] in self?.model?.files.reload(path) }
    }
    items?.replace(count: model?.files.rows.count ?? 0)
    markOpenRow()
    emptyLabel.show(
      ifAny: findsNothing ? tr("No Results Found") : paths.isEmpty ? noFilesText : nil)
  }

  /// Shows where the request of the page is kept.
  func show(_ saved: ExplorerState.Saved?) {
    let text = saved?.text ?? ""
    if stateLabel.text != text { stateLabel.text = text }
    stateLabel.tooltip = saved == nil ? nil : text
    let isWarning = saved?.isConflict == true || saved?.isUnreadable == true
    stateLabel.set(styleClass: "warning", to: isWarning)
    stateLabel.set(styleClass: "dim-label", to: !isWarning)
    saveButton.isVisible = saved?.isEdited == true || saved?.isConflict == true
  }
}

/// A line of the list: a file, or one of its requests.
@MainActor
final class SavedRow: ListRow {
  let widget: Widget
  private(set) var accessibleLabel = ""

  private let labels = RequestLabels()
  private let addButton = Button(icon: "list-add-symbolic", name: tr("Add Request to File"))
  private let closeButton = Button(icon: "window-close-symbolic", name: tr("Close File"))
  private var path = ""

  /// - Parameters:
  ///   - add: gets the path of a file that the page's request is to be added to.
  ///   - close: gets the path of a file that the person closes.
  init(
    add: @escaping @MainActor (String) -> Void, close: @escaping @MainActor (String) -> Void
  ) {
    labels.column.expandHorizontally()
    let row = Box(row: [labels.column, addButton, closeButton], spacing: 6)
    widget = row
    row.set(styleClass: "activity-row", to: true)
    row.hideRepeatingTooltip()
    addButton.onClick { [weak self] in if let self { add(path) } }
    closeButton.onClick { [weak self] in if let self { close(path) } }
  }

  /// Shows a file or a request.
  func show(_ row: ExplorerFiles.Row) {
    path = row.path
    labels.title.text = row.title
    labels.details.text = row.details
    labels.title.set(styleClass: "heading", to: row.index == nil)
    labels.details.set(styleClass: "dim-label", to: !row.hasProblem)
    labels.details.set(styleClass: "error", to: row.hasProblem)
    // It is to be read without a pointer, too.
    labels.details.wrap(upTo: row.hasProblem ? 3 : 1)
    for button in [addButton, closeButton] { button.isVisible = row.index == nil }
    addButton.show(
      icon: "list-add-symbolic", name: tr("Add Request to {file}", ["file": row.title]))
    closeButton.show(
      icon: "window-close-symbolic", name: tr("Close {file}", ["file": row.title]))
    widget.tooltip = row.tooltip
    accessibleLabel = "\(row.title), \(row.details)"
  }
}
