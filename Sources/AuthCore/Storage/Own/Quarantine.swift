import Glibc

/// Damaged data that was set aside: how it is named, and how long it is kept.
///
/// Each backend sets aside what contains no valid record (``EncryptedFileScan/damaged``,
/// ``StoreReading/damaged``) when all records are read.
enum Quarantine {
  /// How long it is kept, in seconds, and how many pieces.
  private static let age = 30 * 86400
  static let count = 3

  /// A name for a new piece, which begins with the time.
  static var newName: Slot.Name {
    Slot.Name(.quarantine, "\(time(nil))-\(UInt32.random(in: 0...UInt32.max))")
  }

  /// The pieces that have been kept long enough.
  static func outdated(_ names: [Slot.Name]) -> [Slot.Name] {
    let newestFirst = names.sorted { date($0) > date($1) }
    let oldest = Int(time(nil)) - age
    return newestFirst.enumerated().filter { $0.offset >= count || date($0.element) < oldest }
      .map(\.element)
  }

  private static func date(_ name: Slot.Name) -> Int {
    name.id.split(separator: "-").first.flatMap { Int($0) } ?? 0
  }
}
