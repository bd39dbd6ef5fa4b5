import EntranceKit
import Gtk
import Localization
import Sentences

/// The bar for the line of the cursor: it offers the address in it as the next request, and to hide or
/// show what is inside the object or array that begins in it.
@MainActor
final class LineBar {
  /// The widget.
  let widget: Box
  /// Whether the lines are in view.
  var isOffered = true { didSet { draw() } }
  private let addressLabel: Label
  private let useButton: Button
  private let foldButton: Button
  private let announce: @MainActor (String) -> Void
  private let showToast: @MainActor (String) -> Void

  private weak var view: LongTextView?
  private var folding = TextFolding.State.none
  private weak var model: ExplorerModel?
  private var request: ExplorerRequest?

  /// Creates a bar that offers nothing.
  ///
  /// - Parameters:
  ///   - announce: has a screen reader say a text.
  ///   - showToast: shows a short message.
  init(
    announce: @escaping @MainActor (String) -> Void,
    showToast: @escaping @MainActor (String) -> Void
  ) {
    (self.announce, self.showToast) = (announce, showToast)
    let builder = Builder(interface: "explorer-line")
    widget = builder.object("bar")
    addressLabel = builder.object("address_label")
    useButton = builder.object("use_button")
    foldButton = builder.object("fold_button")
    addressLabel.isRightToLeft = false
    draw()
  }

  /// The actions of its buttons.
  var actions: [Action] { [useLink, fold] }

  private lazy var useLink = Action("use-link") { [weak self] in
    guard let self, isOffered, let request else { return }
    model?.choose(request)
  }
  private lazy var fold = Action("fold") { [weak self] in
    guard let self, isOffered, let view else { return }
    if folding == .folded {
      view.folding.unfold()
      announce(tr("Unfolded"))
    } else {
      let text = { tr(Sentence.plural("{count} line", "{count} lines", count: $0)) }
      if let count = view.folding.fold(text) {
        announce(text(count))
      } else {
        showToast(tr("There are too many lines to fold."))
      }
    }
    show(lineOf: view)
    view.focus()
  }

  /// Offers what `model` has.
  func follow(_ model: ExplorerModel?) {
    self.model = model
    request = nil
    draw()
  }

  /// Offers what can be done with the line of the cursor of `view`.
  func show(lineOf view: LongTextView) {
    self.view = view
    folding = view.folding.state
    request = model?.linkedRequest(inLine: view.lineAtCursor)
    draw()
  }

  private func draw() {
    widget.isVisible = isOffered && (request != nil || folding != .none)
    addressLabel.text = request?.address ?? ""
    addressLabel.tooltip = request?.address
    useButton.isVisible = request != nil
    useLink.isEnabled = isOffered && request != nil
    foldButton.isVisible = folding != .none
    foldButton.setLabel(mnemonic: folding == .folded ? tr("Unfold") : tr("Fold"))
    fold.isEnabled = isOffered && folding != .none
  }
}
