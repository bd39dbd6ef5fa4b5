package import HTTPTypes

extension HTTPFields {
  /// The most header fields of a message from outside, which is more than any service sends.
  ///
  /// `HTTPFields` ends the program at 65,535 of them, and setting each by its name takes a time that
  /// grows with the square of their number.
  package static let limit = 1000
}
