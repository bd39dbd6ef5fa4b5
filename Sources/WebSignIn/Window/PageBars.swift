import Gtk
import Localization

/// The bars above a page: which page has opened it, and what the user should know about it.
@MainActor
struct PageBars {
  private let popUpBar: Widget
  private let popUpLabel: Label
  private let noticeBar: InfoBar
  private let noticeLabel: Label
  private let buttons: Box
  private let cancelButton: Widget
  private let hasBrowser: Bool

  /// Takes the widgets from the window's interface.
  ///
  /// - Parameter hasBrowser: whether the user can continue in the browser.
  init(_ builder: Builder, hasBrowser: Bool) {
    popUpBar = builder.object("pop_up_bar")
    popUpLabel = builder.object("pop_up_label")
    noticeBar = builder.object("notice_bar")
    noticeLabel = builder.object("notice_label")
    let browserButton: Widget = builder.object("notice_browser_button")
    cancelButton = builder.object("notice_cancel_button")
    buttons = builder.object("notice_buttons")
    buttons.layOutAsButtonRow()
    self.hasBrowser = hasBrowser
    browserButton.isVisible = hasBrowser
  }

  /// Shows the bars of a page.
  ///
  /// - Parameter opener: the origin of the page that opened it; nil when none did.
  func show(_ notice: PageNotice?, opener: Origin?) {
    popUpBar.isVisible = opener != nil
    popUpLabel.text = opener.map { tr("Opened by “{host}”", ["host": $0.displayName]) } ?? ""
    noticeBar.isVisible = notice != nil
    guard let notice else { return }
    noticeBar.isWarning = notice.isWarning
    noticeLabel.text = notice.text(hasBrowser: hasBrowser)
    cancelButton.isVisible = notice.isWarning
    buttons.isVisible = hasBrowser || notice.isWarning
  }
}
