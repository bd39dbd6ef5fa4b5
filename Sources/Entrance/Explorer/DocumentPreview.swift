import Gtk

/// The first page of a PDF document, as a picture.
///
/// Poppler's program makes it, and not its library: a document from outside is read in a sandbox, which
/// has no files, no network and a limit of memory and time.
@MainActor
enum DocumentPreview {
  /// Makes the picture.
  ///
  /// - Returns: nil when the document cannot be read, or when a program is not installed.
  static func firstPage(of document: [UInt8]) async -> Texture? {
    guard
      let picture = try? await Subprocess.output(of: sandbox + limits + program, input: document)
    else { return nil }
    return await Texture.decode(picture)
  }

  private static let sandbox = [
    "bwrap", "--unshare-all", "--die-with-parent", "--new-session", "--clearenv",
    "--ro-bind", "/usr", "/usr", "--symlink", "usr/bin", "/bin", "--symlink", "usr/lib", "/lib",
    "--symlink", "usr/lib64", "/lib64", "--ro-bind-try", "/etc/fonts", "/etc/fonts",
    "--ro-bind-try", "/var/cache/fontconfig", "/var/cache/fontconfig", "--proc", "/proc",
    "--dev", "/dev", "--tmpfs", "/tmp",
  ]
  private static let limits = ["prlimit", "--as=1073741824", "--cpu=10"]
  private static let program = [
    "pdftocairo", "-png", "-singlefile", "-f", "1", "-l", "1", "-scale-to", "1600", "-", "-",
  ]
}
