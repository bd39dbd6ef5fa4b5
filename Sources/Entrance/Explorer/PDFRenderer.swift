import EntranceKit
import Gtk

/// The pages of a PDF document, as pictures.
///
/// Poppler's programs make them, and not its library: a document from outside is read in a sandbox,
/// which has no files, no network and a limit of memory and time. Canceling the task ends the program.
@MainActor
enum PDFRenderer {
  /// Makes the picture of a page.
  ///
  /// - Returns: nil when the page cannot be read, or when a program is not installed.
  static func page(_ number: Int, of document: [UInt8]) async -> Texture? {
    let draw = [
      "pdftocairo", "-png", "-singlefile", "-f", "\(number)", "-l", "\(number)", "-scale-to",
      "1600", "-", "-",
    ]
    guard let picture = await run(draw, on: document) else { return nil }
    return await Texture.decode(picture)
  }

  /// Finds out how many pages there are, as the document says.
  static func pages(of document: [UInt8]) async -> PDFPages {
    let report = await run(["pdfinfo", "-"], on: document) ?? []
    return PDFPages(report: String(decoding: report, as: UTF8.self))
  }

  private static func run(_ program: [String], on document: [UInt8]) async -> [UInt8]? {
    try? await Subprocess.output(of: sandbox + limits + program, input: document)
  }

  private static let sandbox = [
    "bwrap", "--unshare-all", "--die-with-parent", "--new-session", "--clearenv",
    "--ro-bind", "/usr", "/usr", "--symlink", "usr/bin", "/bin", "--symlink", "usr/lib", "/lib",
    "--symlink", "usr/lib64", "/lib64", "--ro-bind-try", "/etc/fonts", "/etc/fonts",
    "--ro-bind-try", "/var/cache/fontconfig", "/var/cache/fontconfig", "--proc", "/proc",
    "--dev", "/dev", "--tmpfs", "/tmp",
  ]
  /// Of memory, of computing, and of waiting.
  private static let limits = [
    "timeout", "--signal=KILL", "20", "prlimit", "--as=1073741824", "--cpu=10",
  ]
}
