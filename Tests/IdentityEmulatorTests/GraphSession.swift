import CurlHTTP
import FoundationEssentials
import HTTPTypes
import Testing

@testable import IdentityEmulator

/// A program that is signed in to an emulator, and calls its Microsoft Graph.
struct GraphSession {
  /// The reply to a call.
  struct Reply {
    let status: Int
    let json: JSON

    /// The items of a page.
    var items: [JSON] { json["value"]?.items ?? [] }
    /// The code of an error.
    var code: String? { json["error"]?["code"]?.string }
    /// The sentence of an error.
    var message: String { json["error"]?["message"]?.string ?? "" }
  }

  private let client: Client
  private let token: String

  init(
    _ emulator: Emulator, _ client: Client, _ username: String = "adele@contoso.example",
    scopes: String
  ) async throws {
    let redirect = try await emulator.signIn(
      username, at: client.authorizationURL(scopes: scopes))
    let code = Form(encoded: redirect.split(separator: "?").last ?? "")["code"]
    let tokens = try TokenReply(try await client.redeem(try #require(code)))
    self.client = client
    token = try #require(tokens.accessToken)
  }

  /// Sends a request.
  ///
  /// - Parameter path: a link, or a path below the version.
  @discardableResult
  func callAsFunction(
    _ method: HTTPRequest.Method, _ path: String, _ body: String = "", fields: HTTPFields = [:]
  ) async throws -> Reply {
    var request = HTTPRequest(
      url: path.hasPrefix("https:") ? path : "\(client.running.baseURL)/v1.0\(path)")
    request.method = method
    request.headerFields = fields
    request.headerFields[.authorization] = "Bearer \(token)"
    let reply = try await client.http.execute(
      request, body: Data(body.utf8), limits: Client.timeout)
    let json = try? JSONDecoder().decode(JSON.self, from: reply.body)
    return Reply(status: reply.response.status.code, json: json ?? .null)
  }

  /// The ID of what is at a path.
  func id(_ path: String) async throws -> String {
    try #require(try await callAsFunction(.get, path).json["id"]?.string)
  }

  /// Uploads a file of one byte to an address.
  func upload(to address: String) async throws -> Reply {
    try await callAsFunction(.put, address, "x", fields: [.contentRange: "bytes 0-0/1"])
  }

  /// The address of a new upload session.
  func session(_ path: String, _ body: String = "{}") async throws -> String {
    let reply = try await callAsFunction(.post, path + ":/createUploadSession", body)
    return try #require(reply.json["uploadUrl"]?.string)
  }
}
