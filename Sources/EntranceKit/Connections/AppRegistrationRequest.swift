package import AuthCore
package import Connections
import CurlHTTP
import HTTPTypes
package import MicrosoftGraph
package import Sentences

/// Creates an app registration through Microsoft Graph, for an account that is signed in to another
/// app of its organization.
///
/// https://learn.microsoft.com/graph/api/application-post-applications
package enum AppRegistrationRequest {
  /// The delegated permission that this takes.
  static let permission = "Application.ReadWrite.All"

  /// The permission as it is requested in the cloud of `connection`.
  package static func scope(at connection: Connection) -> String {
    let host = connection.application.authority.environment
    let cloud = GraphCloud.all.first { $0.signInHosts.contains(host) } ?? .global
    return cloud.scope(permission)
  }

  /// Why it was not created, or may have been.
  package struct Failure: Error, Sendable {
    /// What Microsoft Graph, or the way to it, said.
    package let error: GraphError

    init(_ error: GraphError) {
      self.error = error
    }

    /// Whether it may exist nonetheless: the request may have arrived, and the answer did not.
    package var mayExist: Bool {
      // Its status is that of an earlier response.
      if error.isPaused { return false }
      if let status = error.status { return status < 300 || status >= 500 && status != 501 }
      switch error.code {
      case .networkUnavailable:
        let unsent: [HTTPError.Code] = [
          .cannotFindHost, .networkUnreachable, .cannotConnect, .proxyFailure,
        ]
        return (error.cause as? HTTPError).map { !unsent.contains($0.code) } ?? false
      case .invalidResponse: return true
      default: return false
      }
    }

    /// Whether the account may not create one, or has not granted the permission.
    package var isForbidden: Bool { error.code == .forbidden && error.claims == nil }

    /// One or more sentences for the person.
    package var sentence: Sentence {
      if mayExist {
        return Sentence([
          error.sentence,
          Sentence(
            "The app may have been created nonetheless. Before you try again, look under “App"
              + " registrations” in the Microsoft Entra admin center."),
        ])
      }
      guard isForbidden else { return error.sentence }
      return Sentence(
        "This account may not register apps in its organization, or the permission {permission} was"
          + " not granted.", ["permission": AppRegistrationRequest.permission])
    }
  }

  /// Why no app can be created with an account of `connection`; nil when that can be tried.
  package static func obstacle(
    to account: Account, of application: PublicClientApplication, at connection: Connection
  ) -> Sentence? {
    guard connection.isMicrosoftGraph else {
      return Sentence(
        "The app “{name}” does not use Microsoft Graph.", ["name": connection.name])
    }
    let row = AccountRow(
      account, application.profile(of: account, in: nil), tenantID: nil, at: connection)
    switch row.kind {
    case .work: return nil
    case .personal:
      return Sentence(
        "A personal account cannot register apps: it belongs to no organization. Use a work or"
          + " school account.")
    case .guest:
      return Sentence(
        "Guests cannot register apps. Sign in with this account in its own organization.")
    case .externalID, .other:
      return Sentence("Only work and school accounts can register apps.")
    }
  }

  /// Creates one, as ``AppRegistration`` describes it.
  ///
  /// The request is sent once. From then on, it is completed even if the caller is canceled: what is
  /// created must not get lost, and not be created twice. Before, while its token is renewed, a
  /// cancellation ends it, and nothing is created.
  ///
  /// - Parameter graph: has the token of the account.
  /// - Returns: its application (client) ID.
  package static func create(with graph: GraphClient) async throws(Failure) -> String {
    var client = graph
    client.retry = .never
    let response: GraphResponse
    do throws(GraphError) {
      response = try await client.sendToEnd(
        GraphRequest(.post, "/applications", body: .json(AppRegistration.resource)))
    } catch {
      throw Failure(error)
    }
    guard let clientID = (try? response.json())?["appId"]?.string, GUID.isValid(clientID) else {
      var error = GraphError(.invalidResponse, Sentence("The service sent an invalid response."))
      error.status = response.status
      error.requestID = response.requestID
      throw Failure(error)
    }
    return clientID
  }

  /// How the app is written down: for the organization of `account` alone, by its domain, in the
  /// cloud of the app that created it.
  ///
  /// - Parameters:
  ///   - connection: the app that created it.
  ///   - graph: the client of its API.
  package static func draft(
    _ clientID: String, of account: Account, like connection: Connection, _ graph: GraphClient
  ) -> ConnectionDraft {
    let authority = connection.application.authority
    var draft = ConnectionDraft()
    draft.name = EntranceIdentity.name
    draft.clientID = clientID
    let tenant = "https://\(authority.environment)/"
    draft.authority = tenant + account.homeAccountID.tenantID
    // People know a domain of their organization, and not its ID.
    if let domain = account.domain, domain.contains("."),
      let named = try? Authority(tenant + domain)
    {
      draft.authority = named.description
    }
    if graph.host != GraphCloud.global.host { draft.api = "https://\(graph.host)/v1.0/me" }
    draft.caFile = connection.application.caFile ?? ""
    let scope = GraphCloud(of: account).scope("User.Read")
    if scope != "User.Read" { draft.scopes = [scope] }
    return draft.trustingAuthority
  }
}
