import EntranceKit
import Gtk

/// Why a request failed and what it needs, above the content of its answer, and what else is to be
/// known of an answer.
@MainActor
final class FailureView {
  private let box: Widget
  private let failureLabel: Label
  private let serverLabel: Label
  private let explanationLabel: Label
  private let permissionButtons: Box
  private let correctButton: Button
  private let hintLabel: Label

  /// Takes its widgets from the file of the answer.
  init(_ builder: Builder) {
    box = builder.object("failure_box")
    failureLabel = builder.object("failure_label")
    serverLabel = builder.object("server_label")
    explanationLabel = builder.object("explanation_label")
    permissionButtons = builder.object("permission_buttons")
    correctButton = builder.object("correct_app_button")
    hintLabel = builder.object("hint_label")
    permissionButtons.layOutAsButtonRow()
    // A narrow window must not become wider.
    permissionButtons.wrapLabels()
    serverLabel.isRightToLeft = false
  }

  /// What a screen reader says of it.
  var spokenTexts: [String] { [failureLabel.text, explanationLabel.text] }

  /// Shows what is to be known of `answer`.
  ///
  /// - Parameter wait: the pause that the service asks for.
  func show(_ answer: ExplorerAnswer?, _ wait: ExplorerState.Wait?) {
    let failure = answer?.failure
    box.isVisible = failure != nil
    showReason(of: failure, wait)
    serverLabel.text = failure?.server ?? ""
    serverLabel.isVisible = failure?.server.isEmpty == false
    let explanation = answer?.explanation
    explanationLabel.text = explanation?.text ?? ""
    explanationLabel.isVisible = explanation != nil
    permissionButtons.isVisible = explanation?.missing.isEmpty == false
    let correction = failure?.correction
    if let correction { correctButton.setAction("\(correction)", target: correction.target) }
    correctButton.isVisible = correction != nil
    hintLabel.text = answer?.hints.joined(separator: "\n") ?? ""
    hintLabel.isVisible = answer?.hints.isEmpty == false
  }

  /// Shows why a request failed, and for how long the service asks to wait.
  func showReason(of failure: ExplorerAnswer.Failure?, _ wait: ExplorerState.Wait?) {
    let pause = failure?.retryAfter == nil ? nil : wait?.text
    failureLabel.text = [failure?.sentence, failure?.hint, pause].compactMap(\.self)
      .joined(separator: "\n")
  }
}
