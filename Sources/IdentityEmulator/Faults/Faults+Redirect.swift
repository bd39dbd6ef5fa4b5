extension Set<Fault> {
  /// Changes the parameters that go to the client with a redirect.
  func edit(redirect form: inout Form) {
    for fault in self {
      switch fault {
      case .wrongState: form["state"] = Random.token()
      case .missingState: form["state"] = nil
      case .wrongResponseIssuer: form["iss"] = Fault.foreignHost
      case .missingResponseIssuer: form["iss"] = nil
      case .codeTwice: form.append("code", Random.token())
      case .codeWithError: form.append("error", "access_denied")
      case .emptyCode: form["code"] = ""
      default: break
      }
    }
  }

  /// Changes the parameters with which a sign-out comes back.
  func edit(signOut form: inout Form) {
    if contains(.signOutWrongState) { form["state"] = Random.token() }
    if contains(.signOutMissingState) { form["state"] = nil }
  }

  /// The mode of a response for which `mode` was asked.
  func responseMode(
    for mode: AuthorizationRequest.ResponseMode
  ) -> AuthorizationRequest.ResponseMode {
    contains(.inFragment) ? .fragment : mode
  }
}
