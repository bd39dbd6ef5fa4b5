extension Set<Fault> {
  /// How each poll with a device code is answered; nil for as it should be.
  var pollError: EntraError? {
    if contains(.deviceSlowDown) { return .slowDown }
    if contains(.deviceExpired) { return .deviceCodeExpired }
    if contains(.deviceDeclined) { return .authorizationDeclined }
    return nil
  }

  /// Changes the answer of the device authorization endpoint.
  func edit(deviceCode json: inout JSON) {
    if contains(.deviceForeignPage) {
      json["verification_uri"] = .string(Fault.foreignHost + "/devicelogin")
    }
  }
}
