/// A preference with a few values, each with a short label.
public protocol PreferenceChoice: RawRepresentable<String>, CaseIterable, Sendable, Equatable {
  /// The value in words: short, so that a narrow window shows all of it.
  @MainActor var label: String { get }
}
