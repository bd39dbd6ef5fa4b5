/// How a part of a text looks.
@MainActor
public final class TextTag: Object {
  /// Breaks words without hyphens, which could be taken for a part of them.
  public func breakWithoutHyphens() { set("insert-hyphens", to: false) }
}
