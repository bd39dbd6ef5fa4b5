import FoundationEssentials

extension Emulator {
  /// Handles a device authorization request (RFC 8628, sections 3.1 and 3.2).
  func authorizeDevice(_ form: Form, authority: Authority) throws(EntraError) -> JSON {
    guard let clientID = form["client_id"] else { throw .missingParameter("client_id") }
    let client = try currentDirectory.client(clientID, at: authority)
    guard let scope = form["scope"] else { throw .missingParameter("scope") }
    let device = DeviceAuthorization(
      client: client,
      scopes: try ScopeRequest(
        scope, directory.scopeContext(client, authority.kind, origin: origin)),
      authority: authority, interval: configuration.deviceCodeInterval)
    deviceAuthorizations[device.deviceCode] = device
    let page = "\(origin)/devicelogin"
    var json: JSON = [
      "user_code": .string(device.userCode),
      "device_code": .string(device.deviceCode),
      "verification_uri": .string(page),
      "expires_in": .number(DeviceAuthorization.lifetime),
      "interval": .number(device.interval),
      "message": .string(
        "To sign in, use a web browser to open the page \(page) and enter the code "
          + "\(device.userCode) to authenticate."),
    ]
    faults.edit(\.deviceCode, &json)
    return json
  }

  /// Begins the sign-in for a user code; nil for an unknown code.
  ///
  /// Case, spaces and hyphens are ignored.
  func beginDevice(userCode: String, sessionID: String?, trace: RequestTrace) -> SignInOutcome? {
    let typed = userCode.uppercased().filter { $0.isLetter || $0.isNumber }
    guard let device = deviceAuthorizations.values.first(where: { $0.userCode == typed }),
      !device.isExpired, case .pending = device.progress
    else { return nil }
    return begin(AuthorizationRequest(device: device, trace: trace), sessionID: sessionID)
  }

  /// Redeems a device code (RFC 8628, sections 3.4 and 3.5).
  func redeemDeviceCode(_ form: Form, client: ClientRegistration, authority: Authority)
    throws -> JSON
  {
    guard client.allowsPublicFlows else { throw EntraError.missingSecret }
    guard let value = form["device_code"] else {
      throw EntraError.missingParameter("device_code")
    }
    guard var device = deviceAuthorizations[value], device.client.clientID == client.clientID,
      device.authority == authority
    else { throw EntraError.unknownDeviceCode }
    guard !device.isExpired else { throw EntraError.deviceCodeExpired }
    if let error = faults.edited(\.pollError, nil) { throw error }
    let isTooEarly = device.isPolledTooEarly(at: Date())
    deviceAuthorizations[value] = device
    guard !isTooEarly else { throw EntraError.slowDown }
    switch device.progress {
    case .pending: throw EntraError.authorizationPending
    case .declined: throw EntraError.authorizationDeclined
    case .redeemed: throw EntraError.codeRedeemed
    case .approved(let user, let tenant):
      deviceAuthorizations[value]?.progress = .redeemed
      return try tokens(
        Grant(
          authority: authority, user: user, tenant: tenant, client: client,
          scopes: device.scopes, wantsClientInfo: form["client_info"] == "1"))
    }
  }
}

extension AuthorizationRequest {
  /// The authorization request for an entered user code.
  ///
  /// It always asks for consent: the user must see the app, because the code may come from someone
  /// else (RFC 8628, section 5.4).
  init(device: DeviceAuthorization, trace: RequestTrace) {
    self.init(
      authority: device.authority, client: device.client,
      redirectURI: "", responseMode: .query, scopes: device.scopes, state: nil, nonce: nil,
      challenge: nil, prompt: .consent, loginHint: nil, maximumAge: nil,
      claims: RequestedClaims(), wantsClientInfo: false, trace: trace,
      deviceCode: device.deviceCode)
  }
}
