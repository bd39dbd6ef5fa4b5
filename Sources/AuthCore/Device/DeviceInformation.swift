import FoundationEssentials

/// What is known about the device, for a person and for support.
///
/// Nothing in it tells one device from another of its kind: there is no host name and no serial number.
public struct DeviceInformation: Sendable, Equatable {
  /// Whose device it is.
  public enum Mode: String, Sendable {
    /// One person's: accounts stay signed in.
    case `private`
    /// Several people's, one after the other: signing out is for good.
    case shared
  }

  /// Whose device it is.
  public var mode: Mode
  /// The system's name and version for people, such as `Debian GNU/Linux 12 (bookworm)`.
  ///
  /// This and the next two are from `os-release`, and nil when there is no such file or no such line in it.
  public var operatingSystem: String?
  /// The system's name for programs, such as `debian` (`ID`).
  public var operatingSystemID: String?
  /// The system's version, such as `12` (`VERSION_ID`).
  ///
  /// Systems that are always renewed have none.
  public var operatingSystemVersion: String?
  /// The kernel's release, such as `6.1.0-18-amd64`; nil when `/proc` does not tell it.
  public var kernelVersion: String?
  /// The processor's architecture, such as `x86_64` or `aarch64`.
  public var architecture: String

  /// Describes a device.
  public init(
    mode: Mode, operatingSystem: String? = nil, operatingSystemID: String? = nil,
    operatingSystemVersion: String? = nil, kernelVersion: String? = nil,
    architecture: String = DeviceInformation.architecture
  ) {
    self.mode = mode
    self.operatingSystem = operatingSystem
    self.operatingSystemID = operatingSystemID
    self.operatingSystemVersion = operatingSystemVersion
    self.kernelVersion = kernelVersion
    self.architecture = architecture
  }

  /// Describes this device.
  static func current(mode: Mode) -> DeviceInformation {
    let release = OSRelease(text(of: "/etc/os-release", "/usr/lib/os-release") ?? "")
    return DeviceInformation(
      mode: mode, operatingSystem: release["PRETTY_NAME"], operatingSystemID: release["ID"],
      operatingSystemVersion: release["VERSION_ID"],
      kernelVersion: text(of: "/proc/sys/kernel/osrelease")?.split(separator: "\n").first
        .map(String.init))
  }

  /// The architecture that this was built for.
  public static var architecture: String {
    #if arch(x86_64)
      "x86_64"
    #elseif arch(arm64)
      "aarch64"
    #elseif arch(riscv64)
      "riscv64"
    #else
      "unknown"
    #endif
  }

  private static func text(of paths: String...) -> String? {
    paths.lazy.compactMap { try? String(contentsOfFile: $0, encoding: .utf8) }.first
  }
}
