/// A value that must not be revealed by accident: a token, a code, a verifier.
///
/// It prints, logs and reflects as `‹redacted›`. Use ``exposed`` to get the value.
public struct Secret<Value: Sendable>: Sendable {
  /// The value itself.
  ///
  /// Never pass it to a log, an argument, an environment or an error.
  public let exposed: Value

  /// Wraps `value`.
  public init(_ value: Value) {
    self.exposed = value
  }
}

extension Secret: Equatable where Value: Equatable {}
extension Secret: Hashable where Value: Hashable {}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// Always `‹redacted›`.
  public var description: String { "‹redacted›" }
  /// Always `‹redacted›`.
  public var debugDescription: String { description }
  /// A mirror without children, so that `dump` shows nothing either.
  public var customMirror: Mirror { Mirror(self, children: [Mirror.Child]()) }
}
