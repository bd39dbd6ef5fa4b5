import Localization

/// Sizes in words.
public enum ByteSize {
  /// The size of `count` bytes, as `950 B`, `64 kB` or `10 MB`.
  public static func text(_ count: Int) -> String {
    switch count {
    case ..<1000: tr("{count} B", ["count": count])
    case ..<999_500: tr("{count} kB", ["count": (count + 500) / 1000])
    default: tr("{count} MB", ["count": (count + 500_000) / 1_000_000])
    }
  }
}
