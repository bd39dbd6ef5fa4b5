import AuthCore
import Connections
import CurlHTTP
import Localization
import MicrosoftGraph

/// What sends the requests of the page, and where to.
extension ExplorerModel {
  /// What the API is called: Microsoft Graph, its host, or the app while that has no API.
  var serviceName: String {
    if graph.version != nil { return graph.service }
    return privacy.shown(graph.host.isEmpty ? window.workspace.connection.name : graph.host)
  }

  /// The client with the window's tokens; what is throttled is not repeated, because the person
  /// is to see it.
  ///
  /// A pause that this program or another one was asked for is shown before anything is sent: only
  /// *Send Anyway* sends during it.
  var client: GraphClient {
    var client = replay?.graph ?? graph.authorized(by: tokens)
    if replay == nil, let account = tokens.account {
      client.pauses = GraphPauses(app: window.workspace.application, account: account)
    }
    client.retry = .never
    client.limits = Self.limits
    return client
  }

  /// Large answers are what the page is for; a connection that brings nothing more ends sooner.
  private static let limits = HTTPLimits(
    total: .seconds(600), bodySize: 128 << 20, idle: .seconds(60))

  /// The address of the API of `workspace`, without its host.
  static func address(of workspace: Workspace) -> String {
    let api = workspace.connection.api
    let origin = "https://\(workspace.graph.host)"
    return api.hasPrefix(origin) ? String(api.dropFirst(origin.count)) : api
  }

  /// Notes where the request of the page is sent, or why it cannot be.
  func place(_ next: inout ExplorerState) {
    let sendable = self.sendable(&next)
    // What was said stays while the values of variables are looked up.
    let isKnown = sendable != nil || origin == nil || variables.last?.request == request
    next.answered = isKnown || answer == nil ? answered(unless: sendable) : state.answered
    guard let sendable else { return }
    if let problem = sendable.addressProblem { return next.problem = problem }
    do throws(GraphError) {
      let url = try graph.url(of: sendable.withoutBody.graphRequest())
      (next.sentURL, next.shownURL) = (url, privacy.shown(address: url))
      let typed = request.address.trimmed
      if let placeholder = sendable.placeholder {
        next.problem = tr(
          "Replace “{placeholder}” with a value.", ["placeholder": placeholder])
      } else if !url.hasSuffix(typed) {
        next.difference = next.shownURL
      }
    } catch {
      next.problem = tr(error.sentence)
      // Else the request is wrong, and not the app.
      if error.code == .noAPI { next.correction = .edit(at: error.field) }
    }
  }

  /// The request that the last answer is to, in words; nil without an answer, or when that request is
  /// `sendable`.
  ///
  /// - Parameter sendable: the request of the page, as it would be sent; nil when it cannot be.
  func answered(unless sendable: ExplorerRequest?) -> String? {
    guard let answer, answer.request.withoutContents != sendable else { return nil }
    let (method, address) = (answer.request.method.rawValue, answer.request.address)
    return privacy.shown(address: "\(method) \(address)".plain)
  }

  /// Whether the request of an answer would go to where it went, although the app may have been edited.
  func isFromAPI(_ answer: ExplorerAnswer) -> Bool {
    guard let url = answer.url else { return true }
    return url == (try? graph.url(of: answer.sentRequest))
  }

  /// Follows an edit of the app: an answer from elsewhere is removed, because what is sent next for it
  /// would be for another API.
  func followAPI() {
    if replay == nil, let answer = answer ?? renewal?.answer, !isFromAPI(answer) {
      removeAnswer()
      sayOtherAPI()
    }
    draw()
  }

  /// Says why the last answer is not shown any more.
  func sayOtherAPI() {
    messages.notify(
      tr("The API of the app was changed, so the last response is no longer shown."))
  }
}
