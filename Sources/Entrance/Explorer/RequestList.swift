import EntranceKit
import FoundationEssentials
import Gtk
import Localization

/// The list beside the request: samples, the last requests, and those of files.
@MainActor
final class RequestList {
  /// Gives the keyboard focus to the request.
  var focusRequest: @MainActor () -> Void = {}

  /// The requests of files.
  let saved: SavedList

  private let flap: Flap
  private let searchEntry: SearchEntry
  private lazy var announcer = TypingAnnouncer { [weak self] in
    if self?.searchEntry.holdsFocus == true { self?.searchEntry.window?.announce($0) }
  }
  private let lists: Stack
  private let noSamplesLabel: Label
  private let noHistoryLabel: Label
  private let samplesPage: Widget
  private var samples: ListItems<RequestRow>?
  private var history: ListItems<RequestRow>?
  private weak var explorer: ExplorerModel?
  private var model: ExplorerListModel? { explorer?.list }
  private var observer: Observer?
  /// Whether the search gets the focus as soon as it is on the screen.
  private var isSearchAwaited = false
  /// Whether it closes because a request was chosen, to which the focus goes then.
  private var isChosen = false

  /// Takes its widgets from the page's file.
  init(_ builder: Builder, _ saved: SavedList) {
    self.saved = saved
    flap = builder.object("flap")
    searchEntry = builder.object("list_search")
    lists = builder.object("lists")
    noSamplesLabel = builder.object("no_samples_label")
    noHistoryLabel = builder.object("no_history_label")
    samplesPage = builder.object("samples_page")
    samples = items(in: builder.object("samples")) { $0.sampleLines }
    history = items(in: builder.object("history")) {
      $0.history.map(ExplorerListModel.Line.request)
    }
    lists.add(saved.widget, name: "saved", title: tr("Saved"))
    // As wide as the search above.
    let tabs: Widget = builder.object("list_tabs")
    for tab in tabs.children { tab.expandHorizontally() }
    saved.whenChosen = { [weak self] in self?.hideWhereItCovers() }
    saved.show = { [weak self] in self?.showSaved() }
    searchEntry.onChange { [weak self] in
      guard let self else { return }
      // Before the other lists, after which it is said whether anything was found.
      self.saved.search(searchEntry.text)
      model?.search = searchEntry.text
    }
    searchEntry.onEnter { [weak self] in
      guard let self, let model else { return }
      if lists.visibleName == "saved" { return self.saved.takeFirst() }
      let rows = lists.visibleName == "history" ? model.history : model.samples
      if !searchEntry.text.isEmpty, let first = rows.first { take(first) }
    }
    searchEntry.onStop { [weak self] in self?.flap.isRevealed = false }
    flap.onChange { [weak self] in
      guard let self, !flap.isRevealed else { return }
      followClosing()
    }
    searchEntry.onShow { [weak self] in
      // Not before it has its place.
      MainLoop.whenIdle { self?.takeAwaitedFocus() }
    }
  }

  private func items(
    in view: ListView, _ lines: @escaping @MainActor (ExplorerListModel) -> [ExplorerListModel.Line]
  ) -> ListItems<RequestRow> {
    view.onActivate { [weak self] index in
      guard let self, let model, lines(model).indices.contains(index) else { return }
      if let row = lines(model)[index].row {
        take(row)
      } else {
        // A heading.
        samples?.selected = nil
      }
    }
    return ListItems(in: view) {
      RequestRow()
    } show: { [weak self] row, index in
      guard let self, let model, lines(model).indices.contains(index) else { return }
      switch lines(model)[index] {
      case .heading(let title): row.show(heading: title)
      case .request(let shown):
        row.show(
          shown, at: shown.date.flatMap { LocalTime.dayAndTime(at: $0.timeIntervalSince1970) })
      }
    }
  }

  private func take(_ row: ExplorerListModel.Row) {
    hideWhereItCovers()
    explorer?.choose(row.request)
  }

  private func hideWhereItCovers() {
    guard flap.isFolded else { return }
    isChosen = true
    flap.isRevealed = false
    isChosen = false
  }

  /// Shows the requests of files.
  private func showSaved() {
    lists.show(name: "saved")
    flap.isRevealed = true
  }

  /// Shows the last requests, or those of a recording.
  func showHistory() {
    lists.show(name: "history")
    flap.isRevealed = true
  }

  /// Removes what was searched for if `condition` is true for it.
  func clearSearch(if condition: (String) -> Bool) {
    if condition(searchEntry.text) { searchEntry.text = "" }
  }

  /// Shows the list of `explorer` from now on.
  func follow(_ explorer: ExplorerModel?) {
    self.explorer = explorer
    saved.follow(explorer)
    observer = model?.changes.add { [weak self] in self?.draw() }
    draw()
  }

  /// The actions of its buttons and shortcuts.
  var actions: [Action] { [show, goToHistory, clear] }

  private lazy var show = Action("show-list") { [weak self] in
    guard let self else { return }
    flap.isRevealed.toggle()
    if flap.isRevealed { goToSearch() }
  }
  private lazy var goToHistory = Action("show-history") { [weak self] in
    self?.showHistory()
    self?.goToSearch()
  }
  private lazy var clear = Action("clear-history") { [weak self] in
    self?.explorer?.clearHistory()
    // The button is insensitive now, so move the focus from it.
    self?.searchEntry.grabFocus()
  }

  /// Gives the search the keyboard focus: screen readers do not notice that, nor say anything of it,
  /// unless it is on the screen by then.
  private func goToSearch() {
    if searchEntry.isMapped { searchEntry.grabFocus() } else { isSearchAwaited = flap.isMapped }
  }

  /// Follows that the list closes, whatever has closed it.
  ///
  /// GTK would move the focus from it to anywhere; where the focus stays, a screen reader notices
  /// nothing.
  private func followClosing() {
    // The search may not be on the screen yet, and the list may be opened next without it.
    isSearchAwaited = false
    guard !isChosen, flap.isMapped, let window = flap.window else { return }
    // Without animations, the list is gone from the screen already, and with it the focus.
    let hadFocus = searchEntry.parent?.holdsFocus == true || window.focusedWidget == nil
    if hadFocus { focusRequest() } else { window.announce(tr("List closed")) }
  }

  private func takeAwaitedFocus() {
    if isSearchAwaited, flap.isRevealed { searchEntry.grabFocus() }
    isSearchAwaited = false
  }

  private func draw() {
    let hasSamples = model?.hasSamples ?? true
    lists.offer(samplesPage, hasSamples)
    // A stack goes on showing what it no longer offers.
    if !hasSamples, lists.visibleName == "samples" { lists.show(name: "history") }
    samples?.replace(count: model?.sampleLines.count ?? 0)
    history?.replace(count: model?.history.count ?? 0)
    noSamplesLabel.isVisible = hasSamples && model?.samples.isEmpty == true
    noHistoryLabel.isVisible = model?.history.isEmpty ?? true
    noHistoryLabel.text = emptyHistoryText
    announcer.say(noResultsText)
    clear.isEnabled = model?.canClear == true
  }

  /// What a screen reader says of a search in the list that is shown; empty while it finds something.
  private var noResultsText: String {
    let isEmpty =
      switch lists.visibleName {
      case "samples": model?.samples.isEmpty == true
      case "history": model?.history.isEmpty == true
      case "saved": saved.findsNothing
      default: false
      }
    return isEmpty && !searchEntry.text.isEmpty ? tr("No Results Found") : ""
  }

  /// Why the history shows no requests.
  private var emptyHistoryText: String {
    if model?.isHistoryEmpty == false { return tr("No Results Found") }
    guard model?.keepsRequests == true else {
      return tr("Requests are not kept. You can change this in the preferences.")
    }
    guard model?.keepsBodies == true else {
      return tr("What you send appears here. Responses and bodies are not kept.")
    }
    return tr("What you send appears here. Responses are not kept.")
  }
}

/// A line of the list.
@MainActor
final class RequestRow: ListRow {
  let widget: Widget
  private(set) var accessibleLabel = ""

  private let labels = RequestLabels()

  init() {
    widget = labels.column
    labels.details.set(styleClass: "dim-label", to: true)
    labels.details.wrap(upTo: 2)
    widget.set(styleClass: "activity-row", to: true)
    widget.hideRepeatingTooltip()
  }

  /// Shows what the rows below it are about.
  func show(heading: String) {
    draw(heading, isHeading: true)
    widget.tooltip = nil
    accessibleLabel = heading
  }

  private func draw(_ title: String, isHeading: Bool) {
    labels.title.text = title
    labels.title.set(styleClass: "heading", to: isHeading)
    labels.details.isVisible = !isHeading
  }

  /// Shows a row, with when it was sent.
  func show(_ row: ExplorerListModel.Row, at time: String?) {
    draw(row.title, isHeading: false)
    labels.details.text = [row.details, time].compactMap(\.self).joined(separator: " · ")
    widget.tooltip = row.shownAddress
    // Until its permissions are looked up, a sample may have no details.
    accessibleLabel = [labels.title.text, labels.details.text].filter { !$0.isEmpty }
      .joined(separator: ", ")
  }
}
