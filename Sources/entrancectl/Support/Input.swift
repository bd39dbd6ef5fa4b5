import CurlHTTP
import FoundationEssentials
import Glibc
import Sentences

/// What a command reads because its arguments name it.
enum Input {
  /// The contents of the file at `path`, or of standard input if it is `-`.
  ///
  /// - Parameters:
  ///   - option: the option or argument that names it.
  ///   - request: what is said to the person if standard input is a terminal.
  static func read(
    _ path: String, of option: String, asking request: Sentence? = nil
  ) throws(CommandError) -> Data {
    if path == "-", isatty(STDIN_FILENO) == 1, let request { Output(isJSON: false).say(request) }
    do throws(FileReader.Failure) {
      let file =
        path == "-"
        ? try FileReader(standardInput: ()) : try FileReader(path, allowsStreams: true)
      return Data(try file.read(upTo: FileReader.Limit.input))
    } catch {
      guard path != "-" else {
        throw CommandError(
          "unreadableFile",
          Sentence("Standard input cannot be read: {reason}.", ["reason": error.reason]))
      }
      throw CommandError(
        option: option,
        Sentence(
          "The file “{path}” cannot be read: {reason}.", ["path": path, "reason": error.reason]))
    }
  }
}
