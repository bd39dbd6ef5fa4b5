import EntranceKit
import Gtk
import Localization

/// What is to be known of a request before it is sent, below its address: what it needs, why it cannot
/// be sent, and what is sent in place of what was typed.
@MainActor
final class RequestRemarks {
  private let permissionRow: Widget
  private let permissionLabel: Label
  private let problemLabel: Label
  private let correctButton: Button
  private let sentLabel: Label
  private var correction: AccountAction?

  /// Takes its widgets from the page's file.
  init(_ builder: Builder) {
    permissionRow = builder.object("permission_row")
    permissionLabel = builder.object("permission_label")
    problemLabel = builder.object("problem_label")
    correctButton = builder.object("correct_button")
    sentLabel = builder.object("sent_label")
    // A URL is written left to right in every language.
    sentLabel.isRightToLeft = false
  }

  /// Shows what is to be known.
  func show(_ state: ExplorerState) {
    permissionLabel.text = state.permissions?.warning ?? ""
    permissionRow.isVisible = state.permissions?.warning != nil
    problemLabel.show(ifAny: state.problem)
    sentLabel.show(ifAny: state.difference.map { tr("Sent as {url}", ["url": $0]) })
    guard state.correction != correction else { return }
    correction = state.correction
    if let correction { correctButton.setAction("\(correction)", target: correction.target) }
    correctButton.isVisible = correction != nil
  }
}
