import Gtk

extension Label {
  /// Shows a problem as an alert, which screen readers say; nil for none.
  ///
  /// - Parameter isAnswer: whether it is said even if it is shown already, because the person has
  ///   tried again.
  func show(problem: String?, isAnswer: Bool = false) {
    show(problem, isAnswer: isAnswer, isSaid: ScreenReader.saysNewAlerts && !isVisible)
  }

  /// Shows a result, which has the role of a status, so that screen readers do not say it by
  /// themselves; nil for none.
  func show(result: String?, isAnswer: Bool = false) {
    show(result, isAnswer: isAnswer, isSaid: false)
  }

  private func show(_ new: String?, isAnswer: Bool, isSaid: Bool) {
    let before = isVisible ? text : nil
    text = new ?? ""
    isVisible = new != nil
    if let new, !isSaid, isAnswer || new != before { window?.announce(new) }
  }
}
