import FoundationEssentials

/// The description of a release in the program's AppStream metadata.
public enum ReleaseNotes {
  /// The elements that describe `version`, as text; nil when there is no such release.
  ///
  /// - Parameter metadata: the text of the file.
  public static func find(_ version: String, in metadata: String) -> String? {
    guard
      let release = metadata.components(separatedBy: "<release version=\"\(version)\"")
        .dropFirst().first?.components(separatedBy: "</release>").first,
      let start = release.components(separatedBy: "<description").dropFirst().first,
      let end = start.firstIndex(of: ">")
    else { return nil }
    return start[start.index(after: end)...].components(separatedBy: "</description>").first
  }
}
