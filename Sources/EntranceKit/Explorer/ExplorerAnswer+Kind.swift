import FoundationEssentials
import Localization

// What kind of content an answer has.
extension ExplorerAnswer {
  /// The kind of the body in words, with its size, such as “PDF document, 1 MB”.
  public var kindText: String {
    tr("{kind}, {size}", ["kind": kind, "size": ByteSize.text(original.count)])
  }

  private var kind: String {
    let type = contentType.lowercased().prefix { $0 != ";" && !$0.isWhitespace }
    let name: String? =
      switch type {
      case "application/pdf": tr("PDF document")
      case "application/zip", "application/x-zip-compressed": tr("ZIP archive")
      case "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        "application/msword":
        tr("Word document")
      case "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        "application/vnd.ms-excel":
        tr("Excel workbook")
      case "application/vnd.openxmlformats-officedocument.presentationml.presentation",
        "application/vnd.ms-powerpoint":
        tr("PowerPoint presentation")
      case "application/octet-stream", "": tr("Unknown file type")
      case _ where type.hasPrefix("image/"): tr("Picture")
      case _ where type.hasPrefix("audio/"): tr("Audio")
      case _ where type.hasPrefix("video/"): tr("Video")
      default: nil
      }
    return name ?? String(type)
  }

  /// A text in another encoding than UTF-8, as its media type or its first bytes say; nil when it is
  /// none.
  static func text(of body: Data, _ type: String) -> String? {
    guard type.hasPrefix("text/"), String(validating: body, as: UTF8.self) == nil else {
      return nil
    }
    let bytes = [UInt8](body)
    let charset = type.split(separator: ";").dropFirst().lazy
      .map { $0.filter { !$0.isWhitespace && $0 != "\"" } }
      .first { $0.hasPrefix("charset=") }?.dropFirst(8)
    if bytes.starts(with: [0xFF, 0xFE]) || charset == "utf-16le" { return utf16(bytes, false) }
    if bytes.starts(with: [0xFE, 0xFF]) || charset == "utf-16be" || charset == "utf-16" {
      return utf16(bytes, true)
    }
    guard ["iso-8859-1", "windows-1252", "us-ascii"].contains(charset), !bytes.contains(0) else {
      return nil
    }
    var text = String.UnicodeScalarView()
    // The controls of ISO 8859-1 are in no text; browsers read its name as Windows-1252, too
    // (WHATWG, Encoding, section 4.2).
    for byte in bytes {
      let value = 0x80..<0xA0 ~= byte ? windows1252[Int(byte) - 0x80] : UInt32(byte)
      text.append(Unicode.Scalar(value) ?? "\u{FFFD}")
    }
    return String(text)
  }

  private static func utf16(_ bytes: [UInt8], _ isBigEndian: Bool) -> String {
    let units = stride(from: 0, to: bytes.count - 1, by: 2).map { index in
      let (one, other) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
      return isBigEndian ? one << 8 | other : other << 8 | one
    }
    return String(decoding: units.first == 0xFEFF ? units.dropFirst() : units[...], as: UTF16.self)
  }

  /// The characters 0x80 to 0x9F (WHATWG, Encoding, index windows-1252).
  private static let windows1252: [UInt32] = [
    0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039,
    0x0152, 0x8D, 0x017D, 0x8F, 0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
    0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D, 0x017E, 0x0178,
  ]
}
