import AuthCore
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

  /// Why a body that is to be JSON is shown only as it came; nil for JSON, and for what need not be
  /// it.
  ///
  /// A very large one is not looked through again.
  var jsonProblem: String? {
    let type = contentType.lowercased().prefix { $0 != ";" && !$0.isWhitespace }
    guard pretty == nil, !original.isEmpty, original.count <= ExplorerRequest.largestChecked,
      type.hasSuffix("/json") || type.hasSuffix("+json")
    else { return nil }
    do throws(JSONError) {
      _ = try JSON(parsing: original)
      return nil
    } catch {
      return tr(
        "The response is not valid JSON, line {line}, column {column}: {reason}.",
        ["line": error.line, "column": error.column, "reason": error.reason]
      ).shown(upTo: 1000)
    }
  }
}
