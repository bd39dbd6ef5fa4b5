import AuthCore

// What is looked up about the request of the page, beside its state.
extension ExplorerModel {
  /// Follows a change of the request.
  func follow(_ old: ExplorerRequest) {
    keepDraftSoon()
    if request.bodyFile != old.bodyFile { checkFile() }
    if origin != nil { return findValues() }
    if request.body != old.body || request.fields != old.fields { checkBody(of: request) }
    draw()
  }

  /// Follows that the request is kept at another place.
  func followOrigin(_ old: ExplorerOrigin?) {
    keepDraftSoon()
    if origin == nil || origin?.place != old?.place {
      variables.forget()
      if origin == nil { checkBody(of: request) } else { findValues() }
    }
    draw()
  }

  /// Puts the values of variables into the request.
  func findValues() {
    guard let task = valuesTask(for: request) else { return }
    variables.follow(task) { [weak self] in
      guard let self else { return }
      if case .success(let sendable) = variables.last?.outcome { checkBody(of: sendable) }
      draw()
    }
    draw()
  }

  /// Looks for what is wrong in a body that is to be JSON.
  func checkBody(of request: ExplorerRequest) {
    bodyCheck.check(request) { [weak self] in self?.draw() }
  }

  /// Looks up which permissions are needed, if that can have changed.
  ///
  /// - Parameter url: where the request is sent; nil when it is not.
  func checkPermissions(at url: String?) {
    let sender = senders.id
    let account = [sender?.account.homeAccountID, sender?.account.cloud, sender?.tenantID]
    let about = [request.method.rawValue, url ?? ""] + account.map { $0 ?? "" }
    permissionsCheck.check(
      about + (window.tokens.grantedScopes(of: sender) ?? []),
      isPossible: url != nil && sender != nil
    ) { [weak self, request] in
      await self?.window.explanation(of: request.method, at: url ?? "", for: sender)
    } show: { [weak self] in
      self?.draw()
    }
  }
}
