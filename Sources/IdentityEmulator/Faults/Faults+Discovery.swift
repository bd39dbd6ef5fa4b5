import HTTPTypes

extension Set<Fault> {
  /// Changes an authority's metadata.
  func edit(configuration: inout JSON) {
    for fault in self {
      switch fault {
      case .discoveryForeign:
        configuration["token_endpoint"] = .string(Fault.foreignHost + "/token")
      case .discoveryForeignKeys: configuration["jwks_uri"] = .string(Fault.foreignHost + "/keys")
      case .discoveryInsecure:
        let endpoint = configuration["authorization_endpoint"]?.string ?? ""
        configuration["authorization_endpoint"] = .string(
          endpoint.replacing("https://", with: "http://"))
      case .discoveryIssuer: configuration["issuer"] = .string(Fault.foreignHost)
      case .discoveryIncomplete: configuration["token_endpoint"] = nil
      case .noSignOut: configuration["end_session_endpoint"] = nil
      case .noDeviceCode: configuration["device_authorization_endpoint"] = nil
      default: break
      }
    }
  }

  /// The reply instead of the OpenID configuration.
  var discoveryReply: Response? {
    if contains(.discoveryPage) { return .text("<html>Welcome</html>", type: "text/html") }
    if contains(.discoveryNotFound) { return Response(status: .notFound) }
    if contains(.discoveryServerError) { return Response(status: .internalServerError) }
    if contains(.discoveryRedirect) { return .found(Fault.foreignHost + "/configuration") }
    return nil
  }
}
