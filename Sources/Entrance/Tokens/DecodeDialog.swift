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
  private let model: TokenDecoderModel
  private var observer: Observer?
  /// Whether the dialog changes the text itself.
  private var isShortening = false

  /// The most characters of a text that are shown: GTK needs long for a long line.
  private static let longestShown = 12_000

  /// Makes the dialog; it is not shown yet.
  init(_ model: TokenDecoderModel) {
    let builder = Builder(interface: "decode-dialog")
    window = builder.object("window")
    tokenView = builder.object("token_view")
    compareSwitch = builder.object("compare_switch")
    compareList = builder.object("compare_list")
    summaryLabel = builder.object("summary_label")
    resultList = builder.object("result_list")
    self.model = model
    tokenView.setAccessibleLabel(tr("Token"))
    tokenView.isRightToLeft = false
    tokenView.buffer.onChange { [weak self] in self?.decode() }
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

  private func decode() {
    guard !isShortening else { return }
    let text = tokenView.buffer.text
    model.read(text)
    // The whole text was read, but showing it would take long, or show it to others.
    let isHidden = model.state.hidesText && !text.isEmpty
    guard isHidden || text.utf8.count > Self.longestShown else { return }
    isShortening = true
    tokenView.buffer.set(
      isHidden ? PersonalDetails.mark : text.prefix(Self.longestShown) + "…")
    isShortening = false
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
  }

  private func showReading(_ reading: TokenReading?) {
    guard let token = reading?.token else {
      summaryLabel.text = reading?.remark.map { tr($0) } ?? ""
      return showRows([])
    }
    let kind = token.audience.map {
      tr("{kind} for {audience}", ["kind": token.purpose.sentence, "audience": $0])
    }
    let expiry = token["exp"]?.words.map { tr("Expires: {time}", ["time": $0]) }
    summaryLabel.text = [
      kind ?? tr(token.purpose.sentence), expiry,
      token.hasSignature ? tr("The signature was not checked.") : tr("It is not signed."),
    ].compactMap(\.self).joined(separator: "\n")
    let header = token.header.map(ClaimsRow.texts).map {
      (tr("{name} (header)", ["name": $0.title]), $0.text)
    }
    showRows(ClaimsRow.texts(of: token) + header)
  }

  private func showComparison(_ comparison: TokenComparison) {
    let same = tr(
      .plural(
        "{count} claim is the same.", "{count} claims are the same.", count: comparison.sameCount))
    summaryLabel.text =
      comparison.differences.isEmpty
      ? tr("Both tokens have the same claims.")
      : [tr("What differs from the current token:"), same].joined(separator: "\n")
    showRows(
      comparison.differences.map {
        (
          tr("{kind}: {name}", ["kind": $0.kind.sentence, "name": $0.name]),
          $0.lines.map { tr($0) }.joined(separator: "\n")
        )
      })
  }

  private func showRows(_ rows: [(title: String, text: String)]) {
    resultList.show(rows.map(ClaimsRow.line))
    resultList.isVisible = !rows.isEmpty
  }
}
