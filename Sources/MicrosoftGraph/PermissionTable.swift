import CGraphTables
import CurlHTTP
import FoundationEssentials
import Glibc

/// Microsoft's table of the permissions of Microsoft Graph, which is part of the library.
///
/// `meson-helpers/permissions.py` writes it and describes its form. It is expanded by the first
/// question, and stays a text: a question reads the lines of the paths, which takes less time than
/// an index of them would take to make.
struct PermissionTable: Sendable {
  static let shared = PermissionTable()

  /// When Microsoft changed the source, as `yyyy-mm-dd`.
  let date: String
  /// The source's commit.
  let commit: String
  private let names: [Substring]
  private let rules: [Substring]
  /// The lines of the paths.
  private let paths: [UInt8]

  /// What a rule says.
  struct Rule {
    var methods: Substring
    var kinds: Substring
    var least: [GraphPermissions.Grant]
    var higher: [GraphPermissions.Grant]

    /// The rule for what is the caller's own: `User.ReadWrite` is enough where `User.ReadWrite.All`
    /// is for all users.
    fileprivate var forCaller: Rule {
      let own = least.map { grant in
        higher.first { "\($0.permission).All" == grant.permission } ?? grant
      }
      var rule = self
      rule.least = own
      rule.higher = (least + higher).filter { !own.contains($0) }
      return rule
    }
  }

  private init() {
    var size = 0
    let compressed = UnsafeRawBufferPointer(start: graph_permissions(&size), count: size)
    let data = Gunzip.data(compressed, limit: 4 << 20) ?? Data()
    let head = data.prefix(Self.endOfLines(3, in: data))
    let lines = String(decoding: head, as: UTF8.self).split(separator: "\n")
    let first = (lines.first ?? "").split(separator: " ")
    date = first.count == 3 ? String(first[1]) : ""
    commit = first.count == 3 ? String(first[2]) : ""
    names = lines.count == 3 ? lines[1].split(separator: " ") : []
    let count = lines.count == 3 ? Int(lines[2], radix: 36) ?? 0 : 0
    let rest = data.dropFirst(head.count)
    let ruleText = rest.prefix(Self.endOfLines(count, in: rest))
    rules = String(decoding: ruleText, as: UTF8.self).split(separator: "\n")
    paths = Array(rest.dropFirst(ruleText.count))
  }

  /// The size of the first `count` lines.
  private static func endOfLines(_ count: Int, in data: Data) -> Int {
    var count = count
    var size = 0
    for byte in data {
      guard count > 0 else { break }
      size += 1
      if byte == UInt8(ascii: "\n") { count -= 1 }
    }
    return size
  }

  /// The rules for `method` of the path of the table that is nearest to `path`.
  func rules(for method: Character, _ path: PermissionPath) -> [Rule] {
    for form in path.forms {
      let found = matches(form).lazy
        .map { line in numbers(line).compactMap(rule).filter { $0.methods.contains(method) } }
        .first { !$0.isEmpty }
      if let found { return form.isOfCaller ? found.map(\.forCaller) : found }
    }
    return []
  }

  // MARK: Paths

  /// The names in the paths and of the permissions, in lower case.
  var words: Set<String> {
    var words = Set(names.map { $0.lowercased() })
    for line in String(decoding: paths, as: UTF8.self).split(separator: "\n") {
      for name in line.prefix(while: { $0 != " " }).split(separator: "/") {
        words.insert(String(name.prefix { $0 != "(" }))
      }
    }
    return words
  }

  /// The numbers of the rules of all paths that `path` may be, the nearest first.
  private func matches(_ path: PermissionPath) -> [ArraySlice<UInt8>] {
    guard !path.segments.isEmpty else { return [] }
    var found: [(literals: UInt64, rules: Range<Int>)] = []
    paths.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress else { return }
      var start = 0
      while start < bytes.count,
        let newline = memchr(base + start, Int32(UInt8(ascii: "\n")), bytes.count - start)
      {
        let end = UnsafeRawPointer(newline) - base
        if let match = Self.match(bytes, start..<end, path.segments) { found.append(match) }
        start = end + 1
      }
    }
    return found.sorted { $0.literals > $1.literals }.map { paths[$0.rules] }
  }

  /// Compares a line with the segments of a request.
  ///
  /// - Returns: a number that is greater the earlier a literal is matched, and the end of the line.
  private static func match(
    _ bytes: UnsafeRawBufferPointer, _ line: Range<Int>, _ segments: [PermissionPath.Segment]
  ) -> (literals: UInt64, rules: Range<Int>)? {
    var literals: UInt64 = 0
    var position = line.lowerBound
    for segment in segments {
      if position > line.lowerBound {
        guard position < line.upperBound, bytes[position] == UInt8(ascii: "/") else { return nil }
        position += 1
      }
      literals <<= 1
      if position < line.upperBound, bytes[position] == UInt8(ascii: "{") {
        guard segment.canBeValue else { return nil }
        position += 2
      } else {
        guard !segment.text.isEmpty, segment.text.count <= line.upperBound - position else {
          return nil
        }
        for byte in segment.text {
          guard bytes[position] == byte else { return nil }
          position += 1
        }
        literals |= 1
      }
    }
    guard position < line.upperBound, bytes[position] == UInt8(ascii: " ") else { return nil }
    return (literals, (position + 1)..<line.upperBound)
  }

  private func numbers(_ text: ArraySlice<UInt8>) -> [Int] {
    String(decoding: text, as: UTF8.self).split(separator: " ").compactMap { Int($0, radix: 36) }
  }

  // MARK: Rules

  private func rule(_ number: Int) -> Rule? {
    guard rules.indices.contains(number) else { return nil }
    let fields = rules[number].split(separator: " ", omittingEmptySubsequences: false)
    guard fields.count == 4 else { return nil }
    return Rule(
      methods: fields[0], kinds: fields[1], least: grants(fields[2]), higher: grants(fields[3]))
  }

  private func grants(_ text: Substring) -> [GraphPermissions.Grant] {
    text.split(separator: ",").compactMap { text in
      let parts = text.split(separator: "+")
      guard let permission = parts.first.flatMap(name) else { return nil }
      let others = parts.dropFirst().first?.split(separator: "|").compactMap(name) ?? []
      return GraphPermissions.Grant(permission: permission, alsoRequires: others)
    }
  }

  private func name(_ number: Substring) -> String? {
    guard let index = Int(number, radix: 36), names.indices.contains(index) else { return nil }
    return String(names[index])
  }
}
