import Connections
import EntranceKit
import Gtk
import Localization

/// *Access by Programs*: shows a ``ProgramsModel``.
@MainActor
final class ProgramsWindow: Presentable {
  let window: Window
  private let announcer: WindowAnnouncer
  private let model: ProgramsModel
  private let preferences: Preferences
  private let list: ListBox
  private let emptyLabel: Label
  private let faultBox: Box
  private let faultLabel: Label
  private let problemLabel: Label
  private let policyRow: ComboRow
  private let toasts: ToastOverlay
  private var rows: [ProgramRowView] = []
  private lazy var installed = InstalledPrograms()
  private var observers: [Observer] = []
  private var monitor: FileMonitor?

  /// Makes the window; it is not shown yet.
  init(_ preferences: Preferences) {
    self.preferences = preferences
    model = ProgramsModel(
      ProgramList(path: EntranceIdentity.programsPath), preferences: preferences)
    let builder = Builder(interface: "programs-window")
    window = builder.dialog()
    announcer = WindowAnnouncer(window: window)
    let policyGroup: PreferencesGroup = builder.object("policy_group")
    // Its description comes first, and a screen reader would not read it.
    if let text = policyGroup.visibleTexts.first { announcer.announce(text) }
    list = builder.object("list")
    emptyLabel = builder.object("empty_label")
    faultBox = builder.object("fault_box")
    faultLabel = builder.object("fault_label")
    problemLabel = builder.object("problem_label")
    policyRow = builder.object("policy_row")
    toasts = builder.object("toast_overlay")
    policyRow.setChoices(ProgramPolicy.allCases.map(\.label))
    if preferences.isLocked(.programPolicy) {
      policyRow.lock(tr("Set by your administrator"))
    }
    drawPolicy()
    policyRow.onChange { [weak self] in
      guard let self, ProgramPolicy.allCases.indices ~= policyRow.selected else { return }
      self.preferences.programPolicy = ProgramPolicy.allCases[policyRow.selected]
    }
    observers = [
      preferences.changes.add { [weak self] key in
        if key == .programPolicy { self?.drawPolicy() }
      },
      model.changes.add { [weak self] in self?.show($0) },
      model.removals.add { [weak self] in self?.offerUndo($0.0, $0.1) },
    ]
    window.insert(
      ActionGroup([
        Action("open-file") { [weak self] in
          guard let self, let problem = model.state.problem else { return }
          window.open(file: problem.path)
        }
      ]), as: "programs")
    monitor = FileMonitor(EntranceIdentity.programsPath) { [weak self] in self?.model.reload() }
    // The copy of a damaged list is another file.
    window.onForeground { [weak self] in self?.model.reload() }
  }

  func begin() { model.reload() }

  private func drawPolicy() {
    policyRow.selected = ProgramPolicy.allCases.firstIndex(of: preferences.programPolicy) ?? 0
  }

  private func offerUndo(_ row: ProgramRow, _ undo: @escaping @MainActor () -> Void) {
    let name = installed[row.program]?.name ?? row.title
    toasts.show(Toast(tr("“{name}” removed", ["name": name]), undo: undo))
  }

  private func show(_ state: ProgramsModel.State) {
    let focused = ([list, faultBox] as [Widget]).first { $0.containsFocus }
    // Before the label in it, or screen readers would not notice that this appears.
    faultBox.isVisible = state.problem != nil
    faultLabel.show(problem: state.problem?.text)
    problemLabel.show(problem: state.hasFailed ? tr("The change could not be saved.") : nil)
    emptyLabel.isVisible = state.isRead && state.rows.isEmpty && state.problem == nil
    list.isVisible = !state.rows.isEmpty
    if focused?.isVisible == false { policyRow.grabFocus() }
    let shown = Dictionary(rows.map { ($0.id, $0) }) { first, _ in first }
    // The same widgets, so that what is expanded stays so.
    let next = state.rows.map { shown[$0.id] ?? ProgramRowView($0.id, installed[$0.id], model) }
    for (view, row) in zip(next, state.rows) { view.show(row) }
    guard next.map(\.id) != rows.map(\.id) else { return }
    rows = next
    list.show(next.map(\.widget))
  }
}
