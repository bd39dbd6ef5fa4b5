public import Connections
import AuthCore
import Localization

extension Connection {
  /// The connection in words: its name, and its tenant and cloud unless they are the usual ones.
  public var summary: String {
    ([name, tenantText, cloudText] as [String?]).compactMap(\.self).joined(separator: " · ").plain
  }

  /// The tenant that the connection is limited to; nil for all tenants.
  private var tenantText: String? {
    let authority = application.authority
    return switch authority.kind.known {
    case .entra:
      authority.isTenanted
        ? authority.tenant
        : authority.tenant == "consumers" ? tr("Personal accounts") : nil
    case .externalID, .adfs, .oidc: authority.environment
    case .b2c: authority.tenant
    }
  }

  /// The cloud, when it is not the worldwide one.
  private var cloudText: String? {
    switch application.authority.cloud {
    case "login.microsoftonline.us", "login-us.microsoftonline.com": tr("US Government")
    case "login.partner.microsoftonline.cn": tr("China (21Vianet)")
    case "login.microsoftonline.de", "login.sovcloud-identity.de": tr("Germany")
    case "login.sovcloud-identity.fr": tr("France")
    case "login.sovcloud-identity.sg": tr("Singapore")
    default: nil
    }
  }

  /// The line under *Signed out*.
  var signInHint: String {
    let kind = application.authority.kind
    return kind.isMicrosofts && kind != .b2c
      ? tr("Sign in to see your account and call Microsoft Graph")
      : tr("Sign in to see your account")
  }

  /// The ways to sign in that it can be used with.
  public var signInWays: [SignInWay] {
    SignInWay.allCases.filter { way in
      switch way {
      case .embedded: !application.redirectURI.isLoopback
      case .browser: true
      // Azure AD B2C has no device code flow. Whether another service has one, its metadata says.
      case .code: application.authority.kind != .b2c
      }
    }
  }

  /// Whether its accounts are of Microsoft Entra External ID, for which Microsoft's tutorial logs more.
  var isExternalID: Bool { application.authority.kind == .externalID }
}
