import AuthCore
import EntranceKit
import Gtk
import Localization

/// The dialog that decodes any token, while it is typed or pasted.
@MainActor
final class DecodeDialog: Presentable {
  let window: Window
  private let tokenView: TextView
  private let compareSwitch: Switch
  private let compareList: ListBox
  private let summaryLabel: Label
  private let resultList: ListBox
  private let toasts: ToastOverlay
  private let model: TokenDecoderModel
  private var observer: Observer?
  private lazy var pasted = PastedText(of: tokenView) { [weak self] in self?.decode($0) }
  private lazy var announcer = TypingAnnouncer { [weak self] in self?.window.announce($0) }

  /// Makes the dialog; it is not shown yet.
  init(_ model: TokenDecoderModel) {
    let builder = Builder(interface: "decode-dialog")
    window = builder.dialog()
    tokenView = builder.object("token_view")
    compareSwitch = builder.object("compare_switch")
    compareList = builder.object("compare_list")
    summaryLabel = builder.object("summary_label")
    resultList = builder.object("result_list")
    toasts = builder.object("toast_overlay")
    self.model = model
    tokenView.setAccessibleLabel(tr("Token"))
    tokenView.isRightToLeft = false
    _ = pasted
    compareSwitch.onChange { [weak self] in
      guard let self else { return }
      self.model.compare(compareSwitch.isOn)
    }
    observer = model.changes.add { [weak self] in self?.show($0) }
  }

  func begin() { tokenView.grabFocus() }

  func end() {
    observer = nil
    tokenView.buffer.clear()
    model.close()
  }

  /// Returns what to show in place of a text that others may not see.
  private func decode(_ text: String) -> String? {
    model.read(text)
    return model.state.hidesText && !text.isEmpty ? PersonalDetails.mark : nil
  }

  private func show(_ state: TokenDecoderModel.State) {
    if state.isOver { return window.close() }
    compareList.isVisible = state.canCompare
    if let comparison = state.comparison {
      showComparison(comparison)
    } else {
      showReading(state.reading)
    }
    summaryLabel.isVisible = !summaryLabel.text.isEmpty
    announcer.say(summaryLabel.text)
  }

  private func showReading(_ reading: TokenReading?) {
    guard let token = reading?.token else {
      summaryLabel.text = reading?.remark.map { tr($0) } ?? ""
      return showRows([])
    }
    let kind = token.audience.map {
      tr("{kind} for {audience}", ["kind": token.purpose.sentence, "audience": $0])
    }
    summaryLabel.text = [
      kind ?? tr(token.purpose.sentence), model.expiryText,
      token.hasSignature
        ? tr("The signature was not checked.") : tr("The token is not signed."),
    ].compactMap(\.self).joined(separator: "\n")
    let header = token.header.map { claim in
      var entry = ClaimsRow.entry(claim)
      entry.title = tr("{name} (header)", ["name": entry.title])
      return entry
    }
    showRows(ClaimsRow.entries(of: token) + header)
  }

  private func showComparison(_ comparison: TokenComparison) {
    let same = tr(
      .plural(
        "{count} claim is the same.", "{count} claims are the same.", count: comparison.sameCount))
    summaryLabel.text =
      comparison.differences.isEmpty
      ? tr("Both tokens have the same claims.")
      : [tr("What differs from the current token:"), same].joined(separator: "\n")
    let rows = comparison.differences.flatMap(\.rows)
    showRows(rows.map { ClaimsRow.Entry(title: $0.title, text: $0.text) })
  }

  private func showRows(_ entries: [ClaimsRow.Entry]) {
    let copy: ClaimsRow.Copy = { [weak self] text, message in
      guard let self else { return }
      window.copyToClipboard(text, isSecret: false)
      toasts.show(Toast(message))
    }
    resultList.show(entries.map { ClaimsRow.line($0, copy: copy) })
    resultList.isVisible = !entries.isEmpty
  }
}
