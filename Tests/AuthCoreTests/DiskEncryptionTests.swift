import AuthCore
import Testing

/// Lines are in the format of proc(5) and the kernel's `Documentation/filesystems/proc.rst`
/// (section 3.5); IDs in the format of cryptsetup and LVM.
@Suite("Disk encryption and Secure Boot")
struct DiskEncryptionTests {
  let tree: SystemTree

  init() throws { tree = try SystemTree() }

  static let luks = "CRYPT-LUKS2-0123456789abcdef0123456789abcdef-root"

  @Test("A file system directly on LUKS is encrypted; one on a plain partition is not")
  func plain() async throws {
    try tree.addDevice("sda", "8:0")
    try tree.addPartition("sda1", "8:1", of: "sda")
    try tree.addPartition("sda2", "8:2", of: "sda")
    try tree.addDevice("dm-0", "254:0", uuid: Self.luks, mapped: "root", parts: ["sda2"])
    try tree.mount(
      "22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw",
      "23 22 0:21 / /proc rw,nosuid - proc proc rw",
      "30 22 254:0 / /home rw,relatime shared:5 - ext4 /dev/mapper/root rw")
    let device = try await tree.device()
    #expect(device.systemEncryption == .notFound)
    #expect(device.homeEncryption == .encrypted)
  }

  @Test("LVM is encrypted if all of its devices are on LUKS", arguments: [true, false])
  func lvm(_ isWhole: Bool) async throws {
    try tree.addDevice("sda", "8:0")
    try tree.addDevice("sdb", "8:16")
    try tree.addDevice("dm-0", "254:0", uuid: Self.luks, parts: ["sda"])
    try tree.addDevice(
      "dm-1", "254:1", uuid: "LVM-abcdefghijklmnopqrstuvwxyz012345", mapped: "system-root",
      parts: isWhole ? ["dm-0"] : ["dm-0", "sdb"])
    try tree.mount("22 1 254:1 / / rw - xfs /dev/mapper/system-root rw")
    let device = try await tree.device()
    #expect(device.systemEncryption == (isWhole ? .encrypted : .notFound))
    #expect(device.homeEncryption == device.systemEncryption)
  }

  @Test(
    "Integrity protection is not encryption",
    arguments: ["CRYPT-VERITY-0123-root", "CRYPT-INTEGRITY-root", "CRYPT-SUBDEV-0123-root"])
  func integrity(_ uuid: String) async throws {
    try tree.addDevice("sda", "8:0")
    try tree.addDevice("dm-0", "254:0", uuid: uuid, parts: ["sda"])
    try tree.mount("22 1 254:0 / / ro - erofs /dev/mapper/root ro")
    #expect(try await tree.device().systemEncryption == .notFound)
    try tree.addDevice("dm-1", "254:1", uuid: Self.luks, parts: ["sda"])
    try tree.addDevice("dm-2", "254:2", uuid: uuid + "-2", parts: ["dm-1"])
    try tree.mount("22 1 254:2 / / ro - erofs /dev/mapper/root ro")
    #expect(try await tree.device().systemEncryption == .encrypted)
  }

  @Test("A partition of an encrypted disk is encrypted")
  func partition() async throws {
    try tree.addDevice("sda", "8:0")
    try tree.addDevice("dm-0", "254:0", uuid: Self.luks, parts: ["sda"])
    try tree.addDevice("md0", "9:0", parts: ["dm-0"])
    try tree.addPartition("md0p1", "259:0", of: "md0")
    try tree.mount("22 1 259:0 / / rw - ext4 /dev/md0p1 rw")
    #expect(try await tree.device().systemEncryption == .encrypted)
  }

  @Test("Btrfs is encrypted only if all of its devices are")
  func btrfs() async throws {
    try tree.addDevice("sda", "8:0")
    try tree.addDevice("dm-0", "254:0", uuid: Self.luks, mapped: "luks-1", parts: ["sda"])
    try tree.mount(
      "22 1 0:25 /root / rw - btrfs /dev/mapper/luks-1 rw,subvol=/root",
      "30 22 0:25 /home /home rw - btrfs /dev/mapper/luks-1 rw,subvol=/home")
    #expect(try await tree.device().homeEncryption == .encrypted)
    let devices = "/sys/fs/btrfs/9f4880d8-80ba-4c40-97bc-f7a23c703084/devices"
    try tree.link("\(devices)/dm-0", to: "/sys/class/block/dm-0")
    #expect(try await tree.device().homeEncryption == .encrypted)
    try tree.addDevice("sdb", "8:16")
    try tree.link("\(devices)/sdb", to: "/sys/class/block/sdb")
    #expect(try await tree.device().homeEncryption == .notFound)
    try tree.mount("22 1 0:25 / / rw - btrfs /dev/sdb rw")
    #expect(try await tree.device().systemEncryption == .notFound)
  }

  @Test(
    "Without a local, visible block device, the encryption is unknown",
    arguments: [
      "22 1 0:52 / / rw - overlay overlay rw,lowerdir=/a", "22 1 0:25 / / rw - zfs rpool/root rw",
      "22 1 0:40 / / rw - nfs4 server:/root rw", "22 1 8:1 / / rw - ext4 /dev/sda1 rw",
      "22 1 0:25 / / rw - btrfs /dev/mapper/gone rw", "not a line", "",
    ])
  func unknown(_ line: String) async throws {
    try tree.mount(line)
    let device = try await tree.device()
    #expect(device.systemEncryption == nil)
    #expect(device.homeEncryption == nil)
  }

  @Test("The encryption of a loop device's file is unknown")
  func loop() async throws {
    try tree.addDevice("loop0", "7:0")
    try tree.write("/sys/devices/virtual/block/loop0/loop/backing_file", "/var/disk.img\n")
    try tree.mount("22 1 7:0 / / rw - ext4 /dev/loop0 rw")
    #expect(try await tree.device().systemEncryption == nil)
  }

  @Test(
    "The mount of a path is the one with the longest prefix, and the last of two")
  func mounts() async throws {
    try tree.addDevice("sda", "8:0")
    try tree.addDevice("dm-0", "254:0", uuid: Self.luks)
    try tree.mount(
      "30 22 254:0 / /home rw shared:5 master:2 - ext4 /dev/mapper/root rw",
      "22 1 8:0 / / rw - ext4 /dev/sda rw", "31 22 254:0 / /home/ad rw - ext4 /dev/mapper/root rw")
    #expect(try await tree.device().homeEncryption == .encrypted)
    try tree.mount(
      "22 1 254:0 / / rw - ext4 /dev/mapper/root rw", "30 22 8:0 / / rw - ext4 /dev/sda rw",
      "31 22 254:0 / /home/adele\\040v rw - ext4 /dev/mapper/root rw")
    #expect(try await tree.device().homeEncryption == .notFound)
    try tree.mount(
      "22 1 8:0 / / rw - ext4 /dev/sda rw",
      "31 22 254:0 / /home/\\141dele rw - ext4 /dev/mapper/root rw")
    #expect(try await tree.device().homeEncryption == .encrypted)
  }

  /// Four bytes of attributes, followed by the value (the kernel's
  /// `Documentation/filesystems/efivarfs.rst`; UEFI 2.10, section 3.3).
  @Test(
    "Secure Boot is on, off or unknown",
    arguments: [
      ([6, 0, 0, 0, 1], true), ([6, 0, 0, 0, 0], false), ([6, 0, 0, 0, 2], nil),
      ([6, 0, 0, 0], nil), ([1], nil), ([], nil), (nil, nil),
    ] as [([UInt8]?, Bool?)])
  func secureBoot(_ bytes: [UInt8]?, _ isOn: Bool?) async throws {
    let name = "SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c"
    if let bytes { try tree.write("/sys/firmware/efi/efivars/\(name)", bytes) }
    #expect(try await tree.device().isSecureBootOn == isOn)
  }

  @Test("The operating system's name is from /etc, or else from /usr/lib, or missing")
  func names() async throws {
    let nothing = try await tree.device()
    #expect(nothing.operatingSystem == nil && nothing.operatingSystemID == nil)
    #expect(nothing.operatingSystemVersion == nil && nothing.kernelVersion == nil)
    #expect(nothing.isSecureBootOn == nil && nothing.systemEncryption == nil)
    #expect(nothing.broker == nil && nothing.deviceID == nil)
    try tree.write("/usr/lib/os-release", "ID=fedora\nVERSION_ID=41\nPRETTY_NAME=\"Fedora 41\"\n")
    #expect(try await tree.device().operatingSystemID == "fedora")
    try tree.write("/etc/os-release", "ID=arch\nPRETTY_NAME=\"Arch Linux\"\n")
    try tree.write("/proc/sys/kernel/osrelease", "6.1.0-18-amd64\n")
    let device = try await tree.device()
    #expect(device.operatingSystem == "Arch Linux")
    #expect(device.operatingSystemVersion == nil)
    #expect(device.kernelVersion == "6.1.0-18-amd64")
  }
}
