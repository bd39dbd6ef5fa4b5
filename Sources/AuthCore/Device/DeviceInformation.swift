import FoundationEssentials

/// Facts about the device, for the user and for support.
///
/// Apart from ``deviceID``, nothing in it identifies the device: there is no host name and no
/// serial number. Unknown values are nil; nothing is guessed.
public struct DeviceInformation: Sendable, Equatable {
  /// Who uses the device.
  ///
  /// An enum, because MSAL has only these two modes.
  public enum Mode: String, Sendable {
    /// One person: accounts stay signed in.
    case `private`
    /// Several people, one after the other: signing out removes everything.
    case shared
  }

  /// Whether there is an identity broker.
  ///
  /// An enum, because no other value is possible: there is one or none, and it answered or not.
  public enum Broker: Sendable, Equatable {
    /// There is none.
    case absent
    /// There is one, with this version.
    case present(version: String)
    /// There is one, but the call for its version failed.
    case failed(AuthenticationError)
  }

  /// Who uses the device.
  public var mode: Mode
  /// The identity broker; nil when the app has no ``TokenBroker``.
  public var broker: Broker?
  /// The device's ID in Microsoft Entra ID; nil when no token from a broker contains it.
  public var deviceID: String?
  /// The operating system's display name, such as `Debian GNU/Linux 12 (bookworm)`.
  ///
  /// This and the next two are from `os-release`, and nil when the file or the line is missing.
  public var operatingSystem: String?
  /// The operating system's identifier, such as `debian` (`ID`).
  public var operatingSystemID: String?
  /// The operating system's version, such as `12` (`VERSION_ID`).
  ///
  /// Rolling releases have none.
  public var operatingSystemVersion: String?
  /// The kernel's release, such as `6.1.0-18-amd64`; nil when it cannot be read from `/proc`.
  public var kernelVersion: String?
  /// The processor's architecture, such as `x86_64` or `aarch64`.
  public var architecture: String
  /// Whether the file system of `/` is encrypted.
  public var systemEncryption: DiskEncryption?
  /// Whether the file system of the user's home directory is encrypted.
  public var homeEncryption: DiskEncryption?
  /// Whether Secure Boot is on; nil without UEFI, or when it is unknown.
  public var isSecureBootOn: Bool?

  /// Creates a description with only these values.
  public init(mode: Mode, architecture: String = DeviceInformation.architecture) {
    self.mode = mode
    self.architecture = architecture
  }

  /// Describes this device from `files`.
  init(mode: Mode, _ files: SystemFiles) {
    self.init(mode: mode)
    let release = OSRelease(
      files.text("/etc/os-release") ?? files.text("/usr/lib/os-release") ?? "")
    operatingSystem = release["PRETTY_NAME"]
    operatingSystemID = release["ID"]
    operatingSystemVersion = release["VERSION_ID"]
    kernelVersion = files.line("/proc/sys/kernel/osrelease")
    systemEncryption = DiskEncryption(of: "/", files)
    homeEncryption = DiskEncryption(of: files.homeDirectory, files)
    isSecureBootOn = Self.secureBoot(files)
  }

  /// The architecture that this program was built for.
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

  /// Reads UEFI's variable `SecureBoot` (section 3.3): one byte, after the four that Linux puts
  /// before it.
  private static func secureBoot(_ files: SystemFiles) -> Bool? {
    let path = "/sys/firmware/efi/efivars/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c"
    guard let bytes = files.data(path), bytes.count == 5 else { return nil }
    return switch bytes.last {
    case 0: false
    case 1: true
    default: nil
    }
  }
}
