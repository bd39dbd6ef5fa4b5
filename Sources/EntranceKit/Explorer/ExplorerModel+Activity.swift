import AuthCore
import HTTPTypes
import Localization
import MicrosoftGraph

// What is noted of requests: in the history, and in the window's activity. What a recording answers is
// not sent.
extension ExplorerModel {
  /// Notes a request that was sent.
  ///
  /// - Parameter typed: the request as it was typed, with its variables.
  func note(
    _ request: ExplorerRequest, typed: ExplorerRequest,
    _ outcome: Result<GraphResponse, GraphError>, for id: AccountRow.ID?
  ) {
    let status: Int?
    switch outcome {
    case .success(let response): status = response.status
    case .failure(let error):
      guard error.code != .cancelled else { return }
      status = error.status
    }
    guard let id else { return }
    // A body of variables, or in another file, would not be what was sent.
    let isBodyTyped = typed.body == request.body && request.data == nil
    let keepsBody = isBodyTyped && window.workspace.preferences.keepsBodies
    let hasBody = !typed.body.isEmpty || request.data != nil
    let fields = typed.fieldsWithoutSecrets
    window.workspace.history.add(
      SentRequests.Entry(
        method: typed.method, address: typed.address, fields: fields,
        body: keepsBody ? typed.body : "", lacksFields: fields != typed.fields,
        lacksBody: hasBody && !keepsBody, status: status, date: window.workspace.now(),
        account: id.account))
  }

  func log(_ request: GraphRequest, for id: AccountRow.ID?) {
    log(.request, LogMessage(line(of: request)), for: id)
  }

  private func line(of request: GraphRequest) -> String {
    let url = (try? graph.url(of: request)) ?? ""
    let options = ExplorerRequest(.get, url).queryOptions.map { Self.text(of: $0) }
    let query = options.isEmpty ? "" : "?" + options.joined(separator: "&")
    return "\(request.method.rawValue) \(url.prefix { $0 != "?" })\(query)"
  }

  /// An option without its value, because what is looked for is nobody's business.
  ///
  /// What may be a value itself is no name.
  private static func text(of option: QueryOption) -> String {
    let name = option.name
    let word = name.hasPrefix("$") ? name.dropFirst() : name[...]
    let isName =
      !option.value.isEmpty && name.utf8.count <= 40 && !GUID.isValid(name)
      && word.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "_.-".contains($0)) }
    return isName ? "\(name)=…" : "…"
  }

  func log(
    _ outcome: Result<GraphResponse, GraphError>, to request: GraphRequest, for id: AccountRow.ID?
  ) {
    let line = line(of: request)
    switch outcome {
    case .success(let response):
      let title = tr(
        "Response with status {status}, {size}",
        ["status": response.status, "size": ByteSize.text(response.body.count)])
      let requestID = response.requestID.map { tr("Request ID: {id}", ["id": $0]) }
      log(.response, LogMessage(lines: [title, line] + [requestID].compactMap(\.self)), for: id)
    case .failure(let error) where error.code != .cancelled:
      log(
        .failure, LogMessage(lines: [tr(error.sentence), line] + error.details.map { tr($0) }),
        for: id)
    case .failure: break
    }
  }

  private func log(
    _ kind: ActivityEvent.Kind, _ message: LogMessage, for id: AccountRow.ID?
  ) {
    guard replay == nil else { return }
    let account = id.flatMap { window.status.accounts.account($0.account) }
    window.status.activity.add(kind, message, account: account?.username, isInLog: false)
  }
}
