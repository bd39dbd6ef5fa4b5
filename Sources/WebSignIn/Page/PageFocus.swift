import Gtk

/// Moves the keyboard focus between the page and the window's controls.
///
/// At the end of a page, WebKit moves the focus to the next widget. That may be an internal helper,
/// where keys would be lost; and WebKit passes the same Tab press to the window again, which would
/// move the focus twice.
@MainActor
final class PageFocus {
  private let window: Window
  private var view: WebView
  private let keys: KeyController
  /// The last Tab press, and whether the page had the focus.
  private var lastTab: (time: UInt32, event: Event?, wasInPage: Bool)?
  /// Whether the focus has reached the end of the page, which starts over when the focus returns.
  private var pageLetGo = false
  /// The widget that the window focused when it was opened.
  private let initial: Widget?
  /// Whether the user has moved the focus to one of the window's controls.
  private var isInControls = false

  /// Handles the focus of `window`, which is on the screen and shows the page in `view`.
  init(window: Window, view: WebView) {
    self.window = window
    self.view = view
    initial = window.focusedWidget
    keys = KeyController(on: window)
    follow(view)
    keys.onPress { [weak self] key in
      guard let self, KeyController.tab.contains(key) else { return false }
      return pressedTab()
    }
    window.onFocusChange { [weak self] in self?.moved() }
  }

  /// The window now shows the page in `view`.
  func follow(_ view: WebView) {
    self.view = view
    pageLetGo = false
    for helper in view.children { helper.refuseFocus() }
  }

  /// Moves the focus to a new page, unless the user has moved it elsewhere.
  func grab() {
    let focus = window.focusedWidget
    let isElsewhere = focus.map { $0 != view && $0.isMapped } ?? false
    if isElsewhere, isInControls || focus != initial { return }
    view.grabFocus()
  }

  private var isInPage: Bool { window.focusedWidget == view }

  /// - Returns: whether the press has already been handled.
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
    // The page has no focused control: the same press moves to its first or last one.
    guard pageLetGo, let event = lastTab?.event, lastTab?.wasInPage == false else { return }
    pageLetGo = false
    event.happenAgain(on: view)
  }
}
