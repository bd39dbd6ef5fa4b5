import AuthCore
import FoundationEssentials

/// The body of a response as the log shows it: JSON with one line for each member and element.
///
/// Values are those of the body, in its order, and numbers as it wrote them. Every character is
/// visible, as in `JSON.prettyText`.
struct ResponseDocument: Sendable, Equatable {
  /// The heading, and all of the JSON.
  let folded: FoldedText

  /// Makes the text on another thread than the caller's, because that can take seconds.
  ///
  /// - Parameter heading: the lines before the JSON; the last one is continued by it.
  /// - Returns: nil when the body is not JSON.
  /// - Throws: `CancellationError`, soon after the task was canceled.
  @concurrent
  static func make(
    of body: Data, heading: [String]
  ) async throws(CancellationError) -> ResponseDocument? {
    try ResponseDocument(body, heading: heading)
  }

  /// Makes the text in pieces, so that there is never a second copy of it, or a tree of values.
  ///
  /// Indentation can make a body of nested lists many times longer. One that would be longer than
  /// three times the body is left out, and everything is on one line.
  init?(_ body: Data, heading: [String] = []) throws(CancellationError) {
    let limit = max(1 << 20, 3 * body.count)
    let heading = heading.map(\.plain).joined(separator: "\n")
    do throws(JSONWriter.Stop) {
      folded = FoldedText(
        try Self.text(of: body, after: heading, isIndented: true, limit: limit))
    } catch .tooLong {
      guard let line = try Self.line(of: body, after: heading) else { return nil }
      folded = FoldedText(line)
    } catch .canceled {
      throw CancellationError()
    } catch {
      return nil
    }
  }

  /// The JSON of a body on one line, in which only characters are escaped that must be.
  ///
  /// - Returns: nil when the body is not JSON.
  static func line(
    of body: Data, after heading: String = ""
  ) throws(CancellationError) -> String? {
    do throws(JSONWriter.Stop) {
      return try text(of: body, after: heading, isIndented: false, limit: .max)
    } catch .canceled {
      throw CancellationError()
    } catch {
      return nil
    }
  }

  private static func text(
    of body: Data, after heading: String, isIndented: Bool, limit: Int
  ) throws(JSONWriter.Stop) -> String {
    let result = body.withUnsafeBytes { bytes -> Result<String, JSONWriter.Stop> in
      var writer = JSONWriter(
        bytes: bytes, heading: heading, isIndented: isIndented, limit: limit)
      do throws(JSONWriter.Stop) {
        return .success(try writer.write())
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }
}
