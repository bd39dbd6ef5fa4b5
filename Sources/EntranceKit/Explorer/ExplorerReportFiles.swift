import AuthCore
import CurlHTTP
import FoundationEssentials
import Glibc
import Localization
import MicrosoftGraph

/// A report in two files: Markdown, and beside it a recording, to which it links.
struct ExplorerReportFiles: Sendable {
  /// Why they were not written.
  struct Failure: Error {
    /// A whole sentence.
    let text: String

    init(_ text: String) { self.text = text }

    fileprivate init(_ failure: StorageFailure) {
      text = tr("The file could not be saved: {reason}", ["reason": tr(failure.reason)])
    }
  }

  let answer: ExplorerAnswer
  /// Where the request was sent, as it is shown.
  let url: String
  /// The file of a recording that has the request among others; nil for one of this request alone.
  let recording: String?
  /// Whether the recording has answered the request.
  let isReplayed: Bool

  /// Writes both, or none.
  ///
  /// - Parameter path: the file for the Markdown. It is replaced, which the person was asked about.
  /// - Returns: the path of the recording, which was a new file.
  @concurrent
  func write(to path: String) async throws(Failure) -> String {
    let (json, entry) = try contents()
    let attachment = try writeAttachment(json, besideFileAt: path)
    let text = ExplorerReport.markdown(
      answer, entry, attachment: RequestFile(path: attachment).name)
    do throws(StorageFailure) {
      _ = try PrivateFile(path: SymbolicLink.target(of: path))
        .write(Array(text.utf8), replacing: true)
    } catch {
      unlink(attachment)
      throw Failure(error)
    }
    return attachment
  }

  /// The recording, and the entry in it that the Markdown is about: the same stand-ins are in both.
  private func contents() throws(Failure) -> (JSON, JSON?) {
    let exchange = ExplorerReport.exchange(answer, url)
    guard let recording else {
      let own = exchange.recording
      return (own, own["log"]?["entries"]?.array?.first)
    }
    do throws(GraphError) {
      let found = try Cassette.redacted(recording, with: exchange, isReplayed: isReplayed)
      return (found.recording, found.entry)
    } catch {
      throw Failure(tr(error.sentence))
    }
  }

  /// Writes the recording to a file that is not there yet, and is called like the one at `path`.
  private func writeAttachment(
    _ json: JSON, besideFileAt path: String
  ) throws(Failure) -> String {
    let base = path.lowercased().hasSuffix(".md") ? String(path.dropLast(3)) : path
    // The person was asked about the other file alone.
    var (attachment, number) = ("\(base).har", 1)
    while access(attachment, F_OK) == 0 {
      number += 1
      attachment = "\(base)-\(number).har"
    }
    do throws(StorageFailure) {
      _ = try PrivateFile(path: attachment).write(
        Array((json.prettyText + "\n").utf8), replacing: false)
    } catch {
      throw Failure(error)
    }
    return attachment
  }
}

// Reports that are saved.
extension ExplorerModel {
  /// Whether there is an answer to report: of the service, or of a recording.
  public var canSaveReport: Bool {
    answer?.status != nil && (answer?.duration != nil || replay != nil)
  }

  /// *Save Report…*: writes the answer with its request as Markdown, and beside it a recording: the
  /// whole one that has the request, or one of this request alone.
  ///
  /// - Parameter path: the file for the Markdown. It is replaced, which the person was asked about.
  /// - Returns: the task; nil when there is nothing to report.
  @discardableResult
  public func saveReport(to path: String) -> Task<Void, Never>? {
    guard canSaveReport, let answer, let url = try? graph.url(of: answer.sentRequest) else {
      return nil
    }
    let (privacy, status, shownURL) = (privacy, window.status, privacy.shown(address: url))
    let (recording, replayed) = (window.recording, replay?.path)
    return Task {
      do throws(ExplorerReportFiles.Failure) {
        var source = replayed
        do throws(GraphError) {
          if source == nil {
            source = try await recording.file(havingSent: answer.date, answered: answer.received)
          }
        } catch {
          throw ExplorerReportFiles.Failure(tr(error.sentence))
        }
        let files = ExplorerReportFiles(
          answer: answer, url: shownURL, recording: source, isReplayed: replayed != nil)
        let attachment = try await files.write(to: path)
        let names = [path, attachment].map { privacy.shown(RequestFile(path: $0).name.plain) }
        status.toasts.notify(
          tr(
            "Saved as {report} and {recording}, without secrets and names",
            ["report": names[0], "recording": names[1]]))
      } catch {
        status.toasts.notify(error.text)
      }
    }
  }
}
