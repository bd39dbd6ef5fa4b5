import AuthCore

/// The text of a JSON file that a person edits by hand, changed in places: comments, blanks and whatever
/// is not changed stay as they are.
struct JSONText: Sendable, Equatable {
  /// The text, as UTF-8.
  private(set) var bytes: [UInt8]
  /// What it says.
  private(set) var json: JSON
  /// Where each value stands, by its path.
  private(set) var places: [String: JSONPlace]

  init(_ bytes: [UInt8]) throws(JSONError) {
    self.bytes = bytes
    (json, places) = try JSON.parseEditable(bytes)
  }

  /// Reads the text of `apps.json`.
  init(file bytes: [UInt8]) throws(ConnectionFileError) {
    do throws(JSONError) {
      try self.init(bytes)
    } catch {
      throw ConnectionFileError(error)
    }
  }

  /// The text of the value at `path`; empty when there is none.
  func text(of path: String) -> [UInt8] {
    places[path].map { Array(bytes[$0.value]) } ?? []
  }

  // MARK: Members

  /// Gives the member `name` of the object at `path` another value; nil removes it.
  mutating func set(_ name: String, of path: String, to value: JSON?) throws(JSONError) {
    let place = places[Self.path(path, name)]
    switch (value, place) {
    case (nil, nil): return
    case (nil, let place?):
      let names = members(of: path)
      let index = names.firstIndex(of: name) ?? 0
      let before = index == 0 ? nil : places[Self.path(path, names[index - 1])]
      try remove(place, after: before)
    case (let value?, let place?):
      try replace(place.value, with: indented(value, like: place))
    case (let value?, nil):
      let last = members(of: path).last.flatMap { places[Self.path(path, $0)] }
      try append(JSON.string(name).compactText + ": ", value, to: path, after: last)
    }
  }

  private func members(of path: String) -> [String] {
    value(at: path)?.object?.map(\.name) ?? []
  }

  // MARK: Elements

  /// Puts `value` into the array at `path`, before the element that has this index now.
  mutating func insert(_ value: JSON, at index: Int, of path: String) throws(JSONError) {
    guard let next = places["\(path)[\(index)]"] else {
      return try append("", value, to: path, after: places["\(path)[\(index - 1)]"])
    }
    let text = indented(value, like: next)
    try replace(
      next.bytes.lowerBound..<next.bytes.lowerBound,
      with: text + Array(",".utf8) + lineBreak(before: next))
  }

  /// Puts the text of a value into the array at `path`, before the element that has this index now.
  mutating func insert(text: [UInt8], at index: Int, of path: String) throws(JSONError) {
    try insert(.null, at: index, of: path)
    guard let place = places["\(path)[\(index)]"] else { return }
    try replace(place.value, with: text)
  }

  /// Takes an element out of the array at `path`.
  mutating func remove(at index: Int, of path: String) throws(JSONError) {
    guard let place = places["\(path)[\(index)]"] else { return }
    try remove(place, after: places["\(path)[\(index - 1)]"])
  }

  // MARK: Changes of the text

  private mutating func replace(_ range: Range<Int>, with text: [UInt8]) throws(JSONError) {
    var new = bytes
    new.replaceSubrange(range, with: text)
    self = try JSONText(new)
  }

  /// Adds a member or an element at the end of the object or array at `path`, on a line of its own if the
  /// one before it has one.
  private mutating func append(
    _ name: String, _ value: JSON, to path: String, after last: JSONPlace?
  ) throws(JSONError) {
    guard let container = places[path] else { return }
    let end = container.value.upperBound - 1
    guard let last else {
      // Behind the bracket that opens it; what was there is blanks and comments.
      let text = Self.text(name, value, indent: indent(of: container) + Self.step)
      let isOnOneLine = !bytes[container.value.lowerBound + 1..<end].contains(Self.newline)
      let ending = isOnOneLine ? [Self.newline] + indent(of: container) : []
      let start = container.value.lowerBound + 1
      return try replace(
        start..<start, with: [Self.newline] + indent(of: container) + Self.step + text + ending)
    }
    let text = Self.text(name, value, indent: indent(of: last))
    var new = bytes
    if let lineEnd = bytes[last.bytes.upperBound..<end].firstIndex(of: Self.newline) {
      new.insert(contentsOf: [Self.newline] + indent(of: last) + text, at: lineEnd)
    } else {
      new.insert(contentsOf: Array(" ".utf8) + text, at: last.bytes.upperBound)
    }
    new.insert(UInt8(ascii: ","), at: last.bytes.upperBound)
    self = try JSONText(new)
  }

  /// Removes a member or an element, and the comma that it leaves over.
  private mutating func remove(
    _ place: JSONPlace, after previous: JSONPlace?
  ) throws(JSONError) {
    var end = place.bytes.upperBound
    let next = firstToken(from: end)
    let hasNext = next < bytes.count && bytes[next] == UInt8(ascii: ",")
    if hasNext { end = next + 1 }
    var start = place.bytes.lowerBound
    let lineStart = (bytes[..<start].lastIndex(of: Self.newline) ?? -1) + 1
    let lineEnd = bytes[end...].firstIndex(of: Self.newline) ?? bytes.count
    let hasLine = bytes[lineStart..<start].allSatisfy(Self.isBlank)
    if hasLine, firstToken(from: end) >= lineEnd {
      // Its lines are its own, with the comment at the end of the last.
      start = lineStart
      end = min(lineEnd + 1, bytes.count)
    } else if hasNext {
      while end < bytes.count, Self.isBlank(bytes[end]) { end += 1 }
    }
    var new = bytes
    new.removeSubrange(start..<end)
    if !hasNext, let previous { new.remove(at: firstToken(from: previous.bytes.upperBound)) }
    self = try JSONText(new)
  }

  /// The first byte from `position` on that is neither blank nor in a comment.
  private func firstToken(from position: Int) -> Int {
    var position = position
    while position < bytes.count {
      if bytes[position] == Self.newline || Self.isBlank(bytes[position]) {
        position += 1
      } else if bytes[position...].starts(with: "//".utf8) {
        position = bytes[position...].firstIndex(of: Self.newline) ?? bytes.count
      } else {
        break
      }
    }
    return position
  }

  // MARK: Layout

  private static let newline = UInt8(ascii: "\n")
  private static let step = Array("  ".utf8)

  private static func isBlank(_ byte: UInt8) -> Bool { " \t\r".utf8.contains(byte) }

  /// The blanks at the start of the line that a value begins on.
  private func indent(of place: JSONPlace) -> [UInt8] {
    let start = (bytes[..<place.bytes.lowerBound].lastIndex(of: Self.newline) ?? -1) + 1
    return Array(bytes[start...].prefix { Self.isBlank($0) && $0 != UInt8(ascii: "\r") })
  }

  /// What goes between two elements: a line break if the second one stands on a line of its own.
  private func lineBreak(before place: JSONPlace) -> [UInt8] {
    let start = (bytes[..<place.bytes.lowerBound].lastIndex(of: Self.newline) ?? -1) + 1
    let isFirst = start > 0 && bytes[start..<place.bytes.lowerBound].allSatisfy(Self.isBlank)
    return isFirst ? [Self.newline] + indent(of: place) : Array(" ".utf8)
  }

  private func indented(_ value: JSON, like place: JSONPlace) -> [UInt8] {
    Self.text("", value, indent: indent(of: place))
  }

  /// A member or an element, its later lines behind `indent`.
  private static func text(_ name: String, _ value: JSON, indent: [UInt8]) -> [UInt8] {
    Array(name.utf8) + layout(value, indent: indent)
  }

  /// An object with a line for each member, a list of objects with a line for each, anything else on one
  /// line.
  private static func layout(_ value: JSON, indent: [UInt8]) -> [UInt8] {
    let inner = [newline] + indent + step
    switch value {
    case .object(let members) where !members.isEmpty:
      let lines = members.map {
        inner + Array((JSON.string($0.name).compactText + ": ").utf8)
          + layout($0.value, indent: indent + step)
      }
      return [UInt8(ascii: "{")] + lines.joined(separator: ",".utf8) + [newline] + indent
        + [UInt8(ascii: "}")]
    case .array(let elements) where elements.contains { $0.object != nil }:
      let lines = elements.map { inner + layout($0, indent: indent + step) }
      return [UInt8(ascii: "[")] + lines.joined(separator: ",".utf8) + [newline] + indent
        + [UInt8(ascii: "]")]
    case .array(let elements):
      return Array("[\(elements.map(\.compactText).joined(separator: ", "))]".utf8)
    default:
      return Array(value.compactText.utf8)
    }
  }

  private func value(at path: String) -> JSON? {
    var value: JSON? = json
    for name in path.split(separator: ".") {
      let parts = name.split(separator: "[")
      guard let first = parts.first else { return nil }
      value = value?[String(first)]
      for index in parts.dropFirst() {
        guard let index = Int(index.dropLast()), let list = value?.array, list.indices ~= index
        else { return nil }
        value = list[index]
      }
    }
    return value
  }

  private static func path(_ path: String, _ name: String) -> String {
    path.isEmpty ? name : "\(path).\(name)"
  }
}
