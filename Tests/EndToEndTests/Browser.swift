import AuthCore
import CurlHTTP
import FoundationEssentials
import HTTPTypes

/// A browser with a user: reads pages, fills in fields and clicks buttons.
///
/// It keeps its cookies, and returns the redirect to the app unchanged.
actor Browser: WebAuthenticationSession {
  /// A user's action on a page.
  enum Action: Sendable {
    case press(String, [String: String] = [:])
    case close
  }

  private let client: CurlClient
  private let person: @Sendable (Page) -> Action
  private var cookies: [String: String] = [:]
  /// The pages seen so far.
  private(set) var pages: [Page] = []

  /// The names of the pages seen so far.
  var pageNames: [String] { pages.map(\.name) }

  init(caFile: String, person: @escaping @Sendable (Page) -> Action) {
    client = CurlClient(.init(caFile: caFile))
    self.person = person
  }

  /// A user who signs in as `username` and consents to everything.
  init(caFile: String, username: String, consents: Bool = true, stays: Bool = true) {
    self.init(caFile: caFile) { page in
      switch page.name {
      case "pick-account": .press("account-0")
      case "enter-username": .press("next", ["username": username])
      case "enter-password": .press("sign-in", ["password": "Entrance-Demo-1"])
      case "consent": .press(consents ? "accept" : "decline")
      case "stay-signed-in": .press(stays ? "stay-yes" : "stay-no")
      default: .close
      }
    }
  }

  func forgetPages() { pages = [] }

  func authenticate(
    _ request: WebAuthenticationRequest
  ) async throws(AuthenticationError) -> String {
    let origin = String(
      request.startURL.prefix { $0 != "/" } + "//"
        + request.startURL.dropFirst(8).prefix { $0 != "/" })
    var next = HTTPRequest(url: request.startURL)
    var form = ""
    while true {
      let reply = try await send(next, form)
      if let location = reply.response.headerFields[.location] {
        if request.redirectURI.matches(location) { return location }
        next = HTTPRequest(url: location.hasPrefix("/") ? origin + location : location)
        form = ""
        continue
      }
      let page = Page(html: String(decoding: reply.body, as: UTF8.self))
      pages.append(page)
      guard case .press(let button, let typed) = person(page), let sent = page.form(of: button)
      else { throw AuthenticationError(.userCanceled, "The person closed the window.") }
      next = HTTPRequest(url: origin + sent.action, method: .post)
      next.headerFields[.contentType] = "application/x-www-form-urlencoded"
      form = FormEncoding.body(
        sent.fields.merging(typed) { $1 }.map { ($0.key, $0.value) })
    }
  }

  private func send(
    _ request: HTTPRequest, _ form: String
  ) async throws(AuthenticationError) -> HTTPReply {
    var request = request
    if !cookies.isEmpty {
      request.headerFields[.cookie] = cookies.map { "\($0.key)=\($0.value)" }
        .joined(separator: "; ")
    }
    do {
      let reply = try await client.execute(request, body: Data(form.utf8))
      for field in reply.response.headerFields[values: .setCookie] {
        let pair = field.prefix { $0 != ";" }.split(separator: "=", maxSplits: 1)
        cookies[String(pair[0])] = pair.count > 1 ? String(pair[1]) : nil
      }
      return reply
    } catch {
      throw AuthenticationError(.webAuthenticationFailed, error.message)
    }
  }
}
