import AuthCore
import HTTPTypes
import Localization
import MicrosoftGraph

extension ExplorerState {
  /// A file whose contents are the body.
  public struct BodyFile: Sendable, Equatable {
    /// Its name.
    public let name: String
    /// Its size, once that is known, and the media type, in words.
    public let details: String
    /// Its path.
    public let path: String
    /// Whether it cannot be sent, for the reason that is told of the body.
    public let hasProblem: Bool
  }
}

// The body of the request from a file, which is read when it is sent.
extension ExplorerModel {
  /// *Body From File…*: takes the file at `path` as the body, in place of a text, which comes back
  /// when the file is removed.
  ///
  /// A person has chosen it, whatever its name is. A request that is kept in a file of requests names
  /// it, as these can; *Undo* brings its text back.
  ///
  /// - Returns: the task that finds out how it is named; nil when the request is kept nowhere.
  @discardableResult
  public func useFile(_ path: String) -> Task<Void, Never>? {
    guard let origin else {
      put(file: path)
      return nil
    }
    let choice = choiceCount
    return Task { [weak self] in
      do throws(RequestFile.Failure) {
        let reference = try await RequestFile.reference(to: path, from: origin.place.path)
        guard let self, choice == choiceCount, self.origin?.place.path == origin.place.path
        else { return }
        let before = request
        request = before.referring(to: path, as: reference)
        replacements.notify(false)
        offerUndo(ofBodyIn: before)
      } catch {
        self?.messages.notify(error.text)
      }
    }
  }

  /// Says that the body was replaced, and offers to bring it back, with its media type.
  private func offerUndo(ofBodyIn before: ExplorerRequest) {
    guard !before.body.allSatisfy(\.isWhitespace) else { return }
    let choice = choiceCount
    let bringBack: @MainActor () -> Void = { [weak self] in
      // Another request may be on the page by now.
      guard let self, choice == choiceCount else { return }
      var next = request
      (next.body, next.fields) = (before.body, before.fields)
      request = next
      replacements.notify(false)
    }
    undos.notify((tr("Request replaced"), bringBack))
  }

  private func put(file path: String) {
    let text = request.bodyFile == nil ? request.body : bodyFile.text
    var next = request
    (next.body, next.bodyFile) = ("", path)
    // The same one again may be readable by now.
    if next == request { checkFile() } else { request = next }
    bodyFile.text = text
    replacements.notify(false)
  }

  /// *Remove File From Body*: takes the text again whose place the file has taken.
  public func removeFile() {
    guard request.bodyFile != nil else { return }
    var next = request
    (next.body, next.bodyFile) = (bodyFile.text, nil)
    request = next
    replacements.notify(false)
  }

  /// Looks at the file of the body again, because it may have changed.
  public func checkFile() {
    bodyFile.follow(request.bodyFile) { [weak self] in self?.draw() }
  }

  /// Takes what a saved request says in place of the file: it is one of the .http file from now on.
  ///
  /// - Parameter written: the request as it was saved.
  func refer(as written: ExplorerRequest) {
    guard let path = request.bodyFile else { return }
    request = request.referring(to: path, as: written.body)
    replacements.notify(false)
  }

  /// The request with the contents of its file; nil when they cannot be read, which the state tells.
  func withContents(_ request: ExplorerRequest) async -> ExplorerRequest? {
    guard let path = request.bodyFile else { return request }
    let contents = await ExplorerBodyFile.contents(of: path)
    guard !Task.isCancelled else { return nil }
    switch contents {
    case .success(let bytes):
      var sendable = request
      sendable.data = bytes
      return sendable
    case .failure(let refusal):
      bodyFile.take(refusal, of: path)
      draw()
      return nil
    }
  }

  /// Notes the file of the body, and why it cannot be sent.
  func placeFile(_ next: inout ExplorerState) {
    guard let path = request.bodyFile else { return }
    var (size, problem): (String?, String?) = (nil, nil)
    switch bodyFile.size {
    case .success(let count)?: size = ByteSize.text(count)
    case .failure(let refusal)?: problem = privacy.shown(refusal.text)
    case nil: break
    }
    next.bodyProblem = problem
    let type = request.graphRequest().headerFields[.contentType]?.shown(upTo: 100)
    next.bodyFile = ExplorerState.BodyFile(
      name: privacy.shown(RequestFile(path: path).name.plain),
      details: [size, type].compactMap(\.self).joined(separator: " · "),
      path: privacy.shown(path.plain), hasProblem: problem != nil)
  }
}
