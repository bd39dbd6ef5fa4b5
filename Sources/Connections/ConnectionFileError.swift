import AuthCore
import Localization

/// What is wrong in `connections.json`, and where.
public struct ConnectionFileError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The line, counted from 1; nil when it is about the whole file.
  public var line: Int?
  /// The field, such as `connections[0].clientID`; nil when it is about the text itself.
  public var field: String?
  /// What is wrong, without a full stop.
  public var reason: String

  /// Whether it is the authority that cannot be used.
  public var isAboutAuthority: Bool { field?.hasSuffix(".authority") == true }

  /// Line, field and reason.
  public var description: String {
    var place: [String] = []
    if let line { place.append(tr("line {number}", ["number": String(line)])) }
    if let field { place.append(field) }
    return (place + [reason]).joined(separator: ": ").plain
  }
}
