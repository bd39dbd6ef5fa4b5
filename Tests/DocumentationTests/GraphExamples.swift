import AuthCore
import CurlHTTP
import FoundationEssentials
import HTTPTypes
import MicrosoftGraph
import Testing

@Suite("The examples of 'Calling Microsoft Graph'")
struct GraphExamples {
  struct User: Decodable {
    var displayName: String
  }

  /// Compiled only: it needs the real Graph.
  func reading(app: PublicClientApplication, account: Account) async throws {
    let graph = GraphClient(app: app, account: account, scopes: ["User.Read"])
    let me = try await graph.get("/me", as: User.self)

    print(me.displayName)
  }

  @Test func paths() {
    let (id, subject, name) = ("adele@contoso.example", "It's done", "Megan")

    let path: GraphPath = "/users/\(id)/messages?$filter=subject eq '\(subject)'"

    #expect(
      path.description
        == "/users/adele%40contoso.example/messages?$filter=subject%20eq%20'It%27%27s%20done'")

    let request = GraphRequest(.get, "/me/messages", .select("id"), .filter("id eq '\(name)'"))

    #expect(request.query.map(\.value) == ["id", "id eq 'Megan'"])
  }

  /// Compiled only: it needs the real Graph.
  func changing(_ result: AuthenticationResult) async throws {
    func rename(to name: String, authorization: Secret<String>) async throws {
      let url = "https://graph.microsoft.com/v1.0/me"
      let body = JSON.object([JSON.Member("displayName", .string(name))]).compactText
      _ = try await GraphClient(api: url).send(
        .patch, url, headers: [.contentType: "application/json"], body: Data(body.utf8),
        authorization: authorization)
    }

    try await rename(to: "Adele", authorization: result.authorizationHeader)
  }

  @Test func errors() {
    func advice(for error: GraphError) -> String {
      switch error.code {
      case .unauthorized: "Get a new token, with the claims of the error if it has some."
      case .forbidden: "Ask for the permission, or for another account."
      case .throttled, .serverUnavailable:
        "Wait \(error.retryAfter ?? .seconds(10)), then try again."
      default: error.message
      }
    }

    var throttled = GraphError(.throttled, "Too many requests.")
    #expect(advice(for: throttled) == "Wait 10.0 seconds, then try again.")
    throttled.retryAfter = .seconds(3)
    #expect(advice(for: throttled) == "Wait 3.0 seconds, then try again.")
    #expect(advice(for: GraphError(.notFound, "No such user.")) == "No such user.")
  }
}
