import EntranceKit
import Gtk
import Localization

/// A program in the list: a row with what it got and what was decided in it.
@MainActor
final class ProgramRowView {
  /// The program.
  let id: CallingProgram
  /// The row.
  let widget: ExpanderRow

  private let model: ProgramsModel
  private let decisionRow: ComboRow
  private let forgetRow: ActionRow
  /// Whether it has the name that the desktop shows for the program.
  private let hasName: Bool
  private var grantRows: [ActionRow] = []
  private var row: ProgramRow?
  /// Whether the rows in it are made: they are, when they are first seen.
  private var hasRows = false

  private static let iconSize = 32
  private static let decisions: [ProgramRecord.Decision?] = [nil, .allow, .deny]

  /// Makes an empty row for `program`, which the desktop may know as `installed`.
  init(_ program: CallingProgram, _ installed: InstalledProgram?, _ model: ProgramsModel) {
    id = program
    self.model = model
    widget = ExpanderRow(title: installed?.name ?? "")
    hasName = installed != nil
    widget.add(prefix: installed?.icon(size: Self.iconSize) ?? Self.icon(of: program))
    decisionRow = ComboRow(title: tr("Access"))
    decisionRow.setChoices([tr("Default"), tr("Allow"), tr("Deny")])
    forgetRow = ActionRow(title: tr("Program"), subtitle: "", subtitleLines: 0)
    decisionRow.onChange { [weak self] in
      guard let self, Self.decisions.indices ~= decisionRow.selected else { return }
      self.model.decide(Self.decisions[decisionRow.selected], about: id)
    }
    let forget = Button(mnemonic: tr("_Remove From List"))
    forget.onClick { [weak self] in
      guard let self else { return }
      self.model.forget(id)
    }
    forget.centerVertically()
    forgetRow.add(forget)
    widget.onExpand { [weak self] in self?.drawRows() }
  }

  /// Shows `row`, which is the same program's.
  func show(_ row: ProgramRow) {
    guard row != self.row else { return }
    self.row = row
    if !hasName { widget.title = row.title }
    widget.subtitle = row.details
    decisionRow.selected = Self.decisions.firstIndex(of: row.decision) ?? 0
    if hasRows { drawRows() }
  }

  private func drawRows() {
    guard let row, widget.isExpanded || hasRows else { return }
    if !hasRows, row.canDecide { widget.add(decisionRow) }
    if hasRows { widget.remove(forgetRow) }
    hasRows = true
    for old in grantRows { widget.remove(old) }
    grantRows = row.grants.map {
      ActionRow(title: $0.title, subtitle: $0.details, subtitleLines: 0)
    }
    for grantRow in grantRows {
      grantRow.wrapTitle()
      widget.add(grantRow)
    }
    forgetRow.setSubtitle(row.place ?? "")
    widget.add(forgetRow)
  }

  private static func icon(of program: CallingProgram) -> Image {
    let image = Image(
      icon: program == .person ? "utilities-terminal-symbolic" : "application-x-executable-symbolic"
    )
    image.pixelSize = iconSize
    return image
  }
}
