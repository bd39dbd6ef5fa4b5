import FoundationEssentials

/// What is known about the device.
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
  /// The system's name and version, from `os-release`; nil when there is no such file.
  public var operatingSystem: String?
  /// The version of the identity broker; nil when there is none.
  public var brokerVersion: String?

  /// Describes a device.
  public init(mode: Mode, operatingSystem: String? = nil, brokerVersion: String? = nil) {
    self.mode = mode
    self.operatingSystem = operatingSystem
    self.brokerVersion = brokerVersion
  }

  /// Describes this device.
  static func current(mode: Mode) -> DeviceInformation {
    let paths = ["/etc/os-release", "/usr/lib/os-release"]
    let text = paths.lazy.compactMap { try? String(contentsOfFile: $0, encoding: .utf8) }.first
    return DeviceInformation(mode: mode, operatingSystem: text.flatMap(prettyName))
  }

  /// The value of `PRETTY_NAME` in the text of an `os-release` file.
  static func prettyName(inOSRelease text: String) -> String? {
    for line in text.split(separator: "\n") where line.hasPrefix("PRETTY_NAME=") {
      let value = line.dropFirst("PRETTY_NAME=".count)
      return String(value.drop { "\"'".contains($0) }.prefix { !"\"'".contains($0) })
    }
    return nil
  }
}
