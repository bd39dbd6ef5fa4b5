import CurlHTTP
import FoundationEssentials
import Glibc
import Sentences

/// What a command reads because its arguments name it.
enum Input {
  static let pasting = Sentence("Paste the input, then press Ctrl+D.")

  /// The contents of the file at `path`, or of standard input if it is `-`.
  ///
  /// - Parameters:
  ///   - option: the option that names it; nil for an argument.
  ///   - request: what is said to the person if standard input is a terminal, which waits for them.
  static func read(
    _ path: String, of option: String? = nil,
    asking request: Sentence = pasting
  ) throws(CommandError) -> Data {
    if path == "-", isatty(STDIN_FILENO) == 1 { Output.say(request) }
    do throws(FileReader.Failure) {
      let file =
        path == "-"
        ? try FileReader(standardInput: ()) : try FileReader(path, allowsStreams: true)
      return Data(try file.read(upTo: FileReader.Limit.input))
    } catch {
      guard path != "-" else {
        throw CommandError(
          "unreadableFile",
          Sentence("Standard input cannot be read: {reason}.", ["reason": error.cause]))
      }
      throw unreadable(path, of: option, error)
    }
  }

  /// The same of a text, in UTF-8 and without its byte order mark.
  static func text(
    _ path: String, asking request: Sentence = pasting
  ) throws(CommandError) -> Data {
    Data(MarkedText.utf8(Array(try read(path, asking: request))))
  }

  /// Sees whether the file at `path` can be opened, before anything is sent.
  ///
  /// - Parameter option: the option that names it; nil for an argument.
  static func check(_ path: String, of option: String? = nil) throws(CommandError) {
    do throws(FileReader.Failure) {
      _ = try BodyFile(path)
    } catch {
      throw unreadable(path, of: option, error)
    }
  }

  /// How a message names what is at `path`.
  static func name(of path: String) -> Sentence {
    path == "-" ? Sentence("standard input") : Sentence(verbatim: path)
  }

  private static func unreadable(
    _ path: String, of option: String?, _ failure: FileReader.Failure
  ) -> CommandError {
    CommandError(
      option: option,
      Sentence(
        "The file “{path}” cannot be read: {reason}.", ["path": path, "reason": failure.cause]))
  }
}
