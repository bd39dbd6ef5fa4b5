import EntranceKit
import Gtk
import Localization

/// Why a request failed and what it needs, above the content of its answer, and what else is to be
/// known of an answer.
@MainActor
final class FailureView {
  private let box: Widget
  private let failureLabel: Label
  private let serverLabel: Label
  private let explanationLabel: Label
  private let permissionList: ListBox
  private let permissionButtons: Box
  private let correctButton: Button
  private let sendAnywayButton: Button
  private let tryAgainButton: Button
  private let hintLabel: Label

  /// Takes its widgets from the file of the answer.
  init(_ builder: Builder) {
    box = builder.object("failure_box")
    failureLabel = builder.object("failure_label")
    serverLabel = builder.object("server_label")
    explanationLabel = builder.object("explanation_label")
    permissionList = builder.object("permission_list")
    permissionList.setAccessibleLabel(tr("Permissions"))
    permissionButtons = builder.object("permission_buttons")
    correctButton = builder.object("correct_app_button")
    sendAnywayButton = builder.object("send_anyway_button")
    tryAgainButton = builder.object("try_again_button")
    hintLabel = builder.object("hint_label")
    permissionButtons.layOutAsButtonRow()
    // A narrow window must not become wider.
    permissionButtons.wrapLabels()
    serverLabel.isRightToLeft = false
  }

  /// What a screen reader says of it.
  var spokenTexts: [String] { [failureLabel.text, explanationLabel.text] }

  /// Shows what is to be known of `answer`, on a page in `state`.
  func show(_ answer: ExplorerAnswer?, _ state: ExplorerState) {
    let failure = answer?.failure
    box.isVisible = failure != nil
    showReason(of: failure, state.wait)
    sendAnywayButton.isVisible = state.canSendAnyway
    tryAgainButton.isVisible = failure?.canTryAgain == true && state.isAnsweredNow
    serverLabel.show(ifAny: failure?.server)
    showExplanation(of: answer, state)
    permissionButtons.isVisible = answer?.explanation?.missing.isEmpty == false
    let correction = failure?.correction
    if let correction { correctButton.setAction("\(correction)", target: correction.target) }
    correctButton.isVisible = correction != nil
    hintLabel.show(ifAny: answer?.hints.joined(separator: "\n"))
  }

  /// Shows what is another thing in `new` than in `old`; a text that stays keeps its selection.
  func update(_ answer: ExplorerAnswer?, from old: ExplorerState, to new: ExplorerState) {
    if new.wait != old.wait { showReason(of: answer?.failure, new.wait) }
    sendAnywayButton.isVisible = new.canSendAnyway
    tryAgainButton.isVisible = answer?.failure?.canTryAgain == true && new.isAnsweredNow
    if new.permissionNote != old.permissionNote { showExplanation(of: answer, new) }
  }

  /// Shows what the request needs, and whose account the window must have to request it.
  private func showExplanation(of answer: ExplorerAnswer?, _ state: ExplorerState) {
    let explanation = answer?.explanation
    explanationLabel.text = [explanation?.text, explanation.flatMap { _ in state.permissionNote }]
      .compactMap(\.self).joined(separator: "\n")
    explanationLabel.isVisible = explanation != nil
    let rows = explanation?.rows ?? []
    permissionList.show(rows.map { ClaimsRow.line($0.name, $0.details) })
    permissionList.isVisible = !rows.isEmpty
  }

  /// Shows why a request failed, and for how long the service asks to wait.
  private func showReason(of failure: ExplorerAnswer.Failure?, _ wait: ExplorerState.Wait?) {
    let pause = failure?.retryAfter == nil ? nil : wait?.text
    failureLabel.text = [failure?.sentence, failure?.hint, pause].compactMap(\.self)
      .joined(separator: "\n")
  }
}
