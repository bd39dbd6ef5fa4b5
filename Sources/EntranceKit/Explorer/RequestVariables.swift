import CurlHTTP
import HTTPFiles
import Localization
import Sentences

/// Puts the values of variables into the request of the page, as its file and the file `.env` beside
/// it have them.
@MainActor
final class RequestVariables {
  /// Why a request cannot be sent.
  struct Problem: Error, Equatable {
    /// The part that it is in; nil when it is elsewhere in the file.
    var part: HTTPFile.Request.Part?
    /// A whole sentence.
    var text: String
  }

  typealias Outcome = Result<ExplorerRequest, Problem>

  /// A request of a file.
  struct Task: Sendable {
    let request: ExplorerRequest
    /// The same, as the file would have it.
    let content: HTTPFile.Content
    let place: RequestFile.Place
    /// The file; nil when it cannot be read.
    let file: HTTPFile?
  }

  /// What came of the last request: it may be one that is not the page's any more.
  private(set) var last: (request: ExplorerRequest, outcome: Outcome)?
  private var check: _Concurrency.Task<Void, Never>?

  /// Finds the values for a request, and calls `whenDone`, unless it is called again before.
  func follow(_ task: Task, whenDone: @escaping @MainActor () -> Void) {
    check?.cancel()
    check = _Concurrency.Task { [weak self] in
      let outcome = await task.outcome()
      guard let self, !_Concurrency.Task.isCancelled else { return }
      last = (task.request, outcome)
      whenDone()
    }
  }

  /// Forgets the last request, because the page has one of another file, or of none.
  func forget() {
    check?.cancel()
    last = nil
  }
}

extension RequestVariables.Task {
  /// The request with values, as it can be sent.
  @concurrent
  func outcome() async -> RequestVariables.Outcome {
    do throws(RequestVariables.Problem) {
      return .success(try resolved())
    } catch {
      return .failure(error)
    }
  }

  private func resolved() throws(RequestVariables.Problem) -> ExplorerRequest {
    if let text = content.bodyProblem(in: place.content) {
      throw RequestVariables.Problem(part: .body, text: text)
    }
    // Without its file, the request has no variables.
    guard var file = file ?? (try? HTTPFile([])) else { return request }
    var index = place.index(in: file, isChanged: true)
    do throws(HTTPFile.EditError) {
      if let index {
        try file.replace(index, with: content)
      } else {
        try file.append(content, called: place.name ?? "")
        index = file.requests.count - 1
      }
    } catch {
      throw RequestVariables.Problem(part: nil, text: tr(error.reason))
    }
    guard let index, file.requests.indices.contains(index) else { return request }
    let written = file.requests[index]
    do throws(HTTPFile.Remark) {
      return try sendable(
        try file.resolve(
          written, HTTPFile.Values(besideFileAt: place.path),
          directory: HTTPFile.directory(of: place.path)))
    } catch {
      let part = written.part(at: error.line)
      let reason = tr(error.reason)
      // The lines of the request that is being edited are no one's.
      throw RequestVariables.Problem(
        part: part,
        text: part != nil
          ? reason : tr("Line {line}: {reason}", ["line": error.line, "reason": reason]))
    }
  }

  /// A request whose variables have values.
  private func sendable(
    _ resolved: HTTPFile.ResolvedRequest
  ) throws(HTTPFile.Remark) -> ExplorerRequest {
    var result = request
    result.address = resolved.url
    // A value of two lines would be another field.
    result.fields = resolved.fields.map { field in
      "\(field.name): \(field.value.filter { !$0.isNewline })"
    }.joined(separator: "\n")
    if let text = String(validating: resolved.body, as: UTF8.self) {
      result.body = text
    } else {
      (result.body, result.data) = ("", resolved.body)
    }
    return result
  }
}
