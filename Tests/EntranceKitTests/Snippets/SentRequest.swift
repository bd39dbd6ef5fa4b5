import AuthCore
import FoundationEssentials
import HTTPTypes
import MicrosoftGraph

func send(app: PublicClientApplication, account: Account) async throws -> GraphResponse {
  let graph = GraphClient(app: app, account: account, scopes: ["Mail.ReadWrite"])
  var request = GraphRequest(.post, "https://graph.microsoft.com/v1.0/me/messages?$select='a%20b'")
  let body = """
    {
      "subject": "It's here"
    }
    """
  request.body = GraphBody(Data(body.utf8), contentType: "application/json")
  if let name = HTTPField.Name("Prefer") {
    request.headerFields.append(HTTPField(name: name, value: "IdType=\"ImmutableId\""))
  }
  return try await graph.send(request)
}
