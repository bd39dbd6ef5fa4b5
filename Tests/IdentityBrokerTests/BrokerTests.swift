import AuthCore
import Foundation
import IdentityBroker
import Testing

@Suite("Requests to a broker, and its replies")
struct BrokerMessageTests {
  @Test("The version", arguments: zip(StandIn.Dialect.allCases, ["2.0.1", "3.0.1", "1.4.0"]))
  func version(_ dialect: StandIn.Dialect, _ version: String) async throws {
    let world = try await BrokerWorld(dialect)
    #expect(try await world.broker.version(correlationID: correlationID) == version)
    let call = try await world.standIn.call()
    #expect(call.destination == "com.microsoft.identity.broker1")
    #expect(call.path == "/com/microsoft/identity/broker1")
    #expect(call.interface == "com.microsoft.identity.Broker1")
    #expect(call.method == "getLinuxBrokerVersion")
    #expect(call.signature == "sss")
    #expect(call.arguments.prefix(2) == ["0.0", correlationID])
    #expect(call.request == ["msalCppVersion": "1.31.0"])
  }

  @Test("The accounts", arguments: StandIn.Dialect.allCases)
  func accounts(_ dialect: StandIn.Dialect) async throws {
    let world = try await BrokerWorld(dialect)
    let accounts = try await world.broker.accounts(
      clientID: clientID, correlationID: correlationID)
    let account = try #require(accounts?.first)
    #expect(accounts?.count == 1)
    #expect(account.homeAccountID.description == "\(objectID).\(tenant)")
    #expect(account.environment == (dialect == .himmelblau ? nil : "login.windows.net"))
    #expect(account.tenantID == tenant)
    #expect(account.localAccountID == objectID)
    #expect(account.username == "adele@contoso.example")
    #expect(account.name == "Adele Vance")
    let call = try await world.standIn.call()
    #expect(call.method == "getAccounts")
    #expect(call.arguments.prefix(2) == ["0.0", correlationID])
    #expect(call.request == ["clientId": clientID, "redirectUri": nativeClient])
  }

  @Test("A token without interaction", arguments: StandIn.Dialect.allCases)
  func silent(_ dialect: StandIn.Dialect) async throws {
    let world = try await BrokerWorld(dialect)
    let token = try #require(try await world.broker.acquireTokenSilently(request(adele)))
    #expect(token.accessToken.exposed == "broker-canary-1")
    #expect(token.expiresOn == Date(timeIntervalSince1970: 1_800_003_600))
    #expect(token.extendedExpiresOn == Date(timeIntervalSince1970: 1_800_003_600))
    #expect(token.scopes == ["https://graph.microsoft.com/.default"])
    #expect((token.idToken == nil) == (dialect == .himmelblau))
    #expect((token.account != nil) == (dialect == .native))
    let call = try await world.standIn.call()
    #expect(call.method == "acquireTokenSilently")
    #expect(call.arguments.prefix(2) == ["0.0", correlationID])
    #expect(
      call.request == [
        "authParameters": parameters(
          1, ["account": adeleOnTheWire, "username": "adele@contoso.example"])
      ])
  }

  @Test(
    "A token with interaction, where the user chooses the account",
    arguments: [StandIn.Dialect.java, .native])
  func interactive(_ dialect: StandIn.Dialect) async throws {
    let world = try await BrokerWorld(dialect)
    var request = request(nil)
    request.prompt = .selectAccount
    let token = try await world.broker.acquireTokenInteractively(request)
    #expect(token?.accessToken.exposed == "broker-canary-1")
    let call = try await world.standIn.call()
    #expect(call.method == "acquireTokenInteractively")
    #expect(
      call.request == ["authParameters": parameters(6, ["prompt": "select_account"])])
  }

  @Test("A request with all parameters")
  func full() async throws {
    let world = try await BrokerWorld()
    var request = request(nil)
    request.loginHint = "ben@contoso.example"
    request.prompt = .consent
    request.claims = #"{"access_token":{"acrs":{"essential":true,"value":"c1"}}}"#
    request.parentWindow = .x11(123_456)
    // Microsoft's client rejects all but the first two.
    request.extraQueryParameters = [
      "max_age": "60", "instance_aware": "true", "Domain_Hint": "contoso.example", "mkt": "de-DE",
      "dc": "x", "nonce": "x", "prompt": "login",
    ]
    request.accessTokenToRenew = Secret("old-canary")
    _ = try await world.broker.acquireTokenInteractively(request)
    #expect(
      try await world.standIn.call().request == [
        "authParameters": parameters(
          6,
          [
            "username": "ben@contoso.example", "prompt": "consent",
            "decodedClaims": #"{"access_token":{"acrs":{"essential":true,"value":"c1"}}}"#,
            "additionalQueryParametersForAuthorization": [
              "max_age": "60", "instance_aware": "true",
            ],
            "accessTokenToRenew": "old-canary", "parentWindow": ["handle": 123_456],
          ]),
        "parentWindowHandle": 123_456,
      ])
  }

  @Test("A window of Wayland is named by its exported handle, and only where there are windows")
  func parentWindow() async throws {
    let world = try await BrokerWorld()
    var request = request(nil)
    request.parentWindow = .wayland(exportedHandle: "handle")
    _ = try await world.broker.acquireTokenInteractively(request)
    #expect(
      try await world.standIn.call().request == [
        "authParameters": parameters(6, ["parentWindow": ["exportedHandle": "handle"]]),
        "parentWindowExportedHandle": "handle",
      ])
    request.account = adele
    _ = try await world.broker.acquireTokenSilently(request)
    #expect(
      try await world.standIn.call().request == [
        "authParameters": parameters(
          1, ["account": adeleOnTheWire, "username": "adele@contoso.example"])
      ])
  }

  @Test("The single sign-on cookies", arguments: StandIn.Dialect.allCases)
  func cookies(_ dialect: StandIn.Dialect) async throws {
    let world = try await BrokerWorld(dialect)
    let cookies = try await world.broker.singleSignOnCookies(for: page, request(adele))
    var expected = [
      WebCookie(
        name: "x-ms-RefreshTokenCredential", value: Secret("cookie-canary.of.adele"),
        host: "login.microsoftonline.com")
    ]
    if dialect == .native {
      expected.append(
        WebCookie(
          name: "x-ms-DeviceCredential", value: Secret("device-canary"),
          host: "login.microsoftonline.com"))
    }
    #expect(cookies == expected)
    let call = try await world.standIn.call()
    #expect(call.method == "acquirePrtSsoCookie")
    #expect(
      call.request == [
        "account": adeleOnTheWire, "ssoUrl": page, "mamEnrollment": false,
        "authParameters": parameters(
          8, ["account": adeleOnTheWire, "username": "adele@contoso.example", "ssoUrl": page]),
      ])
  }

  @Test("The cookies are for the page's host, whichever name of it the authority has")
  func cookieHost() async throws {
    let world = try await BrokerWorld()
    var request = request(adele)
    request.authority = try Authority("https://login.windows.net/common")
    let cookies = try #require(
      try await world.broker.singleSignOnCookies(for: page, request))
    #expect(Set(cookies.map(\.host)) == ["login.microsoftonline.com"])
  }

  @Test("Cookies of another account are rejected", arguments: [false, true])
  func othersCookies(_ isList: Bool) async throws {
    let world = try await BrokerWorld()
    let cookie = #""cookieName":"x","cookieContent":"canary""#
    let cookies = isList ? #""cookieItems":[{\#(cookie)}]"# : cookie
    func answer(_ id: String) -> StandIn.Answer {
      .text(#"{\#(cookies),"account":{"homeAccountId":"\#(id)","username":"ben"}}"#)
    }
    try await world.standIn.setReplies(
      of: .acquirePrtSsoCookie, to: answer("\(objectID).\(tenant)".uppercased()),
      answer("\(tenant).\(objectID)"))
    let own = try await world.broker.singleSignOnCookies(for: page, request(adele))
    #expect(own?.map(\.value.exposed) == ["canary"])
    let error = await #expect(throws: AuthenticationError.self) {
      try await world.broker.singleSignOnCookies(for: page, request(adele))
    }
    #expect(error?.code == .invalidResponse)
  }

  @Test("The removal of an account")
  func removal() async throws {
    let world = try await BrokerWorld()
    let removed: Void? = try await world.broker.remove(
      adele, clientID: clientID, correlationID: correlationID)
    #expect(removed != nil)
    let call = try await world.standIn.call()
    #expect(call.method == "removeAccount")
    #expect(call.request == ["clientId": clientID, "account": adeleOnTheWire])
  }

  @Test("A token of another type and invalid cookies are rejected")
  func refusals() async throws {
    let world = try await BrokerWorld()
    let proofOfPossession = #"{"brokerTokenResponse":{"accessToken":"a","accessTokenType":1}}"#
    try await world.standIn.setReplies(of: .acquireTokenSilently, to: .text(proofOfPossession))
    await #expect(throws: AuthenticationError.self) {
      try await world.broker.acquireTokenSilently(request(adele))
    }
    for content in ["a; Domain=.example", "", #"a\nb"#] {
      try await world.standIn.setReplies(
        of: .acquirePrtSsoCookie,
        to: .text(#"{"cookieItems":[{"cookieName":"x","cookieContent":"\#(content)"}]}"#))
      let error = await #expect(throws: AuthenticationError.self) {
        try await world.broker.singleSignOnCookies(for: page, request(adele))
      }
      #expect(error?.code == .invalidResponse)
    }
  }
}

@Suite("Errors of a broker")
struct BrokerFailureTests {
  // Serialized: each case has its own bus and broker.
  @Test(
    "Each method of each broker, with each error", .serialized, arguments: StandIn.Method.allCases,
    StandIn.Dialect.allCases)
  func failures(_ method: StandIn.Method, _ dialect: StandIn.Dialect) async throws {
    let world = try await BrokerWorld(dialect)

    func failure(
      _ answer: StandIn.Answer, to broker: LinuxIdentityBroker? = nil
    ) async throws -> AuthenticationError {
      try await world.standIn.setReplies(of: method, to: answer)
      let broker = broker ?? world.broker
      let error = try #require(
        await #expect(throws: AuthenticationError.self) { try await ask(broker, method) })
      #expect(try await world.standIn.call().method == method.rawValue)
      #expect(error.step == .broker)
      return error
    }

    // There is no time limit for the user.
    if method != .acquireTokenInteractively {
      // Any answer may come later than this.
      var limits = LinuxIdentityBroker.Limits()
      limits.local = .milliseconds(300)
      limits.remote = .milliseconds(300)
      let silence = try await failure(
        .silence, to: LinuxIdentityBroker(address: world.bus.address, limits: limits))
      #expect(silence.code == .brokerUnavailable)
      #expect(silence.message == "This computer’s identity broker did not respond.")
      #expect(silence.correlationID == correlationID)
    }
    let empty = try await failure(.text(""))
    #expect(empty.message == "This computer’s identity broker did not respond.")

    let refused = try await failure(.error("org.freedesktop.DBus.Error.Failed", "No display"))
    #expect(refused.code == .brokerUnavailable)
    #expect(refused.message == "This computer’s identity broker refused the request.")
    #expect(refused.serverDescription == "org.freedesktop.DBus.Error.Failed: No display")
    #expect(refused.correlationID == correlationID)
    let strange = try await failure(.error("com.example.Strange", "words"))
    #expect(strange.serverDescription == "com.example.Strange: words")

    let object = #"{"context":"no","status":3,"subStatus":6005,"tag":"4ulu3","errorCode":-1}"#
    for place in [#"{"error":\#(object)}"#, #"{"brokerTokenResponse":{"error":\#(object)}}"#] {
      let reported = try await failure(.text(place))
      #expect(reported.code == .networkUnavailable)
      #expect(reported.brokerError?.status == 3)
      #expect(reported.brokerError?.subStatus == 6005)
      #expect(reported.brokerError?.errorCode == -1)
      #expect(reported.brokerError?.tag == "4ulu3")
      #expect(reported.serverDescription == "no")
      #expect(
        reported.details.map { "\($0)" }
          .contains("Broker: status 3, substatus 6005, code -1, tag 4ulu3"))
    }

    var unreadable: [StandIn.Answer] = [.number, .text("{\"accounts\":["), .text("[]")]
    if method != .removeAccount { unreadable.append(.text("{}")) }
    for answer in unreadable {
      let error = try await failure(answer)
      #expect(error.code == .invalidResponse, "\(answer)")
      #expect(error.correlationID == correlationID)
    }

    let left = try await failure(.leave)
    #expect(left.code == .brokerUnavailable)
    #expect(left.message == "This computer’s identity broker did not respond.")
  }

  @Test("The words of a peer on the bus are shown as one line, and not without end")
  func words() async throws {
    let world = try await BrokerWorld()
    func description(of words: String) async throws -> String? {
      try await world.standIn.setReplies(of: .getAccounts, to: .error("com.example.Strange", words))
      let error = await #expect(throws: AuthenticationError.self) {
        try await world.broker.accounts(clientID: clientID, correlationID: correlationID)
      }
      return error?.serverDescription
    }
    #expect(
      try await description(of: "a\u{1B}[2J\nb\u{202E}c")
        == #"com.example.Strange: a\u{1b}[2J\u{a}b\u{202e}c"#)
    let long = try #require(try await description(of: String(repeating: "x", count: 5000)))
    #expect(long.count == 2001)
    #expect(long.hasPrefix("com.example.Strange: x"))
  }

  /// From Microsoft's broker 2.0.1 (siemens/linux-entra-sso, issue 114).
  @Test("The server's error is passed on completely")
  func serverError() async throws {
    let world = try await BrokerWorld(.java)
    try await world.standIn.setReplies(
      of: .acquireTokenSilently,
      to: .text(
        """
        {"brokerTokenResponse": {"accessTokenType": 0, "expiresOn": 0, "extendedExpiresOn": 0,
          "error": {"context": "AADSTS50078: Presented multi-factor authentication has expired. \
        Trace ID: 0fc85dc0-0ec4-4f47-9942-d28d066b4901 Correlation ID: \
        192bcb54-3d17-4cbb-acb6-5693f0f18454 Timestamp: 2026-01-06 10:25:42Z",
            "diagnostics": {"raw_error_code": "invalid_grant",
              "oauth2_sub_error_code": "basic_action"},
            "errorCode": 0, "status": 2, "subStatus": 0, "tag": 0}}}
        """))
    let error = try #require(
      await #expect(throws: AuthenticationError.self) {
        try await world.broker.acquireTokenSilently(request(adele))
      })
    #expect(error.code == .interactionRequired)
    #expect(error.oauthError == "invalid_grant")
    #expect(error.suberror == "basic_action")
    #expect(error.serverErrorCodes == [50078])
    #expect(error.correlationID == "192bcb54-3d17-4cbb-acb6-5693f0f18454")
    #expect(error.guidance != nil)
    #expect(error.serverDescription?.hasPrefix("AADSTS50078: Presented") == true)
  }

  /// From `Msai::StringUtils::ToString(StatusInternal)` of pymsalruntime 0.20.7.
  @Test(
    "The numbers on the wire are those inside MSAL's C++ runtime",
    arguments: [
      (BrokerError.Status.unexpected, 0), (.interactionRequired, 2), (.noNetwork, 3),
      (.networkTemporarilyUnavailable, 4), (.serverTemporarilyUnavailable, 5),
      (.apiContractViolation, 6), (.userCanceled, 7), (.applicationCanceled, 8),
      (.incorrectConfiguration, 9), (.authorityUntrusted, 11), (.userSwitch, 12),
      (.accountUnusable, 13), (.transientError, 15), (.accountSwitch, 16),
      (.deviceNotRegistered, 17), (.keyNotFound, 18), (.accountNotFound, 19),
      (.requiredBrokerMissing, 20), (.fallbackToNativeMsal, 21), (.certificateNotFound, 22),
      (.mdmEnrollmentHandoff, 23),
    ])
  func numbers(_ status: BrokerError.Status, _ number: Int) {
    #expect(status.rawValue == number)
  }

  /// From `Msai::StringUtils::TagToString(int)` of pymsalruntime 0.20.7, but for 0, which is no tag.
  @Test(
    "A tag is shown in Microsoft's letters",
    arguments: [
      ("579379414", "88kdw"), ("508605725", "4ulu3"), ("508171530", "4s7uk"), ("1", "aaaab"),
      ("35", "aaaa9"), ("36", "aaaa*"), ("505012161", "4g3*b"), ("0", nil), ("-1", nil),
      ("1073741824", nil), ("9223372036854775807", nil), ("1e400", nil), (#""4ulu3""#, "4ulu3"),
      (#""UNTAG\n""#, nil),
    ])
  func tags(_ tag: String, _ letters: String?) async throws {
    let world = try await BrokerWorld()
    try await world.standIn.setReplies(
      of: .getAccounts, to: .text(#"{"error":{"context":"no","status":0,"tag":\#(tag)}}"#))
    let error = try #require(
      await #expect(throws: AuthenticationError.self) {
        try await world.broker.accounts(clientID: clientID, correlationID: correlationID)
      })
    #expect(error.brokerError?.status == 0)
    #expect(error.brokerError?.tag == letters)
  }

  @Test(
    "The meaning of the numbers",
    arguments: [
      (0, AuthenticationError.Code.serverError), (2, .interactionRequired),
      (3, .networkUnavailable), (4, .networkUnavailable), (5, .serverUnavailable),
      (6, .brokerUnavailable), (7, .userCanceled), (8, .userCanceled), (9, .invalidConfiguration),
      (11, .untrustedAuthority), (12, .accountMismatch), (13, .interactionRequired),
      (15, .serverUnavailable), (16, .accountMismatch), (17, .brokerUnavailable),
      (18, .brokerUnavailable), (19, .accountNotFound), (20, .brokerUnavailable),
      (21, .brokerUnavailable), (22, .brokerUnavailable), (23, .brokerUnavailable),
      (99, .serverError),
    ])
  func statuses(_ status: Int, _ code: AuthenticationError.Code) {
    var error = BrokerError()
    error.status = status
    #expect(error.authenticationError(correlationID).code == code)
    #expect(error.authenticationError(correlationID).correlationID == correlationID)
  }
}

extension BrokerSignInTests {
  @Test(
    "An account is listed once, whichever host of its cloud the app's authority has",
    arguments: StandIn.Dialect.allCases)
  func aliases(_ dialect: StandIn.Dialect) async throws {
    let world = try await AppWorld(dialect, authority: "https://login.windows.net/common")
    let known = try await world.brokerAccount()
    let account = try await world.signIn { $0.account = known }.account
    #expect(await world.app.accounts() == [account])
  }
}
