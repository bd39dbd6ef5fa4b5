extension Set<Fault> {
  /// Changes the parameters of a redirect to the client.
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

  /// Changes the parameters of a redirect after a sign-out.
  func edit(signOut form: inout Form) {
    if contains(.signOutWrongState) { form["state"] = Random.token() }
    if contains(.signOutMissingState) { form["state"] = nil }
  }

  /// The response mode to use when `mode` was requested.
  func responseMode(
    for mode: AuthorizationRequest.ResponseMode
  ) -> AuthorizationRequest.ResponseMode {
    contains(.inFragment) ? .fragment : mode
  }
}
