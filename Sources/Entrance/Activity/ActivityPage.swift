import AuthCore
import EntranceKit
import FoundationEssentials
import Gtk
import Localization

/// The Activity page: a line for each event of an ``ActivityModel``, and the details of one.
@MainActor
final class ActivityPage: Page {
  let widget: Widget
  let actions = ActionGroup([])

  private let searchEntry: SearchEntry
  private let topicChoice: DropDown
  private let accountChoice: DropDown
  private let contents: Stack
  private let emptyPage: StatusPage
  private lazy var announcer = TypingAnnouncer { [weak self] in
    if self?.searchEntry.holdsFocus == true { self?.widget.window?.announce($0) }
  }
  private let clearFilterButton: Button
  private let list: ListView
  private let details: Box
  private let detailsTitle: Label
  private let detailsView: LongTextView
  private let showToast: @MainActor (String) -> Void
  private let saver: FileSaver

  private var model: ActivityModel?
  private var observer: Observer?
  private var items: ListItems<ActivityRow>?
  /// Whether the page shows what the model says, which is no wish of the user's.
  private var isDrawing = false
  /// Whether the model has changed while the page was not in sight: it is drawn when it comes.
  private var isStale = false

  /// Creates the page, which is empty until it is bound to a model.
  ///
  /// - Parameter showToast: shows a short message.
  init(preferences: Preferences, showToast: @escaping @MainActor (String) -> Void) {
    let builder = Builder(interface: "activity-page")
    widget = builder.object("page")
    searchEntry = builder.object("search_entry")
    topicChoice = builder.object("topic_choice")
    topicChoice.nameList(tr("Kind of activity"))
    accountChoice = builder.object("account_choice")
    accountChoice.nameList(tr("Account"))
    contents = builder.object("contents")
    emptyPage = builder.object("empty_page")
    clearFilterButton = builder.object("clear_filter_button")
    let filterRow: Box = builder.object("filter_row")
    filterRow.layOutAsButtonRow()
    list = builder.object("list")
    details = builder.object("details")
    detailsTitle = builder.object("details_title")
    detailsView = LongTextView(preferences: preferences, label: tr("Details"), isLog: false)
    self.showToast = showToast
    saver = FileSaver(over: widget, showToast: showToast)
    details.append(detailsView.widget)
    topicChoice.setChoices(ActivityModel.Topic.allCases.map(\.label))
    // The name of a guest must not make the window wider.
    accountChoice.ellipsize()
    actions.add([copy, save, showEverything, closeDetails])
    items = ListItems(in: list) {
      ActivityRow()
    } show: { [weak self] row, index in
      guard let self, let model, let event = model.event(at: index) else { return }
      row.show(event, at: time(of: event), showsAccount: model.accounts.count > 1)
    }
    items?.onSelect { [weak self] in self?.select() }
    // The keyboard focus is on a row that is not selected after it came from elsewhere.
    list.onActivate { [weak self] in self?.items?.selected = $0 }
    searchEntry.onChange { [weak self] in self?.applyFilter() }
    // It gets Escape before the window does.
    searchEntry.onStop { [weak self] in
      guard let self else { return }
      if searchEntry.text.isEmpty { widget.activate(action: "\(AccountAction.cancel)") }
      searchEntry.text = ""
    }
    topicChoice.onChange { [weak self] in self?.applyFilter() }
    accountChoice.onChange { [weak self] in self?.applyFilter() }
    widget.onShow { [weak self] in
      guard let self, isStale else { return }
      drawAll()
    }
    drawAll()
  }

  func bind(to window: WindowModel?) {
    model = window.map { ActivityModel($0.status.activity) }
    observer = model?.changes.add { [weak self] in self?.follow($0) }
    saver.close()
    drawAll()
  }

  func focus() { if !list.isMapped || !list.grabFocus() { searchEntry.grabFocus() } }

  // MARK: Actions

  private lazy var copy = Action("copy") { [weak self] in
    self?.withSupportDetails {
      $0.widget.copyToClipboard($1, isSecret: false)
      $0.showToast(tr("Support details copied"))
    }
  }
  private lazy var save = Action("save") { [weak self] in self?.chooseFile() }
  private lazy var showEverything = Action("show-everything") { [weak self] in
    guard let self else { return }
    model?.filter = .init()
    // The button is hidden, so move the focus from it.
    focus()
  }
  private lazy var closeDetails = Action("close-details") { [weak self] in
    guard let self else { return }
    let opened = items?.selected
    items?.selected = nil
    if let opened, items?.focus(opened) == true { return }
    focus()
  }

  private func withSupportDetails(_ body: @escaping @MainActor (ActivityPage, String) -> Void) {
    guard let model else { return }
    Task { [weak self] in
      let text = await model.supportDetails(version: Program.version)
      if let self { body(self, text) }
    }
  }

  private func chooseFile() {
    saver.choose(tr("Save Support Details"), "entrance-activity.txt") { [weak self] path in
      self?.withSupportDetails { page, text in
        page.saver.write(to: path, saying: tr("Support details saved")) { Data(text.utf8) }
      }
    }
  }

  private func applyFilter() {
    guard !isDrawing, let model else { return }
    var filter = model.filter
    filter.text = searchEntry.text
    filter.topic = ActivityModel.Topic.allCases[topicChoice.selected]
    let account = accountChoice.selected - 1
    filter.account = model.accounts.indices.contains(account) ? model.accounts[account] : nil
    model.filter = filter
  }

  private func select() {
    guard !isDrawing, let model else { return }
    model.select(at: items?.selected)
  }

  // MARK: Drawing

  private func follow(_ change: ActivityModel.Change) {
    guard widget.isMapped else { return isStale = true }
    switch change {
    case .added:
      items?.prepend()
      drawContents()
    case .found:
      fill()
      drawContents()
    case .replaced: draw()
    case .selected: drawDetails()
    }
  }

  private func drawAll() {
    isStale = false
    draw()
    drawDetails()
  }

  private func draw() {
    isDrawing = true
    drawFilter()
    items?.replace(count: 0)
    fill()
    drawContents()
    isDrawing = false
  }

  /// Puts the events that lack into the list: at first one piece after another, because GTK makes
  /// the widgets of 200 rows, however few are in sight.
  private func fill() {
    guard let items, let model, items.count < model.count else { return }
    let isDrawing = isDrawing
    self.isDrawing = true
    let rest = model.count - items.count
    items.append(count: items.count < Self.rowsOfList ? min(Self.rowsOfPiece, rest) : rest)
    if items.selected != model.selectedIndex { items.selected = model.selectedIndex }
    self.isDrawing = isDrawing
    MainLoop.whenIdle { [weak self] in self?.fill() }
  }

  /// How many rows have widgets at most, and how many get theirs at once.
  private static let (rowsOfList, rowsOfPiece) = (200, 25)

  private func drawFilter() {
    let filter = model?.filter ?? .init()
    if searchEntry.text != filter.text { searchEntry.text = filter.text }
    topicChoice.selected = ActivityModel.Topic.allCases.firstIndex(of: filter.topic) ?? 0
    let accounts = model?.accounts ?? []
    accountChoice.setChoices([tr("All accounts")] + accounts.map { $0.shown(upTo: 100) })
    accountChoice.selected = (accounts.firstIndex { $0 == filter.account } ?? -1) + 1
  }

  private func drawContents() {
    let (hasEvents, isEmpty) = (items?.count ?? 0 > 0, model?.isEmpty ?? true)
    for action in [copy, save] { action.isEnabled = hasEvents }
    if isEmpty {
      emptyPage.show(
        icon: "document-open-recent-symbolic", title: tr("No Activity Yet"),
        description: tr("Sign-ins, requests, and their responses appear here."))
    } else if model?.isSearching == true {
      emptyPage.show(icon: "system-search-symbolic", title: tr("Searching…"), description: "")
    } else {
      emptyPage.show(
        icon: "system-search-symbolic", title: tr("No Results Found"),
        description: tr("Try a different search or filter."))
    }
    clearFilterButton.isVisible = !isEmpty
    let finds = hasEvents || isEmpty || model?.isSearching == true
    announcer.say(finds ? "" : tr("No Results Found"))
    contents.show(name: hasEvents ? "list" : "empty")
  }

  private func drawDetails() {
    let event = model?.selected
    details.isVisible = event != nil
    detailsTitle.text = event.map { "\($0.kind.label) · \(time(of: $0))" } ?? ""
    detailsTitle.tooltip = event?.title
    detailsView.show(.replaced(event.map { [$0] } ?? []))
  }

  private func time(of event: ActivityEvent) -> String {
    LocalTime.timeOfDay(at: event.date.timeIntervalSince1970)
  }
}
