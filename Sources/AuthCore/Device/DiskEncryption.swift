/// Whether a file system's data is encrypted on the disk.
///
/// An enum, because the answer is yes or no; when it is unknown, there is no value.
public enum DiskEncryption: String, Sendable {
  /// All of it, with the kernel's disk encryption (dm-crypt, which LUKS uses).
  case encrypted
  /// Not all of it, as far as the kernel shows.
  ///
  /// Encryption by a file system or a drive itself is not visible.
  case notFound
}

extension DiskEncryption {
  /// Determines the encryption of the file system with `path`, from what any user can read.
  ///
  /// Nil for a file system without local block devices (network, memory, container), and for ZFS.
  init?(of path: String, _ files: SystemFiles) {
    guard let mount = Mount(holding: path, files) else { return nil }
    let devices = mount.devices(files)
    let found = devices.map { Self.isEncrypted($0, files) }
    guard !found.isEmpty, !found.contains(nil) else { return nil }
    self = found.allSatisfy { $0 == true } ? .encrypted : .notFound
  }

  /// Whether a block device, or all devices that it is made of, are encrypted; nil when it is
  /// unknown.
  ///
  /// - Parameter device: its directory in `/sys`.
  private static func isEncrypted(_ device: String, _ files: SystemFiles) -> Bool? {
    guard files.has(device) else { return nil }
    if let id = files.line("\(device)/dm/uuid"), id.hasPrefix("CRYPT-") {
      // dm-integrity devices, which only detect changes, have the same prefix.
      let kind = id.dropFirst("CRYPT-".count).prefix { $0 != "-" }
      if !["VERITY", "INTEGRITY", "SUBDEV"].contains(kind) { return true }
    }
    // A loop device: its file is in another file system, which this does not examine.
    if files.has("\(device)/loop/backing_file") { return nil }
    // For a partition, look at its disk.
    let disk = files.has("\(device)/partition") ? "\(device)/.." : device
    let parts = files.names(in: "\(disk)/slaves")
    guard !parts.isEmpty else { return false }
    let found = parts.map { isEncrypted("\(disk)/slaves/\($0)", files) }
    return found.contains(nil) ? nil : found.allSatisfy { $0 == true }
  }
}

/// A line of `/proc/self/mountinfo` (proc(5)).
private struct Mount {
  /// Where it is mounted.
  let point: String
  /// Major and minor number of its device.
  let number: String
  let type: String
  /// The device, as it was named when mounting.
  let source: String

  /// Finds the mount that contains `path`.
  init?(holding path: String, _ files: SystemFiles) {
    let mounts = files.text("/proc/self/mountinfo")?.split(separator: "\n").compactMap(Mount.init)
    // Of two mounts at one point, the later hides the earlier.
    let found = mounts?.filter { $0.holds(path) }.reduce(nil as Mount?) { best, mount in
      best.map { $0.point.utf8.count > mount.point.utf8.count } == true ? best : mount
    }
    guard let found else { return nil }
    self = found
  }

  private init?(_ line: Substring) {
    let fields = line.split(separator: " ")
    guard fields.count > 6, let dash = fields.firstIndex(of: "-"), fields.count > dash + 2 else {
      return nil
    }
    number = String(fields[2])
    point = Self.unescaped(fields[4])
    type = String(fields[dash + 1])
    source = Self.unescaped(fields[dash + 2])
  }

  private func holds(_ path: String) -> Bool {
    point == "/" || path == point || path.hasPrefix(point + "/")
  }

  /// The `/sys` directories of its devices; empty when they are unknown.
  func devices(_ files: SystemFiles) -> [String] {
    guard number.hasPrefix("0:") else { return ["/sys/dev/block/\(number)"] }
    // Btrfs has no block device number of its own, and may be on several devices.
    guard type == "btrfs", let name = blockName(files) else { return [] }
    for id in files.names(in: "/sys/fs/btrfs") {
      let names = files.names(in: "/sys/fs/btrfs/\(id)/devices")
      if names.contains(name) { return names.map { "/sys/class/block/\($0)" } }
    }
    return ["/sys/class/block/\(name)"]
  }

  /// The kernel's name of the source, such as `dm-0` for `/dev/mapper/root`.
  private func blockName(_ files: SystemFiles) -> String? {
    guard source.hasPrefix("/dev/") else { return nil }
    let mapped = "/dev/mapper/"
    guard source.hasPrefix(mapped) else { return String(source.dropFirst("/dev/".count)) }
    let name = source.dropFirst(mapped.count)
    return files.names(in: "/sys/class/block").first {
      files.line("/sys/class/block/\($0)/dm/name").map { $0 == name } == true
    }
  }

  /// Decodes the kernel's escapes of blanks and backslashes, such as `\040`.
  private static func unescaped(_ text: Substring) -> String {
    var bytes: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      let digits = rest.prefix(3)
      if byte == UInt8(ascii: "\\"), digits.count == 3,
        let code = UInt8(String(decoding: digits, as: UTF8.self), radix: 8)
      {
        bytes.append(code)
        rest = rest.dropFirst(3)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
