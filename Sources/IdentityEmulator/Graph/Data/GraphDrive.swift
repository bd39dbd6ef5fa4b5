import FoundationEssentials

/// The files of a drive.
enum GraphDrive {
  /// The ID of the drive of a user, group or site.
  static func id(ofOwner owner: String) -> String { "b!" + Data(owner.utf8).base64URL }

  /// The owner of a drive.
  static func owner(_ drive: String) -> String? {
    guard drive.hasPrefix("b!"), let data = Data(base64URL: drive.dropFirst(2)) else { return nil }
    return String(decoding: data, as: UTF8.self)
  }

  static func rootID(_ drive: String) -> String { itemID(drive, "/") }

  private static func itemID(_ drive: String, _ path: String) -> String {
    "01" + GUID.derived(from: drive + path).filter { $0 != "-" }.uppercased().prefix(24)
  }

  /// The folders, and the files with their sizes in bytes.
  private static let tree: [(path: String, size: Int?)] = [
    ("/Documents", nil), ("/Documents/Reports", nil), ("/Pictures", nil), ("/Videos", nil),
    ("/Attachments", nil), ("/Read me.txt", 1 << 10), ("/Documents/Notes.txt", 12 << 10),
    ("/Documents/Letter & more #1.txt", 3 << 10), ("/Documents/Übersicht.txt", 5 << 10),
    ("/Documents/Reports/2025.pdf", 640 << 10), ("/Documents/Reports/2026.pdf", 2_500_000),
    ("/Documents/Budget.xlsx", 90 << 10), ("/Pictures/Lake.png", 9_388),
    ("/Pictures/Mountain.png", 9_388), ("/Videos/Workshop.mp4", 50_000_000),
  ]

  static func items(of drive: String) -> [GraphSeeds.Seed] {
    let root = item(drive, "/", size: nil)
    return [(root, nil)]
      + tree.enumerated().map { index, entry in
        let isPicture = entry.path.hasSuffix(".png")
        let content: GraphContent? = entry.size.map { size in
          isPicture
            ? .bytes(ProfilePhoto.png(background: index % 2 == 0 ? 0x1F6F8B : 0x4F7942))
            : .generated(
              seed: UInt64(index), count: size, isText: entry.path.hasSuffix(".txt"))
        }
        return (item(drive, entry.path, size: content?.count), content)
      }
  }

  private static func item(_ drive: String, _ path: String, size: Int?) -> JSON {
    let parts = path.split(separator: "/")
    let parent = parts.dropLast().map { "/\($0)" }.joined()
    let id = itemID(drive, path)
    var item = new(
      id: id, name: String(parts.last ?? "root"), drive: drive,
      parent: parts.isEmpty ? nil : itemID(drive, parent.isEmpty ? "/" : parent), size: size,
      at: "2026-01-12T09:00:00Z")
    if parts.isEmpty { item["root"] = [:] }
    return item
  }

  /// A file, or a folder without a size.
  static func new(
    id: String, name: String, drive: String, parent: String?, size: Int?, at time: String
  ) -> JSON {
    var item: JSON = [
      "id": .string(id), "name": .string(name), "createdDateTime": .string(time),
      "lastModifiedDateTime": .string(time), "size": .number(size ?? 0),
      "webUrl": .string("https://contoso.example/personal/\(Form.encode(name))"),
      "fileSystemInfo": [
        "createdDateTime": .string(time), "lastModifiedDateTime": .string(time),
      ],
    ]
    var reference: JSON = [
      "driveId": .string(drive), "driveType": "business",
    ]
    if let parent { reference["id"] = .string(parent) }
    item["parentReference"] = reference
    item[size == nil ? "folder" : "file"] =
      size == nil ? ["childCount": 0] : ["mimeType": .string(mimeType(name))]
    return item
  }

  private static func mimeType(_ name: String) -> String {
    switch name.split(separator: ".").last?.lowercased() {
    case "txt", "md": "text/plain"
    case "pdf": "application/pdf"
    case "png": "image/png"
    case "jpg", "jpeg": "image/jpeg"
    case "mp4": "video/mp4"
    case "json": "application/json"
    case "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
    default: "application/octet-stream"
    }
  }
}
