import EntranceKit
import FoundationEssentials
import Gtk
import Localization

/// Events with all their text: a log that scrolls to its end unless the user scrolled up, the
/// details of one event, or a text of the Explorer's answer.
///
/// It never gets much text at once, so that it is drawn in time whatever its size: *Show All* adds
/// what is hidden in slices, between which everything else goes on.
@MainActor
final class LongTextView {
  /// The widget.
  let widget: Box
  private let view: TextView
  private let buffer: TextBuffer
  private let plain: TextTag
  /// For what is not the text of an entry.
  private let remark: TextTag
  private let adjustment: Adjustment
  private let emptyLabel: Label
  private let jumpButton: Button
  private let hiddenBar: Box
  private let hiddenLabel: Label
  private let scroller: ScrolledWindow
  private let preferences: Preferences
  private var preferencesObserver: Observer?
  private let isLog: Bool
  private weak var model: LogModel?
  private var observer: Observer?
  /// What is not in the log yet.
  private var arriving: ArraySlice<ActivityEvent> = []
  /// What is hidden, in the order of the log.
  private var folds: [Fold] = []
  /// What is being shown, first the last one.
  private var unfolding: [Fold] = []
  private var isInserting = false
  /// Looks for a text in what is hidden.
  private var search: Task<Void, Never>?
  /// Called once, when everything is shown.
  private var whenUnfolded: (@MainActor () -> Void)?
  private var followsEnd = true
  /// Whether what was found stays in sight while GTK measures the lines above it.
  private var followsMatch = false
  private var lastValue = 0.0
  /// The width and the height that it was laid out for, when it came to rest.
  private var restingSize = (0, 0.0)
  private var hasGrown = false
  private var isSettling = false

  /// Creates an empty view.
  ///
  /// - Parameters:
  ///   - label: what a screen reader calls it.
  ///   - isLog: whether it has the time of each event, and scrolls to its end.
  init(preferences: Preferences, label: String, isLog: Bool = true) {
    self.preferences = preferences
    self.isLog = isLog
    let builder = Builder(interface: "long-text-view")
    widget = builder.object("view")
    view = builder.object("log_view")
    buffer = view.buffer
    plain = buffer.addTag()
    // A token that spans several lines must not appear to contain hyphens.
    plain.breakWithoutHyphens()
    remark = buffer.addTag()
    remark.slant()
    scroller = builder.object("log_scroller")
    adjustment = scroller.verticalAdjustment
    view.setAccessibleLabel(label)
    emptyLabel = builder.object("empty_label")
    jumpButton = builder.object("jump_button")
    hiddenBar = builder.object("hidden_bar")
    hiddenLabel = builder.object("hidden_label")

    // JSON, URLs and tokens are written left to right in every language.
    view.isRightToLeft = false
    adjustment.onMove { [weak self] in self?.hasMoved() }
    adjustment.onResize { [weak self] in
      self?.hasGrown = true
      self?.settleSoon()
    }
    jumpButton.onClick { [weak self] in self?.jumpToLatest() }
    let showAllButton: Button = builder.object("show_all_button")
    showAllButton.onClick { [weak self] in self?.showAll() }
    preferencesObserver = preferences.changes.add { [weak self] in
      if $0 == .logTextSize || $0 == .wrapsLog { self?.applyPreferences() }
    }
    applyPreferences()
  }

  private func applyPreferences() {
    for tag in [plain, remark] { tag.setScale(Double(preferences.logTextSize) / 100) }
    view.wraps = preferences.wrapsLog
    scroller.scrollSideways(!preferences.wrapsLog)
  }

  /// Whether the log is empty.
  var isEmpty: Bool { buffer.isEmpty && arriving.isEmpty }

  /// All of its text, also what is hidden, with the lines as they are.
  var text: String {
    (model?.entries ?? []).map { time($0) + $0.text }.joined(separator: "\n")
  }

  /// Whether it has the keyboard focus, or will get it when the window comes to the foreground.
  var hasFocus: Bool { view.hasFocus }

  /// Takes the keyboard focus, if it is on the screen.
  func focus() { if view.isMapped { view.grabFocus() } }

  /// Selects the next place of a text, or the one before; what is hidden is shown if it is only
  /// there.
  ///
  /// - Parameters:
  ///   - isTyped: whether the text is still being typed, so that the place that is selected stays if it
  ///     has more of it.
  ///   - report: gets which one it is; nil for none. It is not called when something else is looked for
  ///     meanwhile.
  func select(
    _ text: String, isBackwards: Bool, isTyped: Bool,
    report: @escaping @MainActor (TextMatches?) -> Void
  ) {
    endSearch()
    if selectShown(text, isBackwards: isBackwards, isTyped: isTyped) {
      return countMatches(of: text, report: report)
    }
    let hidden = (folds + unfolding).map(\.rest)
    guard !hidden.isEmpty else { return report(nil) }
    search = Task { [weak self] in
      var isHidden = false
      for rest in hidden where !isHidden { isHidden = await rest.contains(text) }
      guard let self, !Task.isCancelled else { return }
      guard isHidden else { return report(nil) }
      whenUnfolded = { [weak self] in
        guard let self, selectShown(text, isBackwards: isBackwards, isTyped: isTyped) else {
          return report(nil)
        }
        countMatches(of: text, report: report)
      }
      unfoldAll()
    }
  }

  /// Finds out which of the places of a text is selected, also among those that are hidden.
  private func countMatches(
    of text: String, report: @escaping @MainActor (TextMatches?) -> Void
  ) {
    let (before, after) = view.textsAroundSelection
    let hidden = (folds + unfolding).map { ($0.rest, buffer.isBeforeSelection($0.remark)) }
    search = Task {
      var number = await TextMatches.count(text, in: before)
      var count = number + (await TextMatches.count(text, in: after))
      for (rest, isBefore) in hidden {
        let found = await rest.count(text)
        count += found
        if isBefore { number += found }
      }
      if !Task.isCancelled { report(TextMatches(number: number, count: count)) }
    }
  }

  private func endSearch() {
    search?.cancel()
    (search, whenUnfolded, followsMatch) = (nil, nil, false)
  }

  private func selectShown(_ text: String, isBackwards: Bool, isTyped: Bool) -> Bool {
    guard view.select(text, isBackwards: isBackwards, isTyped: isTyped) else { return false }
    followsMatch = true
    guard folding.hidesCursor else { return true }
    folding.unfoldAll()
    view.scrollToCursor()
    return true
  }

  /// Hides and shows indented lines.
  private(set) lazy var folding = TextFolding(view)

  /// The line that the cursor is in.
  var lineAtCursor: String { view.lineAtCursor }

  /// Calls `handler` when the cursor is in another place.
  func onCursorMove(_ handler: @escaping @MainActor () -> Void) { view.onCursorMove(handler) }

  /// Keeps room for so many pixels of the height of its text.
  func keepRoom(forHeight height: Int) { scroller.keepRoom(forHeight: height) }

  /// Leaves room for toasts below the last line.
  func makeRoomForToasts(_ makes: Bool) {
    view.bottomMargin = makes ? Self.toastMargin : Self.margin
  }

  private static let margin = 9
  private static let toastMargin = 72

  /// Shows only the log of `model` from now on.
  func follow(_ model: LogModel?) {
    self.model = model
    show(.replaced(model?.entries ?? []))
    observer = model?.changes.add { [weak self] in self?.show($0) }
  }

  /// Shows a change of the events.
  func show(_ change: LogChange) {
    switch change {
    case .added(let entry): arriving.append(entry)
    case .replaced(let entries):
      endSearch()
      buffer.clear()
      (folds, unfolding) = ([], [])
      followsEnd = isLog
      arriving = entries[...]
    }
    if !isInserting { insertSome() }
    // It is read from its beginning. GTK may scroll to the cursor, which is at the end.
    if !isLog { view.scrollToStart() }
    emptyLabel.isVisible = isEmpty
  }

  private func time(_ entry: ActivityEvent) -> String {
    guard isLog else { return "" }
    return "\(LocalTime.timeOfDay(at: entry.date.timeIntervalSince1970))  "
  }

  // MARK: Inserting

  /// A remark in the log that stands for text that is hidden, or not yet shown completely.
  private struct Fold {
    var remark: TextSpan
    var rest: FoldedText.Slices
  }

  /// How many bytes of entries are inserted at once.
  private static let pieceSize = 64 << 10

  /// Inserts as much as does not delay a frame, and goes on when GTK has nothing else to do.
  private func insertSome() {
    if arriving.isEmpty { unfoldSome() } else { insertEntries() }
    drawHidden()
    isInserting = !arriving.isEmpty || !unfolding.isEmpty
    guard isInserting else {
      whenUnfolded.take()?()
      return
    }
    MainLoop.whenIdle { [weak self] in self?.insertSome() }
  }

  private func insertEntries() {
    var size = 0
    while size < Self.pieceSize, let entry = arriving.popFirst() {
      buffer.append((buffer.isEmpty ? "" : "\n") + time(entry), tag: plain)
      for part in entry.folded.parts {
        switch part {
        case .shown(let range):
          buffer.append(entry.folded.text(of: range), tag: plain)
          size += range.count
        case .hidden(let range):
          let text = "… " + ByteSize.text(range.count)
          folds.append(
            Fold(
              remark: buffer.appendSpan(text, tag: remark),
              rest: entry.folded.slices(of: range)))
        }
      }
    }
  }

  private func unfoldSome() {
    guard var fold = unfolding.popLast() else { return }
    if let slice = fold.rest.next() {
      buffer.insert(slice, before: fold.remark, tag: plain)
      unfolding.append(fold)
    } else {
      buffer.remove(fold.remark)
    }
  }

  private func drawHidden() {
    hiddenBar.isVisible = !folds.isEmpty
    let size = folds.reduce(0) { $0 + $1.rest.remaining }
    hiddenLabel.text = tr("{size} hidden", ["size": ByteSize.text(size)])
  }

  private func showAll() {
    // The button is hidden, so move the focus from it.
    focus()
    endSearch()
    unfoldAll()
  }

  private func unfoldAll() {
    // What is read now stays where it is.
    followsEnd = false
    unfolding = folds.reversed() + unfolding
    folds = []
    if !isInserting { insertSome() }
  }

  // MARK: Following the end

  // GTK measures lines in several steps, and moves the view meanwhile. What the user did can be
  // determined only afterwards.

  /// Handles a move up, which may coincide with new lines.
  ///
  /// New lines never move the view up, though a new size can, such as when a notice closes.
  /// Otherwise, the user scrolled.
  private func hasMoved() {
    let value = adjustment.value
    if value < lastValue, !isAtEnd, size == restingSize { followsEnd = false }
    lastValue = value
    settleSoon()
  }

  private var isAtEnd: Bool { adjustment.value >= adjustment.end - 1 }

  private var size: (Int, Double) { (view.width, adjustment.pageSize) }

  private func settleSoon() {
    guard !isSettling else { return }
    isSettling = true
    MainLoop.whenIdle { [weak self] in
      self?.isSettling = false
      self?.settle()
    }
  }

  private func settle() {
    restingSize = size
    if followsEnd {
      if hasGrown || !isAtEnd { adjustment.value = adjustment.end }
    } else {
      if hasGrown, followsMatch { view.scrollToCursor() }
      followsEnd = isLog && isAtEnd
    }
    hasGrown = false
    jumpButton.isVisible = isLog && !followsEnd
  }

  private func jumpToLatest() {
    followsEnd = true
    hasGrown = true
    settleSoon()
    // The button is hidden, so move the focus from it.
    focus()
  }
}
