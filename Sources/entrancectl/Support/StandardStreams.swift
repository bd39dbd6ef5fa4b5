import Glibc

/// The streams that whoever starts the program gives it.
enum StandardStreams {
  /// Takes the places of those that are closed.
  ///
  /// Else the first file that is opened, a token store for one, would be written to by whoever prints. What
  /// stands there fails as a closed stream does.
  static func reserve() {
    for stream in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO]
    where fcntl(stream, F_GETFD) < 0 && errno == EBADF {
      // The lowest number that is free is this one.
      _ = open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }
}
