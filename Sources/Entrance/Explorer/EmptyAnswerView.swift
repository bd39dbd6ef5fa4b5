import EntranceKit
import Gtk
import Localization

/// What is in the place of an answer's content when none can be shown.
@MainActor
final class EmptyAnswerView {
  private let page: StatusPage
  private let samplesButton: Button
  private let saveButton: Button

  /// Creates the view from the objects of `builder`.
  init(_ builder: Builder) {
    page = builder.object("empty_page")
    samplesButton = builder.object("samples_button")
    saveButton = builder.object("save_button")
  }

  /// Says why there is nothing to see of `answer`; nil for no answer yet.
  ///
  /// - Parameter isPreparing: whether a preview of its content is being made.
  func show(_ answer: ExplorerAnswer?, _ state: ExplorerState, isPreparing: Bool) {
    let work = state.work ?? (state.isRenewing ? ExplorerState.Work.preparing : nil)
    samplesButton.isVisible = answer == nil && state.version != nil && !state.isRenewing
    saveButton.isVisible =
      [.document, .other].contains(answer?.content) || answer?.isElsewhere == true
    switch answer {
    case nil where work != nil:
      page.show(icon: "content-loading-symbolic", title: work?.text ?? "", description: "")
    case nil:
      page.show(
        icon: "system-search-symbolic", title: tr("No Request Yet"),
        description: tr(
          "Send a request to see the response from {service} here.", ["service": state.service]))
    case let answer? where answer.status == nil:
      page.show(
        // Without a duration, it was not sent.
        icon: answer.failure?.isCanceled == true || answer.duration == nil
          ? "process-stop-symbolic" : "network-error-symbolic",
        title: answer.statusText, description: "")
    case let answer? where answer.isElsewhere:
      page.show(
        icon: "document-save-symbolic", title: tr("The Content Is at Another Address"),
        description: "")
    case let answer? where answer.body.isEmpty:
      page.show(
        icon: answer.isSuccess ? "emblem-ok-symbolic" : "dialog-information-symbolic",
        title: answer.isSuccess ? tr("Done") : tr("The Response Has No Body"),
        description: answer.isSuccess ? tr("The response has no body.") : "")
    case let answer? where isPreparing:
      page.show(
        icon: "content-loading-symbolic", title: answer.kindText,
        description: tr("Preparing the preview…"))
    case let answer?:
      page.show(
        icon: "document-save-symbolic", title: answer.kindText,
        description: answer.hidesContent
          ? tr("While personal details are hidden, only JSON is shown.")
          : tr("This content cannot be shown here. Save it to open it with another app."))
    }
  }
}
