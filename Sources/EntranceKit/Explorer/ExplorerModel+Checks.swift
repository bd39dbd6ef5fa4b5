import AuthCore

// What is looked up about the request of the page, beside its state.
extension ExplorerModel {
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
      await self?.explanation(of: request, at: url ?? "", for: sender)
    } show: { [weak self] in
      self?.draw()
    }
  }
}
