import AuthCore
import EntranceKit
import Gtk
import Localization

/// Shows a code, with which the user signs in on this or another device.
@MainActor
final class CodeDialog: Presentable {
  private let model: AccountModel
  let window: Window
  private let toasts: ToastOverlay
  private let stack: Stack
  private let spinner: Widget
  private let pageLabel: Label
  private let image: SquarePattern
  private let codeLabel: Label
  private let timeLabel: Label
  private let outageLabel: Label
  private let warningLabel: Label
  private let copyButton: Button
  private let newCodeButton: Button
  private let endLabel: Label
  private let announcer: WindowAnnouncer
  private var code: DeviceCode?
  private var reminder: CodeReminder?
  private var countdown: Task<Void, any Error>?

  /// The name of the stack's page that is shown until there is a code.
  private static let waitingPage = "waiting"

  /// Makes the dialog; it is not shown yet.
  init(_ model: AccountModel) {
    self.model = model
    let builder = Builder(interface: "code-dialog")
    window = builder.dialog()
    toasts = builder.object("toast_overlay")
    stack = builder.object("stack")
    spinner = builder.object("spinner")
    pageLabel = builder.object("page_label")
    image = builder.object("image")
    codeLabel = builder.object("code_label")
    timeLabel = builder.object("time_label")
    outageLabel = builder.object("outage_label")
    warningLabel = builder.object("warning_label")
    copyButton = builder.object("copy_code_button")
    newCodeButton = builder.object("new_code_button")
    endLabel = builder.object("end_label")
    announcer = WindowAnnouncer(window: window)
    for name in ["copy_row", "way_row", "end_row"] {
      let row: Box = builder.object(name)
      row.layOutAsButtonRow()
    }
    let windowButton: Button = builder.object("window_button")
    windowButton.isVisible = model.ways.contains(.embedded)
    window.insert(
      ActionGroup([
        Action("open-page") { [weak self] in self?.openPage() },
        Action("copy-code") { [weak self] in self?.copy(\.userCode, tr("Code copied")) },
        Action("copy-link") { [weak self] in self?.copy(\.verificationURI, tr("Link copied")) },
        Action("use-browser") { [weak model] in model?.signIn(by: .browser) },
        Action("use-code") { [weak model] in model?.signIn(by: .code) },
        Action("use-window") { [weak model] in model?.signIn(by: .embedded) },
      ]), as: "sign-in")
  }

  func end() { countdown?.cancel() }

  /// Shows a step of a sign-in with a code.
  func show(_ step: SignInStep?) {
    switch step {
    case .code(let code?): show(code, isOutage: false)
    case .unreachable(let code): show(code, isOutage: true)
    case .expiredCode: showEnd(tr("The code was not entered in time."))
    case .declinedCode: showEnd(tr("The sign-in on the other device was declined."))
    default: show(page: Self.waitingPage)
    }
  }

  /// Shows `code`, and whether the service cannot be reached.
  private func show(_ code: DeviceCode, isOutage: Bool) {
    if code != self.code { show(code) }
    guard isOutage != outageLabel.isVisible else { return }
    outageLabel.isVisible = isOutage
    window.growToContent()
    if isOutage { announcer.announce(outageLabel.text) }
  }

  /// Shows `code`, and the time that is left.
  private func show(_ code: DeviceCode) {
    pageLabel.text = code.verificationURI
    codeLabel.text = code.userCode
    let qrCode = QRCode(code.verificationURIComplete ?? code.verificationURI)
    image.isVisible = qrCode != nil
    if let qrCode {
      image.show(qrCode.rows, margin: QRCode.margin, squareSize: qrCode.squareSize)
    }
    show(page: "code")
    window.growToContent()
    self.code = code
    let secondsLeft = code.secondsLeft()
    reminder = CodeReminder(secondsLeft: secondsLeft)
    // Letter by letter.
    let spelled = code.userCode.map(String.init).joined(separator: " ")
    copyButton.setAccessibleDescription(spelled)
    copyButton.grabFocus()
    let task = tr(
      "Open {address} in a browser, and enter the code {code}.",
      ["address": code.verificationURI, "code": spelled])
    announcer.announce(
      join([task, CodeReminder.sentence(secondsLeft: secondsLeft), warningLabel.text]))
    countdown = Task { [weak self] in
      while let timeLeft = self?.showTimeLeft(), timeLeft > 0 {
        try await Task.sleep(for: .seconds(1))
      }
    }
  }

  /// Shows why the code is of no use any more.
  private func showEnd(_ reason: String) {
    endLabel.text = reason
    show(page: "end")
    newCodeButton.grabFocus()
    announcer.announce(reason)
  }

  private func show(page: String) {
    countdown?.cancel()
    code = nil
    // It turns even on a page that is not shown.
    spinner.isVisible = page == Self.waitingPage
    stack.show(name: page)
  }

  private func showTimeLeft() -> Int {
    guard let code else { return 0 }
    timeLabel.text = tr("The code expires in {time}.", ["time": code.timeLeft()])
    let seconds = code.secondsLeft()
    if let text = reminder?.text(secondsLeft: seconds, isHeard: window.isActive) {
      announcer.announce(text)
    }
    return seconds
  }

  private func openPage() {
    guard let code else { return }
    window.open(page: code.verificationURI)
  }

  private func copy(_ text: KeyPath<DeviceCode, String>, _ message: String) {
    guard let code else { return }
    window.copyToClipboard(code[keyPath: text], isSecret: false)
    toasts.show(Toast(message))
  }
}
