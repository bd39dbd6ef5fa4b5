import AuthCore
import Foundation
import IdentityBroker

let clientID = "b6c69a37-df96-4db0-9088-2ab96e1d8215"
let correlationID = "6e0d2e3a-4c0f-4be5-8f0e-1b6a1f8f3f7d"
let objectID = "9f4880d8-80ba-4c40-97bc-f7a23c703084"
let tenant = "f645ad92-e38d-4d1a-b510-d1b09a74a8ca"
let nativeClient = "https://login.microsoftonline.com/common/oauth2/nativeclient"
let page = "https://login.microsoftonline.com/common/oauth2/v2.0/authorize?sso_nonce=n"

/// A bus with a stand-in broker, and the client.
struct BrokerWorld {
  let bus: TestBus
  let standIn: StandIn
  let broker: LinuxIdentityBroker

  init(
    _ dialect: StandIn.Dialect = .native, limits: LinuxIdentityBroker.Limits = .init()
  ) async throws {
    bus = try TestBus()
    standIn = try await StandIn(dialect, on: bus)
    broker = LinuxIdentityBroker(address: bus.address, limits: limits)
  }
}

func request(_ account: BrokerAccount?) -> BrokerTokenRequest {
  var request = BrokerTokenRequest(
    clientID: clientID, authority: .common, scopes: ["https://graph.microsoft.com/.default"],
    correlationID: correlationID)
  request.account = account
  return request
}

/// The account that all stand-ins have, with an unknown member.
let adele = BrokerAccount(
  homeAccountID: HomeAccountID(objectID: objectID, tenantID: tenant),
  environment: "login.windows.net", tenantID: tenant, localAccountID: objectID,
  username: "adele@contoso.example", name: "Adele Vance",
  original: .object([
    .init("username", .string("adele@contoso.example")), .init("later", .number("1.50")),
  ]))
var adeleOnTheWire: NSDictionary { ["username": "adele@contoso.example", "later": 1.5] }

/// The parameters of every token request.
func parameters(_ type: Int, _ others: [String: Any]) -> NSDictionary {
  let common: [String: Any] = [
    "authority": "https://login.microsoftonline.com/common", "authorizationType": type,
    "clientId": clientID, "redirectUri": nativeClient,
    "requestedScopes": ["https://graph.microsoft.com/.default"],
    "additionalQueryParametersForAuthorization": [String: String](), "uxContextHandle": -1,
  ]
  return NSDictionary(dictionary: common.merging(others) { $1 })
}

/// Calls a method of `broker`; returns whether there was a broker.
func ask(
  _ broker: LinuxIdentityBroker, _ method: StandIn.Method
) async throws(AuthenticationError) -> Bool {
  switch method {
  case .getLinuxBrokerVersion: try await broker.version(correlationID: correlationID) != nil
  case .getAccounts:
    try await broker.accounts(clientID: clientID, correlationID: correlationID) != nil
  case .acquireTokenSilently: try await broker.acquireTokenSilently(request(adele)) != nil
  case .acquireTokenInteractively:
    try await broker.acquireTokenInteractively(request(adele)) != nil
  case .acquirePrtSsoCookie:
    try await broker.singleSignOnCookies(for: page, request(adele)) != nil
  case .removeAccount:
    try await broker.remove(adele, clientID: clientID, correlationID: correlationID) != nil
  }
}
