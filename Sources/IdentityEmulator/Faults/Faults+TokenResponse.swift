extension Set<Fault> {
  /// Changes a token response.
  func edit(response: inout JSON) {
    for fault in self {
      switch fault {
      case .missingIDToken: response["id_token"] = nil
      case .missingAccessToken: response["access_token"] = nil
      case .missingRefreshToken: response["refresh_token"] = nil
      case .missingClientInfo: response["client_info"] = nil
      case .wrongTokenType: response["token_type"] = "mac"
      case .negativeLifetime: response["expires_in"] = -1
      case .missingLifetime: response["expires_in"] = nil
      case .fewerScopes: response["scope"] = "openid"
      default: break
      }
    }
  }
}
