import EntranceKit
import FoundationEssentials
import Gtk
import Localization

/// The picture that an answer of the Explorer is, or one page of a document after the other.
@MainActor
final class PictureView {
  /// The widget.
  let widget: Widget
  /// Whether there is a picture, or the first page of a document.
  private(set) var isOffered = false
  /// Whether a page of a document is being drawn, which can take its time.
  private(set) var isPreparing = false
  /// Called when there is a preview of the answer that is shown, or turns out to be none.
  var onChange: @MainActor () -> Void = {}

  private let picture: Picture
  private let problemLabel: Label
  private let bar: Widget
  private let label: Label
  private let keys: KeyController
  private let announce: @MainActor (String) -> Void
  private var address = ""
  private var document: [UInt8]?
  private var pages: PDFPages?
  private var drawing: Task<Void, Never>?

  /// Creates a view without a picture.
  init(_ builder: Builder, announce: @escaping @MainActor (String) -> Void) {
    widget = builder.object("picture_view")
    picture = builder.object("picture")
    problemLabel = builder.object("picture_problem_label")
    bar = builder.object("document_bar")
    label = builder.object("document_label")
    keys = KeyController(on: picture)
    self.announce = announce
    keys.onPress { [weak self] key in
      if KeyController.pageUp.contains(key) { return self?.turn(by: -1) ?? false }
      if KeyController.pageDown.contains(key) { return self?.turn(by: 1) ?? false }
      return false
    }
  }

  /// The actions of its buttons.
  var actions: [Action] { [previous, next] }

  private lazy var previous = Action("previous-document-page") { [weak self] in
    _ = self?.turn(by: -1)
  }
  private lazy var next = Action("next-document-page") { [weak self] in _ = self?.turn(by: 1) }

  /// Shows what `answer` has.
  func show(_ answer: ExplorerAnswer?) {
    drawing?.cancel()
    picture.show(nil)
    pages = nil
    document = answer?.picture == nil ? answer?.document.map { [UInt8]($0) } : nil
    isOffered = answer?.picture != nil
    isPreparing = document != nil
    address = answer?.request.address ?? ""
    drawPages()
    if let data = answer?.picture {
      picture.setAccessibleLabel(tr("Picture from {address}", ["address": address]))
      drawing = Task { [weak self] in
        let texture = await Texture.decode([UInt8](data))
        guard let self, !Task.isCancelled else { return }
        picture.show(texture)
        problemLabel.show(
          result: texture == nil ? tr("The picture is damaged and cannot be shown.") : nil)
      }
    } else if let document {
      drawing = Task { [weak self] in
        async let texture = PDFRenderer.page(1, of: document)
        async let pages = PDFRenderer.pages(of: document)
        let (first, all) = await (texture, pages)
        guard let self, !Task.isCancelled else { return }
        isPreparing = false
        if let first {
          picture.show(first)
          self.pages = all
          isOffered = true
          drawPages()
        }
        onChange()
      }
    }
  }

  private func turn(by count: Int) -> Bool {
    guard let document, var pages, pages.canTurn(by: count) else { return false }
    pages.turn(by: count)
    self.pages = pages
    isPreparing = true
    drawPages()
    drawing?.cancel()
    drawing = Task { [weak self] in
      let texture = await PDFRenderer.page(pages.number, of: document)
      guard let self, !Task.isCancelled else { return }
      picture.show(texture)
      isPreparing = false
      self.pages?.isBroken = texture == nil
      drawPages()
      announce(self.pages?.problem ?? pages.text)
    }
    return true
  }

  private func drawPages() {
    bar.isVisible = (pages?.count ?? 1) > 1
    // For the keys, and to show what has them.
    picture.isFocusable = bar.isVisible
    // Until then, the page before is in sight.
    let preparing = isPreparing ? tr("Preparing the preview…") : nil
    label.text = [pages?.text, preparing].compactMap(\.self).joined(separator: " · ")
    problemLabel.show(ifAny: pages?.problem)
    // A button that is disabled would lose the focus to nothing.
    if !canTurn(by: -1) && previous.isEnabled || !canTurn(by: 1) && next.isEnabled,
      bar.containsFocus
    {
      picture.grabFocus()
    }
    previous.isEnabled = canTurn(by: -1)
    next.isEnabled = canTurn(by: 1)
    guard document != nil else { return }
    picture.setAccessibleLabel(
      tr(
        "Page {page} of the document from {address}",
        ["page": pages?.number ?? 1, "address": address]))
  }

  private func canTurn(by count: Int) -> Bool { pages?.canTurn(by: count) ?? false }
}
