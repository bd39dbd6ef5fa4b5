extension Set<Fault> {
  /// The error for each poll with a device code; nil for none.
  var pollError: EntraError? {
    if contains(.deviceSlowDown) { return .slowDown }
    if contains(.deviceExpired) { return .deviceCodeExpired }
    if contains(.deviceDeclined) { return .authorizationDeclined }
    return nil
  }

  /// Changes the device authorization response.
  func edit(deviceCode json: inout JSON) {
    if contains(.deviceForeignPage) {
      json["verification_uri"] = .string(Fault.foreignHost + "/devicelogin")
    }
  }
}
