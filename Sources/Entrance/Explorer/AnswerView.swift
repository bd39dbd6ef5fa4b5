import AuthCore
import CurlHTTP
import Dispatch
import EntranceKit
import FoundationEssentials
import Gtk
import Localization
import MicrosoftGraph

/// The answer to a request of the Explorer page, in several views.
@MainActor
final class AnswerView {
  /// The widget.
  let widget: Box
  private let spinner: Widget
  private let statusLabel: Label
  private let metaLabel: Label
  private let failure: FailureView
  private let switcherRow: Widget
  private let search: AnswerSearch
  private let contents: Stack
  /// The view that the person chose last; nil before the first choice.
  private var chosenView: String?
  /// Whether views are offered, of which one is shown that nobody chose.
  private var isOffering = false
  private let empty: EmptyAnswerView
  private let emptyPlace: Widget
  private let picture: PictureView
  private let table: AnswerTable
  private let pagesBar: Widget
  private let pagesLabel: Label
  /// Where the texts are.
  private let places: [String: Box]
  private let texts: AnswerTexts
  private let secrets: SecretClipboard
  private let showToast: @MainActor (String) -> Void
  private let announce: @MainActor (String) -> Void

  private weak var model: ExplorerModel?
  private var observers: [Observer?] = []
  private var answer: ExplorerAnswer? { model?.answer }
  /// What the page does.
  private var page = ExplorerState()
  private var work: ExplorerState.Work? { page.work }
  private let saver: FileSaver
  private let filterRow: AnswerFilterRow
  private let lineBar: LineBar
  private let downloadBar: DownloadBar
  private let comparison: ComparisonView

  /// Creates a view without an answer.
  init(
    preferences: Preferences, secrets: SecretClipboard,
    showToast: @escaping @MainActor (String) -> Void,
    announce: @escaping @MainActor (String) -> Void
  ) {
    let builder = Builder(interface: "explorer-answer")
    widget = builder.object("view")
    spinner = builder.object("spinner")
    statusLabel = builder.object("status_label")
    statusLabel.showWholeInTooltip()
    metaLabel = builder.object("meta_label")
    failure = FailureView(builder)
    switcherRow = builder.object("switcher_row")
    search = AnswerSearch(builder, announce: announce)
    contents = builder.object("contents")
    empty = EmptyAnswerView(builder)
    picture = PictureView(builder, announce: announce)
    table = AnswerTable(builder)
    pagesBar = builder.object("pages_bar")
    pagesLabel = builder.object("pages_label")
    lineBar = LineBar(announce: announce, showToast: showToast)
    downloadBar = DownloadBar(announce: announce)
    filterRow = AnswerFilterRow(announce: announce)
    comparison = ComparisonView(accountMenu: builder.object("account_menu"), announce: announce)
    emptyPlace = contents.children.first ?? contents
    (self.secrets, self.showToast, self.announce) = (secrets, showToast, announce)
    saver = FileSaver(over: widget, showToast: showToast)
    places = Dictionary(
      uniqueKeysWithValues: ["pretty", "headers", "raw", "differences"].map {
        ($0, builder.object("\($0)_place"))
      })
    texts = AnswerTexts(preferences: preferences, in: places)
    let filterPlace: Box = builder.object("filter_place")
    filterPlace.append(filterRow.widget)
    search.shownView = { [weak self] in self?.shownView }
    filterRow.onChange = { [weak self] in self?.drawTexts() }
    filterRow.onClose = { [weak self] in self?.shownView?.focus() }
    let linkPlace: Box = builder.object("link_place")
    linkPlace.append(lineBar.widget)
    linkPlace.append(comparison.bar)
    linkPlace.append(downloadBar.widget)
    places["differences"]?.append(comparison.list)
    comparison.onChange = { [weak self] in self?.drawPlaces() }
    comparison.onRequest = { [weak self] in self?.contents.show(name: "differences") }
    picture.onChange = { [weak self] in self?.drawPlaces() }
    texts.pretty.onCursorMove { [weak self] in
      guard let self else { return }
      lineBar.show(lineOf: texts.pretty)
    }
    _ = ShortcutController(on: table.widget, ["<Control>c": "explorer.copy-row"])
    table.onActivate { [weak self] in
      guard let model = self?.model, let request = model.linkedRequest(row: $0) else { return }
      model.choose(request)
    }
    contents.onChange { [weak self] in
      guard let self else { return }
      if !isOffering { chosenView = contents.visibleName }
      lineBar.isOffered = contents.visibleName == "pretty"
      texts.fill(contents.visibleName)
      lineBar.show(lineOf: texts.pretty)
      search.forget()
    }
    draw()
  }

  /// Shows the answers of `model` from now on.
  func follow(_ model: ExplorerModel?) {
    self.model = model
    observers = [
      model?.answers.add { [weak self] _ in self?.draw() },
      model?.completions.add { [weak self] in self?.drawContents() },
    ]
    saver.close()
    filterRow.follow(model)
    lineBar.follow(model)
    downloadBar.follow(model)
    comparison.follow(model)
    draw()
  }

  /// Shows what the page does.
  func show(_ state: ExplorerState) {
    failure.update(answer, from: page, to: state)
    if state.hidesDetails, !page.hidesDetails { hideTypedDetails() }
    page = state
    downloadBar.show(state.work)
    copyAs.isEnabled = state.sentURL != nil && state.fieldProblem == nil
    drawHead()
    drawActions()
    empty.show(answer, page, isPreparing: picture.isPreparing)
  }

  // MARK: Actions

  /// Gives the focus to the request, after what had it here is gone.
  var focusRequest: @MainActor () -> Void = {}

  /// The actions of its buttons.
  var actions: [Action] {
    let own = [
      copy, copyRow, save, copyRequestID, saveCSV, nextPage, allPages, find,
      filter, requestPermission, copyMessage, copyAs, copyReport, saveReport,
    ]
    return own + search.actions + lineBar.actions + comparison.actions + picture.actions
      + downloadBar.actions
  }

  private lazy var copy = Action("copy") { [weak self] in self?.copyAnswer() }
  private lazy var copyRow = Action("copy-row") { [weak self] in
    guard let self, contents.visibleName == "table", let text = table.selectedText else { return }
    widget.copyToClipboard(text, isSecret: false)
    showToast(tr("Row copied"))
  }
  private lazy var save = Action("save") { [weak self] in
    guard let self, let answer else { return }
    if answer.isElsewhere {
      return choose(tr("Save Response"), "content") { [weak self] in
        if self?.model?.download(to: $0) == nil { self?.showToast(Work.callingGraph.obstacle) }
      }
    }
    saver.save(tr("Save Response"), answer.fileName, saying: saved) { answer.body }
  }
  private lazy var copyRequestID = Action("copy-request-id") { [weak self] in
    guard let self, let id = answer?.requestID else { return }
    widget.copyToClipboard(id, isSecret: false)
    showToast(tr("Request ID copied"))
  }
  private lazy var saveCSV = Action("save-csv") { [weak self] in
    guard let self, let table = answer?.table else { return }
    saver.save(tr("Save Items"), "items.csv", saying: saved) { Data(table.csv.utf8) }
  }
  private lazy var nextPage = Action("next-page") { [weak self] in self?.model?.sendForNextPage() }
  private lazy var allPages = Action("all-pages") { [weak self] in self?.model?.sendForAllPages() }
  private lazy var find = Action("find") { [weak self] in
    guard let self, answer != nil else { return }
    if shownView == nil, answer?.pretty != nil { contents.show(name: "pretty") }
    search.open()
  }
  private lazy var filter = Action("filter") { [weak self] in
    guard let self, answer?.pretty != nil else { return }
    contents.show(name: "pretty")
    filterRow.open()
  }
  private lazy var requestPermission = Action("request-permission") { [weak self] in
    self?.model?.requestPermission()
  }
  private lazy var copyAs = Action("copy-as", parameter: String.self) { [weak self] in
    guard let self, let model, let kind = ExplorerSnippet(rawValue: $0) else { return }
    guard let text = model.snippet(kind) else {
      if let problem = model.snippetProblem(kind) { showToast(problem) }
      return
    }
    let message = tr("Copied as {kind}, without the token", ["kind": kind.label])
    // Variables often have secrets.
    if model.hasVariables {
      showToast(secrets.copy(text, from: widget, saying: message))
    } else {
      widget.copyToClipboard(text, isSecret: false)
      showToast(message)
    }
  }
  private lazy var copyReport = Action("copy-report", parameter: String.self) { [weak self] in
    guard let self, let kind = ExplorerReport(rawValue: $0), let model else { return }
    Task {
      guard let text = await model.report(kind) else { return }
      self.widget.copyToClipboard(text, isSecret: false)
      self.showToast(tr("Copied as {kind}, without secrets and names", ["kind": kind.label]))
    }
  }
  private lazy var saveReport = Action("save-report") { [weak self] in
    self?.choose(tr("Save Report"), "report.md") { [weak self] in self?.model?.saveReport(to: $0) }
  }
  private lazy var copyMessage = Action("copy-message") { [weak self] in
    guard let self, let message = model?.helpRequest else { return }
    widget.copyToClipboard(message.text, isSecret: false)
    showToast(tr("Message copied"))
  }

  /// Makes what is said of a file that was written.
  private var saved: @MainActor (String) -> String {
    { [weak self] in self?.model?.textOfSaved($0) ?? tr("Saved") }
  }

  /// Has the person choose a file for something of the answer, which must still be there then.
  private func choose(
    _ title: String, _ name: String, _ write: @escaping @MainActor (String) -> Void
  ) {
    let id = answer?.id
    saver.choose(title, name) { [weak self] path in
      guard let self else { return }
      guard answer?.id == id else {
        return showToast(tr("The response is no longer available. Nothing was saved."))
      }
      write(path)
    }
  }

  /// Copies the text in view.
  func copyAnswer() {
    guard answer != nil, let text = shownText, !text.isEmpty else { return }
    widget.copyToClipboard(text, isSecret: false)
    showToast(tr("Response copied"))
  }

  /// The text in view; nil when there is none.
  private var shownText: String? {
    texts.text(contents.visibleName) ?? texts.text("pretty") ?? texts.text("raw")
  }

  /// Has a screen reader say a new answer, and then what differs in it; one that was there before is
  /// said already.
  func speak() {
    if model?.isAnswerNew == true {
      let texts = [statusLabel.text, page.answerAccount ?? ""] + failure.spokenTexts
      announce(texts.filter { !$0.isEmpty }.joined(separator: "\n"))
    }
    comparison.speak()
  }

  private var shownView: LongTextView? { texts.view(contents.visibleName) }

  /// Removes what was searched for where it would show personal details, which are hidden from now on.
  private func hideTypedDetails() {
    guard let model else { return }
    search.clear { model.hides(in: $0) }
    filterRow.clear { model.hides(in: $0) }
  }

  // MARK: Drawing

  private func draw() {
    picture.show(answer)
    drawContents()
  }

  private func drawContents() {
    drawHead()
    drawActions()
    failure.show(answer, page)
    drawTexts()
    table.show(answer, isInSight: contents.visibleName == "table")
    drawPlaces()
  }

  private func drawTexts() {
    texts.show(answer, selected: filterRow.selected, inSight: contents.visibleName)
    lineBar.show(lineOf: texts.pretty)
    // It was another text that was searched.
    search.forget()
  }

  private func drawHead() {
    spinner.isVisible = work?.isPaused == false
    statusLabel.text = work?.text ?? answer?.statusText ?? tr("Response")
    // Beside what it took; a narrow window must not become wider while a request runs.
    statusLabel.keepRoom(for: work == nil ? min(statusLabel.text.count, 13) : 0)
    let state = work == nil ? answer : nil
    statusLabel.set(styleClass: "success", to: state?.isSuccess == true)
    statusLabel.set(styleClass: "warning", to: state?.failsInPart == true)
    statusLabel.set(styleClass: "error", to: state?.isFailure == true)
    let about = page.answered.map { tr("Response to {request}", ["request": $0]) }
    let parts = [page.answerAccount, about ?? answer?.meta].compactMap(\.self)
    metaLabel.text = work == nil ? parts.filter { !$0.isEmpty }.joined(separator: " · ") : ""
    metaLabel.tooltip = answer.map {
      [about, $0.account, $0.requestID.map { tr("Request ID: {id}", ["id": $0]) }]
        .compactMap(\.self).joined(separator: "\n")
    }
  }

  private func drawActions() {
    let hasBody = answer?.body.isEmpty == false
    copy.isEnabled = answer != nil && shownText?.isEmpty == false
    save.isEnabled = hasBody || answer?.isElsewhere == true && work == nil
    copyRequestID.isEnabled = answer?.requestID != nil
    saveCSV.isEnabled = (answer?.table?.count ?? 0) > 0
    find.isEnabled = answer?.pretty != nil || answer?.raw != nil
    search.enable(find.isEnabled)
    if !find.isEnabled, !page.isRenewing, search.close() { focusRequest() }
    filter.isEnabled = answer?.pretty != nil
    comparison.drawActions(canKeep: answer?.pretty != nil)
    copyReport.isEnabled = answer?.duration != nil && answer?.status != nil
    saveReport.isEnabled = model?.canSaveReport == true
    let hasNext = answer?.nextLink != nil && work == nil
    for action in [nextPage, allPages] { action.isEnabled = hasNext }
    requestPermission.isEnabled = work == nil
    pagesBar.isVisible = answer?.pagesText != nil
    pagesLabel.text = answer?.pagesText ?? ""
  }

  /// Offers the views that the answer has, and shows the first of them.
  private func drawPlaces() {
    let hasContent = picture.isOffered || answer?.pretty != nil || answer?.raw != nil
    // What the person looked at before, such as the table, is shown of the next answer, too.
    let isAwaited = answer?.isComplete == false && ["raw", "table"].contains(chosenView)
    let offered: [(String, Widget?, Bool)] = [
      ("empty", emptyPlace, !hasContent), ("picture", picture.widget, picture.isOffered),
      ("pretty", places["pretty"], answer?.pretty != nil),
      ("raw", places["raw"], answer?.raw != nil || isAwaited),
      ("table", table.widget, (answer?.table?.columns.count ?? 0) > 0 || isAwaited),
      ("headers", places["headers"], answer?.status != nil),
      ("differences", places["differences"], comparison.isOffered),
    ]
    let shown = offered.first { $0.0 == chosenView && $0.2 } ?? offered.first { $0.2 }
    isOffering = true
    if case (let name, let place?, _)? = shown {
      texts.fill(name)
      contents.offer(place, true)
      contents.show(name: name)
    }
    for case (_, let place?, let isOffered) in offered { contents.offer(place, isOffered) }
    isOffering = false
    switcherRow.isVisible = answer?.status != nil
    empty.show(answer, page, isPreparing: picture.isPreparing)
  }
}
