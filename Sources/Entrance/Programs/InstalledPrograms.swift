import EntranceKit
import Gtk

/// The programs of the desktop, by how the system knows a running one.
@MainActor
final class InstalledPrograms {
  private var byID: [String: InstalledProgram] = [:]
  private var byFile: [String: InstalledProgram] = [:]

  init() {
    for program in InstalledProgram.all() {
      byID[program.id] = program
      if let file = program.executable, byFile[file] == nil { byFile[file] = program }
    }
  }

  /// What the desktop knows about `program`; nil when it is none of its own.
  subscript(program: CallingProgram) -> InstalledProgram? {
    switch program.kind {
    case .flatpak: byID["\(program.identifier).desktop"]
    case .snap: byID["\(program.identifier)_\(program.identifier).desktop"]
    case .file: byFile[program.identifier]
    case .name, .person: nil
    }
  }
}
