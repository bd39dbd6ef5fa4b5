import Connections
import CurlHTTP
import EntranceKit
import FoundationEssentials
import Glibc
import Gtk
import Localization

/// The About window.
enum About {
  /// Shows it over `parent`.
  static func present(over parent: Window) {
    let window = AboutWindow(
      program: "Entrance", version: Program.version, icon: Program.id,
      developer: tr("The Entrance contributors"),
      comments: tr("Sign in with Microsoft on the Linux desktop and call Microsoft Graph."))
    window.setCopyright("© 2026 The Entrance contributors")
    window.setLinks(
      website: EntranceIdentity.website, issues: "\(EntranceIdentity.website)/issues")
    window.setDebugInformation(debugInformation, file: "entrance.txt")
    if let releaseNotes { window.setReleaseNotes(releaseNotes, of: Program.version) }
    window.setTransient(for: parent)
    window.nameOwnParts(search: tr("Search"))
    window.takeOver()
    window.present()
  }

  private static var releaseNotes: String? {
    let path = "\(DataDirectories().data)/../metainfo/\(Program.id).metainfo.xml"
    guard let text = text(of: path) else { return nil }
    return ReleaseNotes.find(Program.version, in: text)
  }

  private static func text(of path: String) -> String? {
    let bytes = try? FileReader(path).read(upTo: FileReader.Limit.small)
    return bytes.map { String(decoding: $0, as: UTF8.self) }
  }

  /// What helps with a report, in English: nothing about people, accounts and connections.
  private static var debugInformation: String {
    let system = text(of: "/etc/os-release")?
      .split(separator: "\n").first { $0.hasPrefix("PRETTY_NAME=") }?
      .dropFirst("PRETTY_NAME=".count).filter { $0 != "\"" }
    let variables = [
      "XDG_CURRENT_DESKTOP", "XDG_SESSION_TYPE", "LANG", "LANGUAGE", "FLATPAK_ID", "SNAP_NAME",
    ]
    let environment = variables.compactMap { name in
      getenv(name).map { "\(name)=\(String(cString: $0))" }
    }
    let lines =
      ["Entrance \(Program.version)", system ?? "Unknown system"] + AboutWindow.libraries
      + environment
      + [
        "",
        "Run “entrancectl doctor” for checks of the network, the keyring and the sign-in service.",
      ]
    return lines.joined(separator: "\n")
  }
}
