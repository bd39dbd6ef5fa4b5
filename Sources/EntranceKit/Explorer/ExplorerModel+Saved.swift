import AuthCore
import FoundationEssentials
import HTTPFiles
import Localization
import MicrosoftGraph

// Requests that are kept in files.
extension ExplorerModel {
  /// Whether what is in the page would be lost with another request.
  public var hasUnsavedEdits: Bool { origin.map { $0.request != request } ?? false }

  /// What a question says before edits are lost: of which request, in which file; nil without edits.
  public var unsavedText: String? {
    guard hasUnsavedEdits, let saved else { return nil }
    return tr(
      "Your changes to “{request}” in {file} are not saved.",
      ["request": saved.title, "file": saved.file])
  }

  /// Whether the request has an address, without which it cannot be saved.
  public var hasAddress: Bool { !request.address.allSatisfy(\.isWhitespace) }

  var saved: ExplorerState.Saved? {
    guard let origin else { return nil }
    let privacy = window.workspace.privacy
    let file = RequestFile(path: origin.place.path).name
    let content = origin.place.content
    return ExplorerState.Saved(
      title: privacy.shown(
        address: (origin.place.name ?? "\(content.method) \(content.url)").plain),
      file: privacy.shown(file.plain), isEdited: hasUnsavedEdits, isConflict: origin.isConflict,
      isUnreadable: files.file(at: origin.place.path)?.problem != nil)
  }

  // MARK: Choosing

  /// The row of ``files`` with the page's request; nil when none has it.
  public var openRow: Int? {
    guard let place = origin?.place else { return nil }
    return files.rows.firstIndex { $0.path == place.path && $0.index == place.index }
  }

  /// Takes a sample or a request of the history in place of the page's; asks first if that would
  /// lose edits.
  public func choose(_ request: ExplorerRequest) { choose(request) { _ in } }

  /// Takes a request in place of the page's, and then calls `whenPut`; asks first if that would
  /// lose edits.
  func choose(
    _ request: ExplorerRequest, whenPut: @escaping @MainActor (ExplorerModel) -> Void
  ) {
    askBeforeLosing {
      $0.put(request, from: nil)
      whenPut($0)
    }
  }

  /// Takes a request of a file in place of the page's; asks first if that would lose edits.
  public func choose(_ row: ExplorerFiles.Row) {
    guard let index = row.index, let file = files.file(at: row.path)?.file,
      file.requests.indices.contains(index)
    else { return }
    let saved = file.requests[index]
    guard let request = ExplorerRequest(saved.content, host: graph.host) else {
      return messages.notify(
        tr(
          "“{request}” was not opened: only GET, POST, PUT, PATCH, and DELETE can be sent.",
          // What is personal would not be known at the cut.
          ["request": privacy.shown(address: RequestFile.title(of: saved)).shown(upTo: 60)]))
    }
    let place = RequestFile.Place(
      path: row.path, index: index, name: saved.name, content: saved.content)
    let isSame = origin?.place == place
    askBeforeLosing {
      // It may have been saved just now.
      if isSame, !$0.hasUnsavedEdits { return $0.replacements.notify(true) }
      $0.put(request, from: ExplorerOrigin(place: place, request: request))
    }
  }

  private func put(
    _ request: ExplorerRequest, from origin: ExplorerOrigin?, isChosen: Bool = true
  ) {
    let (typed, before, text) = (typedRequest, loaded, bodyFile.text)
    replaced = nil
    self.origin = origin
    self.request = request
    // It is not that of another request.
    bodyFile.text = ""
    loaded = request
    if isChosen { choiceCount += 1 }
    replacements.notify(isChosen)
    if let typed, typed != request { offerUndo(of: typed, text, madeOf: before) }
  }

  private func askBeforeLosing(_ proceed: @escaping @MainActor (ExplorerModel) -> Void) {
    guard let text = unsavedText else { return proceed(self) }
    let question = ExplorerQuestion(
      title: tr("Discard Changes?"), text: text, answer: tr("_Discard"), isOfEdits: true)
    questions.notify((question, { [weak self] in if let self { proceed(self) } }))
  }

  // MARK: Saving

  /// *Save*: writes the request back into its file.
  ///
  /// - Returns: the task; nil when a file must be chosen first, or nothing is to be saved.
  @discardableResult
  public func save() -> Task<Void, Never>? { save(replacesOthers: false) }

  /// Saves the edits, and then calls `proceed`; why they could not be saved is told instead.
  ///
  /// A question before a request of another program is replaced comes before `proceed`, too.
  public func save(then proceed: @escaping @MainActor () -> Void) {
    _ = save(replacesOthers: false, then: proceed)
  }

  /// *Save As*: makes the file at `path` with the request alone, or replaces the one that is there, which
  /// the desktop has asked the person about.
  ///
  /// - Returns: the task; nil when nothing can be saved.
  @discardableResult
  public func save(as path: String) -> Task<Void, Never>? { save(in: path, isAdded: false) }

  /// *Add*: adds the request to the file at `path`, which is made if it is not there.
  ///
  /// - Returns: the task; nil when nothing can be saved.
  @discardableResult
  public func addRequest(to path: String) -> Task<Void, Never>? { save(in: path, isAdded: true) }

  private func save(in path: String, isAdded: Bool) -> Task<Void, Never>? {
    guard contentToSave(in: nil) != nil else { return nil }
    let (request, choice) = (request, choiceCount)
    return Task { [weak self, graph] in
      do throws(RequestFile.Failure) {
        var written = request
        if let file = request.bodyFile {
          let reference = try await RequestFile.reference(to: file, from: path)
          written = request.referring(to: file, as: reference)
        }
        let (content, name) = (written.content(in: nil, graph), request.nameInFile)
        let saved =
          try await isAdded
          ? RequestFile.add(content, called: name, to: path)
          : RequestFile.make(content, called: name, at: path)
        // Another file may be the body by now.
        let isSame = self?.request.bodyFile == request.bodyFile
        self?.take(saved, written, isSame ? choice : nil)
      } catch {
        self?.messages.notify(error.text)
      }
    }
  }

  private func save(
    replacesOthers: Bool, then proceed: @escaping @MainActor () -> Void = {}
  ) -> Task<Void, Never>? {
    guard let origin, hasUnsavedEdits || origin.isConflict,
      let content = contentToSave(in: origin.place.content)
    else { return nil }
    let (request, choice) = (request, choiceCount)
    // A name that says what was sent follows it; one that the person wrote stays.
    let name = origin.place.name == origin.request.nameInFile ? request.nameInFile : nil
    return Task { [weak self] in
      do throws(RequestFile.Failure) {
        let saved = try await RequestFile.save(
          content, called: name, at: origin.place, replacesOthers: replacesOthers)
        self?.take(saved, request, choice)
        // What was typed meanwhile is not saved yet.
        if self?.hasUnsavedEdits == false { proceed() }
      } catch {
        if error.isConflict, self?.choiceCount == choice {
          self?.askToReplace(then: proceed)
        } else if error.isUnreadable {
          self?.messages.notify(
            tr(
              "{problem} To keep the request, choose “Save Request As…”.",
              ["problem": error.text]))
        } else {
          self?.messages.notify(error.text)
        }
      }
    }
  }

  private func askToReplace(then proceed: @escaping @MainActor () -> Void) {
    origin?.isConflict = true
    let question = ExplorerQuestion(
      title: tr("Replace the Request?"),
      text: tr(
        "Another program has changed “{request}” in {file} since it was opened here.",
        ["request": saved?.title ?? "", "file": saved?.file ?? ""]),
      answer: tr("_Replace"))
    questions.notify(
      (question, { [weak self] in _ = self?.save(replacesOthers: true, then: proceed) }))
  }

  /// The request for a file; nil when it must not be written, which is told.
  private func contentToSave(in old: HTTPFile.Content?) -> HTTPFile.Content? {
    guard hasAddress else { return nil }
    let content = request.content(in: old, graph)
    let secret = request.commandProblem ?? content.secret
    let bodyProblem = content.bodyProblem(in: origin?.place.content)
    if let problem = request.fieldProblem ?? secret ?? bodyProblem {
      messages.notify(problem)
      return nil
    }
    return content
  }

  /// Takes what was saved as the place of the page's request, unless another one was chosen meanwhile.
  private func take(
    _ saved: (file: RequestFile, index: Int), _ request: ExplorerRequest, _ choice: Int?
  ) {
    guard let requests = saved.file.file?.requests, requests.indices.contains(saved.index) else {
      return
    }
    let written = requests[saved.index]
    let place = RequestFile.Place(
      path: saved.file.path, index: saved.index, name: written.name, content: written.content)
    if choice == choiceCount {
      origin = ExplorerOrigin(place: place, request: request)
      refer(as: request)
    }
    files.open(place.path)
    files.set(saved.file)
    messages.notify(tr("Saved in {file}", ["file": privacy.shown(saved.file.name.plain)]))
  }

  // MARK: Changes by other programs

  /// Follows a file that was read: an edited request stays as it is.
  func follow(_ read: RequestFile) {
    guard var origin, origin.place.path == read.path else { return }
    guard let file = read.file else { return findValues() }
    if let index = origin.place.index(in: file) {
      (origin.place.index, origin.isConflict) = (index, false)
      self.origin = origin
    } else if hasUnsavedEdits {
      origin.isConflict = true
      self.origin = origin
    } else if let index = origin.place.index(in: file, isChanged: true),
      let request = ExplorerRequest(file.requests[index].content, host: graph.host)
    {
      let content = file.requests[index].content
      (origin.place.index, origin.place.content) = (index, content)
      origin.request = request
      put(request, from: origin, isChosen: false)
    } else {
      // It was removed, and stays in the page alone, as if it was typed.
      self.origin = nil
      loaded = ExplorerRequest()
    }
    findValues()
  }

  // MARK: Variables

  /// What finds the values of variables in a request; nil when it is kept nowhere.
  func valuesTask(for request: ExplorerRequest) -> RequestVariables.Task? {
    guard let origin else { return nil }
    return RequestVariables.Task(
      request: request, content: request.content(in: origin.place.content, graph),
      place: origin.place, file: files.file(at: origin.place.path)?.file)
  }

  /// The request as it is sent; nil when it cannot be sent, which the state tells.
  func withValues(_ request: ExplorerRequest) async -> ExplorerRequest? {
    guard let task = valuesTask(for: request) else { return await withContents(request) }
    // The file .env may be another one by now.
    guard case .success(let sendable) = await task.outcome(), sendable.fieldProblem == nil,
      !Task.isCancelled
    else {
      findValues()
      return nil
    }
    return sendable
  }

  /// The request with the values that are known so far; nil when there are none, and `next` may tell
  /// why.
  func sendable(_ next: inout ExplorerState) -> ExplorerRequest? {
    guard origin != nil else {
      guard let variable = request.firstVariable else { return request }
      next.problem = tr(
        "“{variable}” is a variable, which only a request of a file can have.",
        ["variable": variable])
      return nil
    }
    guard let last = variables.last else { return nil }
    switch last.outcome {
    case .success(let sendable):
      // What is asked about must be what is sent.
      if request.method == .delete, last.request != request { return nil }
      next.fieldProblem = next.fieldProblem ?? sendable.fieldProblem
      return sendable
    case .failure(let problem):
      let privacy = window.workspace.privacy
      switch problem.part {
      case .fields: next.fieldProblem = next.fieldProblem ?? privacy.shown(problem.text)
      case .body: next.bodyProblem = privacy.shown(problem.text)
      case .address, nil: next.problem = privacy.shown(problem.text)
      }
      return nil
    }
  }
}

extension ExplorerRequest {
  /// The first variable in the address, `{{name}}`.
  fileprivate var firstVariable: String? {
    guard let start = address.firstRange(of: "{{"),
      let end = address[start.upperBound...].firstRange(of: "}}")
    else { return nil }
    return String(address[start.lowerBound..<end.upperBound])
  }
}
