import EntranceKit
import Gtk

/// The bar that offers the address in the line of the cursor as the next request.
@MainActor
final class LinkBar {
  /// The widget.
  let widget: Box
  /// Called with a request that is to take the place of the one on the page.
  var use: @MainActor (ExplorerRequest) -> Void = { _ in }
  /// Whether the lines are in view.
  var isOffered = true { didSet { draw() } }
  private let addressLabel: Label

  private weak var model: ExplorerModel?
  private var request: ExplorerRequest?

  /// Creates a bar that offers nothing.
  init() {
    let builder = Builder(interface: "explorer-link")
    widget = builder.object("bar")
    addressLabel = builder.object("address_label")
    addressLabel.isRightToLeft = false
    draw()
  }

  /// The action of its button.
  private(set) lazy var action = Action("use-link") { [weak self] in
    guard let self, isOffered, let request else { return }
    use(request)
  }

  /// Offers what `model` has.
  func follow(_ model: ExplorerModel?) {
    self.model = model
    request = nil
    draw()
  }

  /// Offers the address in the line of the cursor of `view`.
  func show(lineOf view: LogView) {
    request = model?.linkedRequest(inLine: view.lineAtCursor)
    draw()
  }

  private func draw() {
    widget.isVisible = isOffered && request != nil
    addressLabel.text = request?.address ?? ""
    addressLabel.tooltip = request?.address
    action.isEnabled = widget.isVisible
  }
}
