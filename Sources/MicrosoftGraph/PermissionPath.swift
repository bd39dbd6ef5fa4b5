import AuthCore
import CurlHTTP
import FoundationEssentials

/// The path of a request, in the form of the paths of ``PermissionTable``.
struct PermissionPath: Hashable {
  /// A segment.
  struct Segment: Hashable {
    /// Its text, in lower case; empty for a value that the caller has yet to write, `{id}`.
    var text: [UInt8]
    /// Whether it can be a value, for which the table has a placeholder.
    var canBeValue: Bool
    /// Whether it is the name of a type, to which the segments before it are cast.
    var isCast = false

    /// What is between colons, such as the path of a file.
    static let colons = Segment(text: [UInt8(ascii: ":")], canBeValue: false)
    /// Any value.
    static let value = Segment(text: [], canBeValue: true)

    init(text: [UInt8], canBeValue: Bool) {
      self.text = text
      self.canBeValue = canBeValue
    }

    /// A name, which is no value if it begins with `$`, or is that of a type or of `delta`.
    init(name: [UInt8]) {
      let namespace = Array("microsoft.graph.".utf8)
      isCast = name.starts(with: namespace)
      text = isCast ? Array(name.dropFirst(namespace.count)) : name
      canBeValue = !isCast && name.first != UInt8(ascii: "$") && name != Array("delta".utf8)
    }

    fileprivate func `is`(_ name: StaticString) -> Bool {
      text.elementsEqual(UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
    }
  }

  /// No path of the table has more; each is compared with all of its paths.
  static let maximumCount = 40

  private(set) var segments: [Segment]
  /// Whether a path of any user stands for one of the caller, `me`.
  private(set) var isOfCaller = false

  /// Reads a path or a whole URL; nil when it has too many segments.
  init?(_ text: some StringProtocol) {
    var bytes = Array(text.utf8)[...]
    bytes = bytes.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
    let beginning = String(decoding: bytes.prefix(8), as: UTF8.self).lowercased()
    if let scheme = ["https://", "http://"].first(where: beginning.hasPrefix) {
      bytes = bytes.dropFirst(scheme.utf8.count).drop { $0 != UInt8(ascii: "/") }
    }
    var parts = Self.split(bytes).map(Self.decoded)
    if let first = parts.first, ["v1.0", "beta"].contains(String(decoding: first, as: UTF8.self)) {
      parts.removeFirst()
    }
    segments = []
    var isBetweenColons = false
    for part in parts {
      let endsWithColon = part.last == UInt8(ascii: ":")
      if isBetweenColons {
        isBetweenColons = !endsWithColon
        continue
      }
      segments += Self.segments(endsWithColon ? part.dropLast() : part[...])
      if endsWithColon { segments.append(.colons) }
      isBetweenColons = endsWithColon
    }
    // `root:` without a path is `root`.
    if isBetweenColons, parts.last?.last == UInt8(ascii: ":"), segments.last == .colons {
      segments.removeLast()
    }
    guard segments.count <= Self.maximumCount else { return nil }
  }

  // MARK: Reading

  /// What is between slashes, without what is empty; a slash of a parameter separates nothing.
  private static func split(_ bytes: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
    var parts: [ArraySlice<UInt8>] = []
    var start = bytes.startIndex
    var isInParentheses = false
    var isQuoted = false
    for index in bytes.indices {
      switch bytes[index] {
      case UInt8(ascii: "'") where isInParentheses: isQuoted.toggle()
      case UInt8(ascii: "("): isInParentheses = true
      case UInt8(ascii: ")") where !isQuoted: isInParentheses = false
      case UInt8(ascii: "/") where !isQuoted:
        parts.append(bytes[start..<index])
        start = index + 1
        isInParentheses = false
      default: break
      }
    }
    parts.append(bytes[start...])
    return parts.filter { !$0.isEmpty }
  }

  /// A segment without percent-encoding, in lower case; what is no encoding remains.
  private static func decoded(_ part: ArraySlice<UInt8>) -> [UInt8] {
    FormEncoding.lenientlyDecoded(Array(part)).map(\.lowercased)
  }

  /// The segments that a part is: `items('1')` is `items` and a value, `delta()` is `delta`, and
  /// a function has the names of its parameters.
  private static func segments(_ part: ArraySlice<UInt8>) -> [Segment] {
    guard !part.isEmpty else { return [] }
    guard part.first != UInt8(ascii: "{") else { return [.value] }
    guard let start = part.firstIndex(of: UInt8(ascii: "(")), start > part.startIndex,
      part.last == UInt8(ascii: ")")
    else { return [Segment(name: Array(part))] }
    let name = Segment(name: Array(part[..<start]))
    let parameters = Self.parameters(part[(start + 1)...].dropLast())
    switch parameters {
    case .none: return [name]
    case .key: return [name, .value]
    case .names(let names):
      let list = names.joined(separator: [UInt8(ascii: ",")])
      let text = name.text + [UInt8(ascii: "(")] + list + [UInt8(ascii: ")")]
      return [Segment(text: text, canBeValue: false)]
    }
  }

  private enum Parameters {
    case none
    case key
    case names([[UInt8]])
  }

  private static func parameters(_ text: ArraySlice<UInt8>) -> Parameters {
    var isQuoted = false
    var names: [[UInt8]] = []
    var name: [UInt8] = []
    var isName = true
    for byte in text {
      switch byte {
      case UInt8(ascii: "'"): isQuoted.toggle()
      case UInt8(ascii: ",") where !isQuoted:
        names.append(name)
        name = []
        isName = true
      case UInt8(ascii: "=") where !isQuoted: isName = false
      case UInt8(ascii: " "): break
      default: if isName && !isQuoted { name.append(byte) }
      }
    }
    names.append(name)
    if text.allSatisfy({ $0 == UInt8(ascii: " ") }) { return .none }
    guard !isName else { return .key }
    return .names(names.sorted { $0.lexicographicallyPrecedes($1) })
  }

  // MARK: Other forms

  /// This path and others that need the same permissions, the nearest first.
  var forms: [PermissionPath] {
    let others = [
      \PermissionPath.withItemByID, \.withoutParameters, \.withKeys, \.withoutCasts,
      \.withoutSystemSegment, \.ofDrive, \.ofUser,
    ]
    return others.reduce(into: [self]) { forms, other in
      forms += forms.compactMap { form in
        var changed = form
        changed.segments = form[keyPath: other]
        changed.isOfCaller = form.isOfCaller || other == \.ofUser
        return changed.segments == form.segments ? nil : changed
      }
    }
  }

  /// `root:/{path}:` as `items/{id}`, and `{id}:/{path}:` as `{id}`.
  private var withItemByID: [Segment] {
    guard let colons = segments.firstIndex(of: .colons), colons > 0 else { return segments }
    var before = segments[..<colons]
    if before.last?.is("root") == true {
      before = before.dropLast() + [Segment(name: Array("items".utf8)), .value]
    } else if before.dropLast().last?.is("special") == true {
      before = before.dropLast(2) + [Segment(name: Array("items".utf8)), .value]
    }
    return Array(before + segments[(colons + 1)...])
  }

  /// A function without the names of its parameters, which the table does not always have.
  private var withoutParameters: [Segment] {
    segments.map { segment in
      guard let start = segment.text.firstIndex(of: UInt8(ascii: "(")) else { return segment }
      return Segment(text: Array(segment.text[..<start]), canBeValue: false)
    }
  }

  /// `applications(appId={value})` as `applications/{id}`.
  private var withKeys: [Segment] {
    segments.flatMap { segment -> [Segment] in
      guard let start = segment.text.firstIndex(of: UInt8(ascii: "(")) else { return [segment] }
      return [Segment(name: Array(segment.text[..<start])), .value]
    }
  }

  private var withoutCasts: [Segment] {
    segments.filter { !$0.isCast }
  }

  /// Without `$count`, `$value` or `$ref` at the end.
  private var withoutSystemSegment: [Segment] {
    guard let last = segments.last else { return segments }
    let isSystem = last.is("$count") || last.is("$value") || last.is("$ref")
    return isSystem ? segments.dropLast() : segments
  }

  /// A drive of a site, group or user by its own path, `drives/{id}/…`.
  private var ofDrive: [Segment] {
    let drives = segments.lastIndex { $0.is("drives") }
    guard let drives, drives > 0, drives + 1 < segments.count else { return segments }
    return Array(segments[drives...])
  }

  /// `me/…` as `users/{id}/…`.
  private var ofUser: [Segment] {
    guard let first = segments.first, first.is("me") else { return segments }
    return [Segment(name: Array("users".utf8)), .value] + segments.dropFirst()
  }
}
