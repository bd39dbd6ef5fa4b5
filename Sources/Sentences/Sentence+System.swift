import Glibc

extension Sentence {
  /// The message for the last system call's error, from `errno`.
  ///
  /// The system provides its translations.
  package static var systemError: Sentence { Sentence(system: String(cString: strerror(errno))) }
}
