import CurlHTTP
import FoundationEssentials
import TestSupport

@testable import AuthCore

/// The input of flows, without network, store and clock.
struct FlowWorld {
  let client: PublicClientApplicationConfiguration
  /// The authority's OpenID configuration.
  let configuration: OpenIDConfiguration
  let start = Date(timeIntervalSince1970: 1_800_000_000)

  init(configure: (inout PublicClientApplicationConfiguration) -> Void = { _ in }) throws {
    var client = try TestApplication.configuration()
    configure(&client)
    self.client = client
    configuration = try Self.configuration(of: client.authority)
  }

  static func configuration(of authority: Authority) throws -> OpenIDConfiguration {
    guard let configuration = OpenIDConfiguration(builtInFor: authority) else {
      throw UnexpectedAction(description: "no configuration for \(authority)")
    }
    return configuration
  }

  /// A token response for `person`, with a nonce if the request had one.
  func tokens(
    of person: Person = .adele, nonce: String? = nil, serial: Int = 1,
    host: String = "login.microsoftonline.com", edit: (inout [String: JSON]) -> Void = { _ in }
  ) -> HTTPReply {
    var claims: [String: JSON] = [
      "aud": .string(client.clientID), "iss": .string("https://\(host)/\(person.tenant)/v2.0"),
      "tid": .string(person.tenant), "oid": .string(person.localObjectID),
      "sub": .string("subject-\(person.localObjectID)"), "name": .string(person.name),
      "preferred_username": .string(person.username), "iat": .number("1800000000"),
      "exp": .number("1800003600"),
    ]
    claims["nonce"] = nonce.map(JSON.string)
    let info: [String: JSON] = [
      "uid": .string(person.objectID), "utid": .string(person.homeTenant),
    ]
    var response: [String: JSON] = [
      "token_type": .string("Bearer"), "expires_in": .number("3600"),
      "scope": .string("User.Read openid profile"),
      "access_token": .string("access-\(serial)"), "refresh_token": .string("refresh-\(serial)"),
      "id_token": .string(
        ScriptedAuthority.jwt(["alg": .string("RS256"), "kid": .string("1")], claims)),
      "client_info": .string(Base64URL.encode(JSON.object(info).compactText.utf8)),
    ]
    edit(&response)
    return .json(response)
  }

  /// The expectation for tokens of any account.
  var expectation: TokenGrant.Expectation {
    TokenGrant.Expectation(
      scopes: ["User.Read"], clientID: client.clientID, authority: client.authority,
      configuration: configuration, reason: .signIn)
  }

  /// An error response of the token endpoint.
  func refusal(_ error: String, suberror: String? = nil) -> HTTPReply {
    var members: [String: JSON] = ["error": .string(error)]
    members["suberror"] = suberror.map(JSON.string)
    return .json(members, status: 400)
  }

  /// Fixed bytes in place of random ones.
  static func bytes(_ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: $0) } }
}

extension Flow {
  /// Continues with the token endpoint's response to the flow's request.
  mutating func next(
    _ reply: HTTPReply, to request: TokenGrant.Expectation?, at date: Date
  ) throws -> FlowAction {
    // A flow without a request gets valid tokens.
    let expectation = try request ?? FlowWorld().expectation
    let event: FlowEvent
    do throws(AuthenticationError) {
      event = .granted(try TokenGrant(checking: reply, receivedAt: date, against: expectation))
    } catch {
      event = .failed(error)
    }
    return try next(event, at: date)
  }
}

/// The flow returned another action than the test expects.
struct UnexpectedAction: Error, CustomStringConvertible {
  let description: String
}

extension TokenRequest {
  /// The form fields by name.
  var form: [String: String] {
    Dictionary(fields.exposed.map { ($0.name, $0.value) }) { $1 }
  }
}

extension TokenGrant {
  var tokens: [String?] { [response.accessToken.exposed, response.refreshToken?.exposed] }
}
