import Glibc

/// How WebKitGTK isolates web pages from the user's files, in this process.
///
/// An enum, because each is checked in its own way.
package enum PageSandbox: Sendable {
  /// In a sandbox of bubblewrap, which needs user namespaces.
  case bubblewrap
  /// In a sandbox that Flatpak starts for them, beside the app's own.
  case flatpak
  /// As the app itself: in the confinement of its Snap package, without a sandbox of their own.
  case snap

  /// What keeps bubblewrap from working.
  package enum Obstacle: Sendable, Equatable {
    /// AppArmor allows user namespaces only to programs with a profile.
    case appArmor
    /// A setting of the kernel, such as `user.max_user_namespaces`.
    case setting(String)
  }

  /// The one for this process: the environment at the first use counts.
  package static let current = PageSandbox(SystemFiles(homeDirectory: "")) { getenv($0) != nil }

  /// Determines it as WebKitGTK does, with one difference.
  ///
  /// WebKitGTK believes the variables of Snap, which also reach programs that are started in the
  /// terminal of an unconfined Snap package. So the kernel has to confirm the confinement, and
  /// without it the program has to remove ``snapVariables``.
  init(_ files: SystemFiles, hasVariable: (String) -> Bool) {
    if files.has("/.flatpak-info") {
      self = .flatpak
    } else if Self.snapVariables.allSatisfy(hasVariable), Self.isConfinedSnap(files) {
      self = .snap
    } else {
      self = .bubblewrap
    }
  }

  /// The variables that make WebKitGTK go without a sandbox.
  package static let snapVariables = ["SNAP", "SNAP_NAME", "SNAP_REVISION"]

  private static func isConfinedSnap(_ files: SystemFiles) -> Bool {
    guard let label = files.line("/proc/self/attr/current") else { return false }
    return label.hasPrefix("snap.") && label.hasSuffix(" (enforce)")
  }

  /// The programs that it needs, and their Debian packages.
  package var programs: [(name: String, package: String)] {
    switch self {
    case .bubblewrap: [("bwrap", "bubblewrap"), ("xdg-dbus-proxy", "xdg-dbus-proxy")]
    case .flatpak, .snap: []
    }
  }

  /// A command that succeeds if such a sandbox can be created; nil if none is.
  package var trial: [String]? {
    switch self {
    case .bubblewrap:
      // At least what WebKitGTK tries in a container, before it goes without a sandbox.
      [
        "bwrap", "--die-with-parent", "--unshare-user", "--unshare-all", "--ro-bind", "/", "/",
        "--proc", "/proc", "--dev", "/dev", "true",
      ]
    case .flatpak:
      // The option is the newest of those that WebKitGTK needs.
      ["flatpak-spawn", "--sandbox", "--sandbox-expose-path-ro-try=/nonexistent", "true"]
    case .snap: nil
    }
  }

  /// What is known to keep bubblewrap from working; nil if nothing is.
  package static var obstacle: Obstacle? { obstacle(SystemFiles(homeDirectory: "")) }

  static func obstacle(_ files: SystemFiles) -> Obstacle? {
    if files.line("/proc/sys/kernel/apparmor_restrict_unprivileged_userns") == "1" {
      return .appArmor
    }
    return ["kernel.unprivileged_userns_clone", "user.max_user_namespaces"].first {
      files.line("/proc/sys/\($0.replacing(".", with: "/"))") == "0"
    }.map { .setting($0) }
  }
}
