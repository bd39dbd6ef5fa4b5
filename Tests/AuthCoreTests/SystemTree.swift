import AuthCore
import FoundationEssentials
import TestSupport

/// A tree with `/etc`, `/proc` and `/sys`, as created by a kernel and an administrator.
struct SystemTree {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  /// The files, for a user whose home directory is `/home/adele`.
  var files: SystemFiles { SystemFiles(root: directory.path, homeDirectory: "/home/adele") }

  /// The device information of an app.
  func device() async throws -> DeviceInformation {
    await PublicClientApplication(
      configuration: try TestApplication.configuration(), runtime: Runtime(systemFiles: files)
    ).deviceInformation()
  }

  func write(_ path: String, _ bytes: some Sequence<UInt8>) throws {
    try makeParent(of: path)
    try Data(bytes).write(to: URL(filePath: directory.path + path))
  }

  func write(_ path: String, _ text: String) throws { try write(path, text.utf8) }

  /// Creates a symbolic link, whose target is within the tree.
  func link(_ path: String, to target: String) throws {
    try makeParent(of: path)
    try FileManager.default.createSymbolicLink(
      atPath: directory.path + path, withDestinationPath: directory.path + target)
  }

  func makeDirectory(_ path: String) throws {
    try FileManager.default.createDirectory(
      atPath: directory.path + path, withIntermediateDirectories: true)
  }

  private func makeParent(of path: String) throws {
    try makeDirectory(String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]))
  }

  // MARK: - Block devices

  /// Adds a block device in the format of sysfs.
  ///
  /// - Parameters:
  ///   - number: its major and minor number.
  ///   - uuid: the device mapper's ID, if it is a mapped device.
  ///   - parts: the names of the devices that it is made of.
  func addDevice(
    _ name: String, _ number: String, uuid: String? = nil, mapped: String? = nil,
    parts: [String] = []
  ) throws {
    let device = "/sys/devices/virtual/block/\(name)"
    try makeDirectory("\(device)/slaves")
    if let uuid { try write("\(device)/dm/uuid", uuid + "\n") }
    if let mapped { try write("\(device)/dm/name", mapped + "\n") }
    for part in parts { try link("\(device)/slaves/\(part)", to: "/sys/class/block/\(part)") }
    try link("/sys/class/block/\(name)", to: device)
    try link("/sys/dev/block/\(number)", to: device)
  }

  /// Adds a partition of a device.
  func addPartition(_ name: String, _ number: String, of disk: String) throws {
    let partition = "/sys/devices/virtual/block/\(disk)/\(name)"
    try write("\(partition)/partition", "1\n")
    try link("/sys/class/block/\(name)", to: partition)
    try link("/sys/dev/block/\(number)", to: partition)
  }

  /// Writes the mounts, in lines of `/proc/self/mountinfo`.
  func mount(_ lines: String...) throws {
    try write("/proc/self/mountinfo", lines.joined(separator: "\n") + "\n")
  }
}
