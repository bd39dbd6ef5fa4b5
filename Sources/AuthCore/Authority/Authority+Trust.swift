import Sentences

/// How an authority's host and metadata are validated.
extension Authority {
  /// The source of trust in a host.
  enum Voucher {
    /// The host is built in.
    case builtIn
    /// Microsoft's instance discovery must confirm the host.
    case microsoft
    /// The host must be among the app's known authorities.
    case application
  }

  /// The source of trust in the host.
  ///
  /// As in MSAL, instance discovery covers only hosts of Entra ID.
  var voucher: Voucher {
    switch kind.known {
    case .entra: KnownClouds.contains(environment) ? .builtIn : .microsoft
    case .externalID:
      MicrosoftHosts.externalIDTenant(of: environment) != nil ? .builtIn : .application
    case .b2c:
      KnownClouds.contains(environment) || MicrosoftHosts.b2cTenant(of: environment) != nil
        ? .builtIn : .application
    case .adfs, .oidc: .application
    }
  }

  /// Whether Entrance trusts the host by itself; for another, the app has to name it as a known
  /// authority.
  package var isTrustedByItself: Bool { voucher == .builtIn }

  /// The error for an authority whose host is not trusted.
  var notVouchedFor: AuthenticationError {
    AuthenticationError(
      .untrustedAuthority,
      Sentence(
        "“{host}” is not a trusted authority. Authority validation is not supported for this type"
          + " of authority. If you trust it, add it to the known authorities of the app.",
        ["host": environment]),
      step: .discovery)
  }

  /// Throws when the host cannot be trusted: it is not among `knownAuthorities`, and instance
  /// discovery does not cover it.
  package func check(knownAuthorities: [Authority]) throws(AuthenticationError) {
    guard voucher == .application,
      !knownAuthorities.contains(where: { $0.environment == environment })
    else { return }
    throw notVouchedFor
  }

  /// Throws unless a request's authority is of the app's kind: an account of one kind does not
  /// exist at another.
  func checkKind(of client: PublicClientApplicationConfiguration) throws(AuthenticationError) {
    guard kind == client.authority.kind else {
      throw AuthenticationError(
        .invalidParameter,
        Sentence(
          "Unsupported authority type: “{authority}” is not of the type that the app"
            + " is configured with.", ["authority": description]))
    }
  }

  /// Whether `issuer` is a valid issuer for this authority.
  ///
  /// Only Entra ID leaves the tenant open, in authorities for several tenants.
  func hasIssuer(_ issuer: String) -> Bool {
    let issuer = AuthorityURL.normalized(issuer)
    guard issuer.hasPrefix("https://") else { return false }
    let parts = issuer.dropFirst("https://".count).split(
      separator: "/", omittingEmptySubsequences: false)
    guard let host = parts.first.map(String.init) else { return false }
    let path = parts.dropFirst().map(String.init)
    switch kind.known {
    case .entra:
      // `https://host/tenant/v2.0`
      guard KnownClouds.aliases(of: environment).contains(host), path.count == 2,
        path[1] == "v2.0"
      else { return false }
      return switch tenant {
      case "common", "organizations": path[0] == "{tenantid}"
      case "consumers": path[0] == Self.personalAccountsTenant
      default: isTenantID(path[0])
      }
    case .externalID:
      // `https://<tenant ID>.ciamlogin.com/<tenant ID>/v2.0`, under any name of the tenant.
      return path.count == 2 && path[1] == "v2.0" && isTenantID(path[0])
        && MicrosoftHosts.externalIDTenant(of: host) == path[0]
    case .b2c:
      // `https://host/<tenant ID>/v2.0/` or `https://host/tfp/<tenant ID>/<policy>/v2.0/`
      guard host == environment else { return false }
      if path.count == 3, path[1...] == ["v2.0", ""] { return isTenantID(path[0]) }
      return path.count == 5 && path[0] == "tfp" && isTenantID(path[1])
        && path[2].lowercased() == policy && path[3...] == ["v2.0", ""]
    case .adfs, .oidc:
      return issuer == description
    }
  }

  /// Whether tokens of a tenant are what a request to this authority is for.
  ///
  /// - Parameters:
  ///   - tenantID: the tenant's ID, in lower case.
  ///   - issuer: the tokens' issuer, which contains the ID also when this authority has the tenant's
  ///     name; without it, a name can be any tenant's.
  func admits(tenantID: String, issuer: String? = nil) -> Bool {
    let isPersonal = tenantID == Self.personalAccountsTenant
    return switch tenant {
    case "common": true
    case "organizations": !isPersonal
    case "consumers": isPersonal
    default:
      if let issuer {
        issuer.lowercased().split(separator: "/").contains { $0 == tenantID }
      } else {
        !GUID.isValid(tenant) || tenant == tenantID
      }
    }
  }

  /// The issuer that this authority has, for error messages; `{tenantid}` is a tenant's ID.
  var expectedIssuer: String {
    let tenantID =
      switch tenant {
      case "consumers": Self.personalAccountsTenant
      default: GUID.isValid(tenant) ? tenant : "{tenantid}"
      }
    return switch kind.known {
    case .entra:
      "https://\(KnownClouds.preferredHost(of: environment) ?? environment)/\(tenantID)/v2.0"
    case .externalID: "https://\(tenantID).ciamlogin.com/\(tenantID)/v2.0"
    case .b2c: "https://\(environment)/\(tenantID)/v2.0/"
    case .adfs, .oidc: description
    }
  }

  /// Whether `text` is a tenant ID, and this tenant's ID if that is known.
  private func isTenantID(_ text: String) -> Bool {
    GUID.isValid(text) && (!GUID.isValid(tenant) || text == tenant)
  }
}
