import CurlHTTP
import FoundationEssentials
import HTTPTypes
import TestSupport

@testable import AuthCore
@testable import EntranceKit

/// A sign-in whose pages are open when the bytes arrive.
private struct SignIn {
  let client: PublicClientApplicationConfiguration
  let configuration: OpenIDConfiguration
  let flow: InteractiveFlow
  let state: String

  init(_ client: PublicClientApplicationConfiguration) throws {
    guard let configuration = OpenIDConfiguration(builtInFor: client.authority) else {
      throw CocoaError(.featureUnsupported)
    }
    var flow = InteractiveFlow(
      client: client,
      parameters: InteractiveTokenParameters(
        scopes: ["User.Read"], session: ScriptedPages { _ in "" }), correlationID: "1"
    ) { Array(repeating: 0, count: $0) }
    _ = try flow.next(.started, at: FuzzTarget.now)
    _ = try flow.next(.described(configuration), at: FuzzTarget.now)
    self.client = client
    self.configuration = configuration
    self.flow = flow
    state = Base64URL.encode([UInt8](repeating: 0, count: 32))
  }

  static let entra = Result {
    var client = try TestApplication.configuration()
    client.multipleCloudsSupported = true
    return try SignIn(client)
  }
}

extension FuzzTarget {
  /// The URL that ends the sign-in pages, and the form that is posted instead.
  func readRedirect(_ bytes: [UInt8]) throws {
    let text = String(decoding: bytes, as: UTF8.self)
    if let uri = try? RedirectURI(text) {
      try expect(uri.matches(text), "a redirect URI matches itself")
      if uri.isLoopback { _ = uri.withLoopbackPort(uri.loopbackPort ?? 1).path }
    }
    let signIn = try SignIn.entra.get()
    let redirectURI = signIn.client.redirectURI
    for url in [
      text, "\(redirectURI)?\(text)", "\(redirectURI)?state=\(signIn.state)&\(text)",
    ] {
      var flow = signIn.flow
      guard let action = try? flow.next(.redirected(url), at: Self.now) else { continue }
      try expect(url.contains(signIn.state), "a response has the state of its request")
      if case .requestTokens(let request, _) = action {
        try expect(
          request.fields.exposed.contains { $0.name == "code" && !$0.value.isEmpty },
          "a response has a code")
      }
    }
  }

  /// A token response; an odd first byte makes it an error.
  func readTokenResponse(_ bytes: [UInt8]) throws {
    guard let first = bytes.first else { return }
    let signIn = try SignIn.entra.get()
    let reply = reply(bytes.dropFirst(), status: first & 1 == 1 ? 400 : 200)
    do {
      let grant = try TokenGrant(
        checking: reply, receivedAt: Self.now,
        against: TokenGrant.Expectation(
          scopes: ["User.Read"], clientID: signIn.client.clientID,
          authority: signIn.client.authority, configuration: signIn.configuration,
          reason: .signIn))
      var record = AccountRecord(
        id: "1", clientID: signIn.client.clientID, homeAccountID: grant.homeAccountID,
        environment: "login.microsoftonline.com", signedInAt: Self.now)
      record.merge(grant)
      try expect(
        StoredRecord(id: "1", contents: record.text).account?.refreshToken
          == grant.response.refreshToken,
        "a refresh token is stored")
      try expect(grant.expiresOn > Date.distantPast, "a token expires")
    } catch let error as AuthenticationError {
      try expect(!error.message.isEmpty, "an error has a message")
      _ = error.details
    }
  }

  /// An ID token: the bytes as a token, and as the claims of a valid token.
  func readIDToken(_ bytes: [UInt8]) throws {
    let signIn = try SignIn.entra.get()
    let header = Base64URL.encode(#"{"alg":"RS256","kid":"1"}"#.utf8)
    for text in [
      String(decoding: bytes, as: UTF8.self), "\(header).\(Base64URL.encode(bytes)).AAAA",
    ] {
      if let token = try? IDToken(text) {
        try? token.checkHash(of: Secret("token"))
        _ = (token.tenantID, token.localAccountID, token.username(at: .b2c))
        if let end = token.expiry(receivedAt: Self.now) {
          try expect(end > Self.now, "a new token is not expired")
          try expect(end < Self.now + 367 * 86_400, "a token expires within a year")
        }
        if let difference = token.clockDifference(at: Self.now) {
          try expectWords(
            WrongClock(difference, at: Self.now).notice(canOpenSettings: true))
        }
      }
      _ = try? IDToken(
        text,
        expecting: IDToken.Expectation(
          clientID: signIn.client.clientID, authority: signIn.client.authority,
          configuration: signIn.configuration, nonce: nil))
    }
  }

  /// An authority's metadata, its keys, and the instance discovery response.
  func readOpenIDConfiguration(_ bytes: [UInt8]) throws {
    let reply = reply(bytes[...])
    _ = try? SigningKeySet(reply)
    for url in ["https://login.microsoftonline.com/common", "https://id.contoso.example/one"] {
      let authority = try Authority(url, kind: url.hasSuffix("one") ? .oidc : nil)
      try? InstanceDiscovery.check(reply, for: authority)
      guard
        let configuration = try? OpenIDConfiguration(
          reply, for: authority, knownHosts: [authority.environment])
      else { continue }
      for endpoint in [
        configuration.tokenEndpoint, configuration.authorizationEndpoint, configuration.keysURL,
      ] {
        let request = HTTPRequest(url: endpoint)
        try expect(request.scheme == "https", "tokens are asked for over TLS")
      }
    }
  }

  /// A device authorization response.
  func readDeviceCode(_ bytes: [UInt8]) throws {
    guard
      let response = try? DeviceAuthorizationResponse(
        reply(bytes[...]), receivedAt: Self.now, from: .common)
    else { return }
    try expect(
      response.code.message.utf8.allSatisfy { (0x20..<0x7f).contains($0) },
      "text for the user is one line")
    try expect(response.code.expiresOn > Self.now, "a new code is not expired")
    try expect(response.code.timeLeft(at: Self.now) != "0:00", "a new code has time left")
    try expect(response.interval > 0, "the polling interval is positive")
  }

  func reply(_ body: ArraySlice<UInt8>, status: Int = 200) -> HTTPReply {
    HTTPReply(
      response: HTTPResponse(
        status: .init(code: status), headerFields: [.contentType: "application/json"]),
      body: Data(body))
  }
}
