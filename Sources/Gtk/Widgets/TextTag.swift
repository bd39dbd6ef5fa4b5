/// The format of a part of a text.
@MainActor
public final class TextTag: Object {
  /// Breaks words without hyphens, which could be mistaken for a part of them.
  public func breakWithoutHyphens() { set("insert-hyphens", to: false) }
}
