import Glibc

extension Sentence {
  /// What the system says of the error that the last system call has left in `errno`.
  ///
  /// The translations of it come with the system.
  package static var systemError: Sentence { Sentence(String(cString: strerror(errno))) }
}
