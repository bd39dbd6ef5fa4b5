import FoundationEssentials

/// What is known about the device, for a person and for support.
///
/// But for ``deviceID`` nothing in it tells one device from another of its kind: there is no host name and
/// no serial number. What is not known is nil; nothing is guessed.
public struct DeviceInformation: Sendable, Equatable {
  /// Whose device it is.
  ///
  /// It is an enum because there are these two ways, which are MSAL's.
  public enum Mode: String, Sendable {
    /// One person's: accounts stay signed in.
    case `private`
    /// Several people's, one after the other: signing out is for good.
    case shared
  }

  /// What became of asking for the identity broker.
  ///
  /// It is an enum because there is no fourth: there is one or none, and it answered or not.
  public enum Broker: Sendable, Equatable {
    /// There is none.
    case absent
    /// There is one, of this version.
    case present(version: String)
    /// There is one that did not tell its version.
    case failed(AuthenticationError)
  }

  /// Whose device it is.
  public var mode: Mode
  /// The identity broker; nil when the app was given no way to one.
  public var broker: Broker?
  /// The device's ID in Microsoft Entra ID; nil when no token that a broker gave tells it.
  public var deviceID: String?
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
  /// Whether the file system of `/` is encrypted.
  public var systemEncryption: DiskEncryption?
  /// Whether the file system of the person's home directory is encrypted.
  public var homeEncryption: DiskEncryption?
  /// Whether the firmware starts signed systems only; nil without UEFI, or where it does not tell.
  public var isSecureBootOn: Bool?

  /// Describes a device of which nothing more is known.
  public init(mode: Mode, architecture: String = DeviceInformation.architecture) {
    self.mode = mode
    self.architecture = architecture
  }

  /// Describes this device by what `files` tell.
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

  /// Reads the variable `SecureBoot` of UEFI (section 3.3): a byte behind the four that Linux puts before it.
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
