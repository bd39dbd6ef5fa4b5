import EntranceKit
import Gtk

/// A page of a window's stack, which is made when it is first shown.
///
/// The window opens sooner, and most windows are closed before every page was shown.
@MainActor
final class LazyPage {
  /// Its name in settings and actions.
  let name: String
  /// Its name for people.
  let title: String
  /// What the stack shows.
  let widget = Box(column: [], spacing: 0)

  private let make: @MainActor () -> any Page
  private(set) var page: (any Page)?

  /// - Parameter make: makes the page.
  init(_ name: String, title: String, make: @escaping @MainActor () -> any Page) {
    self.name = name
    self.title = title
    self.make = make
  }

  /// Makes the page, unless that was done before.
  ///
  /// - Parameters:
  ///   - root: the window that gets the page's actions.
  ///   - window: what the page shows.
  func open(in root: ApplicationWindow, showing window: WindowModel?) {
    guard page == nil else { return }
    let page = make()
    self.page = page
    widget.append(page.widget)
    root.insert(page.actions, as: name)
    page.bind(to: window)
  }
}
