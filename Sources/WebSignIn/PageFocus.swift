import Gtk

/// Moves the keyboard's focus between the page and the window's own controls.
///
/// At the end of a page, WebKit moves the focus on to the next widget. It counts a helper of its own as
/// one, in which keys would be lost; and it hands the same press of Tab to the window once more, which
/// would move the focus a second time.
@MainActor
final class PageFocus {
  private let window: Window
  private let view: WebView
  private let keys: KeyController
  /// The press of Tab that came last, and whether the page had the focus.
  private var lastTab: (time: UInt32, event: Event?, wasInPage: Bool)?
  /// Whether the page has come to its end, so that it begins anew when the focus comes back.
  private var pageLetGo = false
  /// What the window itself chose when it was opened.
  private let initial: Widget?
  /// Whether the person has gone to one of the window's controls.
  private var isInControls = false

  /// Takes charge of `window`, which is on the screen and shows the page in `view`.
  init(window: Window, view: WebView) {
    self.window = window
    self.view = view
    initial = window.focusedWidget
    keys = KeyController(window: window)
    for helper in view.children { helper.refuseFocus() }
    keys.onPress { [weak self] key in
      guard let self, KeyController.tab.contains(key) else { return false }
      return pressedTab()
    }
    window.onFocusChange { [weak self] in self?.moved() }
  }

  /// Gives the focus to the page that begins to appear, unless the person has gone elsewhere.
  func grab() {
    let focus = window.focusedWidget
    let isElsewhere = focus.map { $0 != view && $0.isMapped } ?? false
    if isElsewhere, isInControls || focus != initial { return }
    view.grabFocus()
  }

  private var isInPage: Bool { window.focusedWidget == view }

  /// - Returns: whether the press has done what it should already.
  private func pressedTab() -> Bool {
    let time = keys.time
    let isAgain = lastTab?.time == time
    if isAgain, lastTab?.wasInPage == true, !isInPage {
      pageLetGo = true
      return true
    }
    if isAgain { return false }
    lastTab = (time, keys.event, isInPage)
    isInControls = true
    return false
  }

  private func moved() {
    guard isInPage else { return }
    isInControls = false
    // The page has no control that is focused: the same press leads to its first, or its last.
    guard pageLetGo, let event = lastTab?.event, lastTab?.wasInPage == false else { return }
    pageLetGo = false
    event.happenAgain(on: view)
  }
}
