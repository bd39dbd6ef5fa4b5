import Sentences

/// What claims are for, by the references of Entra ID's access tokens and ID tokens, OpenID Connect
/// Core 1.0 and RFC 7519.
enum ClaimMeaning {
  /// Whether the claim is a time in seconds since 1970.
  static func isTime(_ claim: String) -> Bool {
    ["exp", "iat", "nbf", "auth_time", "xms_tcdt", "updated_at", "xms_pdl_exp"].contains(claim)
  }

  /// What the field of the header is for; nil when that is not known.
  static func headerSentence(_ field: String) -> Sentence? {
    switch field {
    case "typ": Sentence("The type of the token.")
    case "alg": Sentence("The algorithm that signed the token.")
    case "kid": Sentence("Which of the sign-in service’s keys signed the token.")
    case "x5t", "x5t#S256": Sentence("The certificate of the key that signed the token.")
    case "nonce":
      Sentence("With this, only Microsoft Graph itself can check the signature.")
    case "enc": Sentence("How the token is encrypted.")
    case "zip": Sentence("How the token was compressed before it was encrypted.")
    case "cty": Sentence("The type of the content.")
    case "crit": Sentence("Which fields a reader must understand.")
    default: nil
    }
  }

  /// What the claim is for; nil when that is not known.
  static func sentence(_ claim: String) -> Sentence? {
    token(claim) ?? app(claim) ?? person(claim) ?? signIn(claim) ?? group(claim)
  }

  private static func token(_ claim: String) -> Sentence? {
    switch claim {
    case "aud": Sentence("The API or app that the token is for. All others must reject it.")
    case "iss": Sentence("The sign-in service and tenant that issued the token.")
    case "iat": Sentence("When the token was issued.")
    case "nbf": Sentence("The token is not valid before this time.")
    case "exp": Sentence("The token is not valid after this time.")
    case "jti": Sentence("Identifies this token.")
    case "uti": Sentence("Identifies this token in the sign-in logs.")
    case "aio", "rh", "xms_rp", "xms_ssm", "xms_ftd", "xms_sub_fct", "xms_act_fct", "xms_idrel":
      Sentence("For the sign-in service only. Apps ignore it.")
    case "ver": Sentence("The version of the token’s format.")
    case "nonce": Sentence("Links the token to the app’s request, to prevent replay.")
    case "at_hash": Sentence("Connects the token with the access token that was issued with it.")
    case "c_hash": Sentence("Connects the token with the code that was issued with it.")
    case "s_hash": Sentence("Connects the token with the state of the app’s request.")
    case "cnf": Sentence("The key that the app must prove that it has when it uses the token.")
    case "xms_cc": Sentence("Capabilities that the app declares.")
    case "xms_st":
      Sentence("The user’s ID (subject) for the app, in addition to the one for the API.")
    case "at_use_nbf", "use": Sentence("What the token may be used for.")
    default: nil
    }
  }

  private static func app(_ claim: String) -> Sentence? {
    switch claim {
    case "appid", "azp": Sentence("The client ID of the app that got the token.")
    case "app_displayname": Sentence("The name of the app that got the token.")
    case "appidacr", "azpacr": Sentence("How the app authenticated itself.")
    case "scp": Sentence("What the app may do for the user.")
    case "roles": Sentence("What the app may do by itself, or the user’s roles in the app.")
    case "idtyp": Sentence("Who acts: an app by itself, or for a user.")
    case "xms_mirid": Sentence("The managed identity in Azure that got the token.")
    case "xms_az_rid": Sentence("The resource in Azure whose managed identity got the token.")
    case "act": Sentence("Who acts in the user’s place.")
    default: nil
    }
  }

  private static func person(_ claim: String) -> Sentence? {
    switch claim {
    case "oid": Sentence("The object ID of the user or app in the tenant. It never changes.")
    case "sub": Sentence("The user’s ID for this one app or API. It never changes.")
    case "tid": Sentence("The tenant: the organization of the account.")
    case "home_oid": Sentence("The object ID of a guest in their home tenant.")
    case "altsecid": Sentence("The ID of a guest at their own sign-in service.")
    case "idp": Sentence("The identity provider that authenticated the user.")
    case "upn", "unique_name":
      Sentence("The user name. It can change, so do not use this to identify people.")
    case "preferred_username":
      Sentence("The name that the user types to sign in. It can change.")
    case "name": Sentence("The user’s full name. It can change.")
    case "given_name": Sentence("The user’s first name.")
    case "family_name": Sentence("The user’s last name.")
    case "email", "emails":
      Sentence("The user’s email address. It can change or belong to someone else.")
    case "verified_primary_email", "verified_secondary_email":
      Sentence("Email addresses that the organization has confirmed.")
    case "email_verified": Sentence("Whether the email address is known to be the user’s.")
    case "xms_edov":
      Sentence("Whether the owner of the email address’s domain is verified.")
    case "onprem_sid":
      Sentence("The user’s security ID in the organization’s own directory.")
    case "puid": Sentence("The user’s ID in older services of Microsoft.")
    case "acct": Sentence("Whether the user is a member or a guest of the tenant.")
    case "ctry", "tenant_ctry": Sentence("The country of the user or the tenant.")
    case "tenant_region_scope", "tenant_region_sub_scope", "xms_tpl", "xms_pl":
      Sentence("The region or language of the user or the tenant.")
    case "xms_tcdt": Sentence("When the tenant was created.")
    case "xms_tdbr": Sentence("Where the tenant’s data is.")
    case "vnet": Sentence("The virtual network in Azure that the request came from.")
    case "city", "state", "country", "postalCode", "streetAddress", "jobTitle":
      Sentence("What the user filled in at the sign-up.")
    case "updated_at": Sentence("When the user’s details were last changed.")
    default: nil
    }
  }

  private static func signIn(_ claim: String) -> Sentence? {
    switch claim {
    case "sid": Sentence("The session on the sign-in page, which a sign-out can end.")
    case "login_hint":
      Sentence(
        "A hint that the app can send with its next sign-in or sign-out, so that no account must be"
          + " chosen.")
    case "auth_time": Sentence("When the user last typed a password or used another method.")
    case "amr": Sentence("How the user proved who they are.")
    case "acr": Sentence("How strong the sign-in was.")
    case "acrs": Sentence("The authentication contexts that the sign-in satisfied.")
    case "ipaddr": Sentence("The network address of the user’s sign-in.")
    case "in_corp": Sentence("Whether the user signed in from the organization’s network.")
    case "deviceid": Sentence("The device that the user signed in on.")
    case "signin_state", "platf": Sentence("What is known about the device of the sign-in.")
    case "pwd_exp": Sentence("When the user’s password expires.")
    case "pwd_url": Sentence("Where the user can change the password.")
    case "fwd": Sentence("The address of the user’s device behind a proxy.")
    case "tfp": Sentence("The policy or user flow that the user went through.")
    case "newUser": Sentence("Whether the user signed up just now.")
    case "enfpolids": Sentence("The policies that were applied to the sign-in.")
    default: nil
    }
  }

  private static func group(_ claim: String) -> Sentence? {
    switch claim {
    case "groups": Sentence("The groups that the user is a member of.")
    case "hasgroups":
      Sentence("The user has too many groups for the token: ask Microsoft Graph for them.")
    case "wids": Sentence("The user’s administrator roles in the tenant.")
    case "_claim_names", "_claim_sources":
      Sentence("Where to find claims that were too long for the token.")
    default: nil
    }
  }
}
