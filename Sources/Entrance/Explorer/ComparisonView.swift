import EntranceKit
import Gtk
import Localization

/// What differs between the Explorer's answer and one that was kept: a bar and a list.
@MainActor
final class ComparisonView {
  /// Says what is compared; hidden while nothing is.
  let bar: Box
  /// The differences.
  let list: Widget
  /// Called when the list is to be offered or not.
  var onChange: @MainActor () -> Void = {}
  /// Called when the list is to be shown, because the person has asked for it.
  var onRequest: @MainActor () -> Void = {}
  private let keptLabel: Label
  private let resultLabel: Label
  private let listView: ListView
  private var items: ListItems<DifferenceRow>?

  private let accountMenu: Menu
  /// The accounts in the menu.
  private var others: [AccountRow] = []

  private var model: ExplorerComparison?
  private var observers: [Observer?] = []
  private var state: ExplorerComparison.State { model?.state ?? .init() }

  private let announce: @MainActor (String) -> Void
  /// The answer of which a screen reader has said that it is kept.
  private var saidKept: String?
  /// What a screen reader is to say.
  private var news: String?

  /// Creates a view that compares nothing.
  ///
  /// - Parameters:
  ///   - accountMenu: gets the accounts to compare with.
  ///   - announce: has a screen reader say a text.
  init(accountMenu: Menu, announce: @escaping @MainActor (String) -> Void) {
    (self.accountMenu, self.announce) = (accountMenu, announce)
    let builder = Builder(interface: "explorer-differences")
    bar = builder.object("bar")
    list = builder.object("scroller")
    keptLabel = builder.object("kept_label")
    resultLabel = builder.object("result_label")
    listView = builder.object("list")
    items = ListItems(in: listView) {
      DifferenceRow()
    } show: { [weak self] row, index in
      guard let rows = self?.state.rows, rows.indices.contains(index) else { return }
      row.show(rows[index])
    }
  }

  /// Whether there are differences, or may be soon: who looks at them sees those of the next answer.
  var isOffered: Bool { !state.rows.isEmpty || state.isSearching }

  /// The actions of its buttons.
  var actions: [Action] { [keep, compareAccount, compareVersion, stop] }

  /// *Keep for Comparison*.
  private lazy var keep = Action("keep") { [weak self] in self?.model?.keep() }
  private lazy var compareAccount = Action("compare-account", parameter: String.self) {
    [weak self] in
    guard let self, let index = Int($0), others.indices.contains(index) else { return }
    model?.compare(with: others[index])
  }
  private lazy var compareVersion = Action("compare-version") { [weak self] in
    self?.model?.compareWithOtherVersion()
  }
  private lazy var stop = Action("stop-comparing") { [weak self] in self?.model?.stop() }

  /// Compares the answers of `model` from now on.
  func follow(_ model: ExplorerModel?) {
    self.model = model.map { ExplorerComparison($0) }
    observers = [
      self.model?.changes.add { [weak self] _ in
        self?.draw()
        self?.takeNews()
      },
      self.model?.requests.add { [weak self] in self?.onRequest() },
    ]
    (saidKept, news) = (nil, nil)
    draw()
  }

  /// Follows what can be compared.
  func drawActions(canKeep: Bool) {
    keep.isEnabled = canKeep
    compareVersion.isEnabled = model?.canChangeVersion == true
    let others = model?.others ?? []
    compareAccount.isEnabled = model?.canSendAgain == true && !others.isEmpty
    guard others != self.others || accountMenu.isEmpty else { return }
    self.others = others
    accountMenu.replace(
      others.isEmpty ? [tr("No Other Account")] : others.map(\.wholeTitle),
      action: "explorer.compare-account")
  }

  /// Has a screen reader say what is kept, or what differs, unless it did.
  func speak() { if let text = news.take() { announce(text) } }

  private func takeNews() {
    let kept = state.kept == saidKept ? "" : keptLabel.text
    saidKept = state.kept
    let texts = [kept, resultLabel.text].filter { !$0.isEmpty }
    news = state.isSearching || texts.isEmpty ? nil : texts.joined(separator: "\n")
    // An answer is said before what differs in it.
    if model?.isWorking != true { speak() }
  }

  private func draw() {
    bar.isVisible = state.kept != nil
    keptLabel.text = state.kept.map { tr("Compared with {answer}", ["answer": $0]) } ?? ""
    keptLabel.tooltip = state.kept
    resultLabel.text = state.text ?? ""
    items?.replace(count: state.rows.count)
    onChange()
  }
}

/// A place that differs.
@MainActor
final class DifferenceRow: ListRow {
  let widget: Widget
  private(set) var accessibleLabel = ""

  private let kind = Label("")
  private let path = Label("")
  private let values = Label("")

  init() {
    let column = Box(column: [kind, path, values], spacing: 3)
    widget = column
    for label in [kind, path, values] {
      label.alignToStart()
      label.wrap()
    }
    // JSONPath and JSON are written left to right in every language.
    path.isRightToLeft = false
    kind.set(styleClass: "caption-heading", to: true)
    path.set(styleClass: "monospace", to: true)
    values.set(styleClass: "dim-label", to: true)
    column.set(styleClass: "activity-row", to: true)
  }

  /// Shows a difference.
  func show(_ row: ExplorerComparison.Row) {
    kind.text = row.kind
    path.text = row.path
    values.text = row.lines.joined(separator: "\n")
    accessibleLabel = ([row.kind, row.path] + row.lines).joined(separator: ", ")
  }
}
