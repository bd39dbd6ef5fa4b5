import TestSupport

/// Token caches as written by each MSAL, with its own names, keys and values.
///
/// All contain Adele's account in the same tenant, with a token for `User.Read` that is valid for
/// half an hour, another app's token, and an unknown entry.
enum Peer: String, CaseIterable, Sendable {
  case dotNET = ".NET"
  case go = "Go"
  case node = "Node"
  case java = "Java"
  case python = "Python"

  /// The text of the file.
  var text: String {
    let template =
      switch self {
      case .dotNET: Self.dotNETText
      case .go: Self.goText
      case .node: Self.nodeText
      case .java: Self.javaText
      case .python: Self.pythonText
      }
    return template.replacing("HOME", with: Person.adele.identifier)
      .replacing("OBJECT", with: Person.adele.objectID)
      .replacing("TENANT", with: Person.contoso)
      .replacing("CLIENT", with: TestApplication.clientID)
      .replacing("NAME", with: Person.adele.username)
  }

  /// Entries of another app or another version, which must be preserved byte for byte.
  var strange: [String] {
    switch self {
    case .dotNET:
      [#""wam_account_ids":{"other-app":"wam-1"}"#, #""Other":[1, 2.50e+1, {"a":null}]"#, others]
    case .go: [#""extra_of_go":"kept""#, others]
    case .node: [#""tenantProfiles":["{\"tenantId\":\"TENANT\",\"isHomeTenant\":true}"]"#, others]
    case .java: [#""client_info":"e30""#, others]
    case .python: [#""x_own" : {"a": 1}"#, others]
    }
  }

  /// Another app's token, the same in all caches.
  private var others: String { #""client_id":"other-app","secret":"AT of another""# }

  /// A byte order mark, trailing commas, the cache's own alias of the cloud, the tenant's ID as
  /// realm, an old name of a time, a time before year 1, and an access token on behalf of a caller.
  private static let dotNETText =
    "\u{FEFF}" + #"""
      {"AccessToken":{
      "home-login.windows.net-accesstoken-client-tenant-profile user.read":{"home_account_id":"HOME",\#
      "environment":"login.windows.net","client_info":"e30","client_id":"CLIENT","secret":"AT",\#
      "credential_type":"AccessToken","realm":"TENANT","target":"profile USER.READ",\#
      "cached_at":"1799999000","expires_on":"1800001800","extended_expires_on":"1800001800",\#
      "ext_expires_on":"1800001800",},
      "home-login.windows.net-atext-client-tenant-user.read-hash":{"home_account_id":"HOME",\#
      "environment":"login.windows.net","client_id":"CLIENT","secret":"AT extended",\#
      "credential_type":"ATExt","realm":"TENANT","target":"User.Read","cached_at":"1799999000",\#
      "expires_on":"1800001800","ext":{"a":"b"}},
      "home-login.windows.net-accesstoken-client-tenant-old":{"home_account_id":"HOME",\#
      "environment":"login.windows.net","client_id":"CLIENT","secret":"AT old",\#
      "credential_type":"AccessToken","realm":"TENANT","target":"Mail.Read",\#
      "cached_at":"-62135596800","expires_on":"-62135596800",\#
      "extended_expires_on":"-62135596800"},
      "home-login.windows.net-accesstoken-other-app-tenant-x":{"home_account_id":"HOME",\#
      "environment":"login.windows.net","client_id":"other-app","secret":"AT of another",\#
      "credential_type":"AccessToken","realm":"TENANT","target":"x","cached_at":"1",\#
      "expires_on":"2"},
      },"RefreshToken":{
      "home-login.windows.net-refreshtoken-1--":{"home_account_id":"HOME",\#
      "environment":"login.windows.net","client_info":"e30","client_id":"CLIENT","secret":"RT",\#
      "credential_type":"RefreshToken","family_id":"1"}
      },"IdToken":{},
      "Account":{
      "HOME-login.windows.net-TENANT":{"home_account_id":"HOME",\#
      "environment":"login.windows.net","client_info":"e30","username":"NAME","name":"Adele",\#
      "local_account_id":"OBJECT","authority_type":"MSSTS","realm":"TENANT",\#
      "wam_account_ids":{"other-app":"wam-1"}}
      },"AppMetadata":{
      "appmetadata-login.windows.net-client":{"client_id":"CLIENT",\#
      "environment":"login.windows.net","family_id":"1"}
      },"Other":[1, 2.50e+1, {"a":null}],}
      """#

  /// Keys without a suffix, an old name of a kind, and a token bound to a key.
  private static let goText = #"""
    {"AccessToken":{"home-login.microsoftonline.com-accesstoken-client-tenant-user.read openid":{"home_account_id":"HOME",\#
    "environment":"login.microsoftonline.com","realm":"TENANT",\#
    "credential_type":"AccessToken","client_id":"CLIENT","secret":"AT",\#
    "target":"User.Read openid","expires_on":"1800001800","extended_expires_on":"1800001800",\#
    "cached_at":"1799999000","token_type":"Bearer","extra_of_go":"kept"},\#
    "home-login.microsoftonline.com-accesstoken-client-tenant-user.read-pop":{"home_account_id":"HOME",\#
    "environment":"login.microsoftonline.com","realm":"TENANT",\#
    "credential_type":"AccessToken","client_id":"CLIENT","secret":"AT bound",\#
    "target":"User.Read","expires_on":"1800001800","extended_expires_on":"1800001800",\#
    "cached_at":"1799999000","token_type":"pop","keyid":"k"},\#
    "home-login.microsoftonline.com-accesstoken-other-app-tenant-x":{"home_account_id":"HOME",\#
    "environment":"login.microsoftonline.com","realm":"TENANT",\#
    "credential_type":"AccessToken","client_id":"other-app","secret":"AT of another",\#
    "target":"x","expires_on":"2","extended_expires_on":"2","cached_at":"1",\#
    "token_type":"Bearer"}},\#
    "RefreshToken":{"home-login.microsoftonline.com-refreshtoken-client":{"home_account_id":"HOME",\#
    "environment":"login.microsoftonline.com","credential_type":"RefreshToken",\#
    "client_id":"CLIENT","secret":"RT","target":""}},\#
    "IdToken":{"home-login.microsoftonline.com-idtoken-client-tenant":{"home_account_id":"HOME",\#
    "environment":"login.microsoftonline.com","realm":"TENANT","credential_type":"IDToken",\#
    "client_id":"CLIENT","secret":"no JWT"}},\#
    "Account":{"home-login.microsoftonline.com-tenant":{"home_account_id":"HOME",\#
    "environment":"login.microsoftonline.com","realm":"TENANT","local_account_id":"OBJECT",\#
    "authority_type":"MSSTS","username":"NAME"}},\#
    "AppMetadata":{"appmetadata-login.microsoftonline.com-client":{"family_id":"",\#
    "client_id":"CLIENT","environment":"login.microsoftonline.com"}}}
    """#

  /// Keys with a suffix of hyphens, an account under its home tenant with profiles as text, and a
  /// time as a number.
  private static let nodeText = #"""
    {"Account":{"home-login.windows.net-tenant":{"home_account_id":"HOME",\#
    "environment":"login.windows.net","realm":"TENANT","local_account_id":"OBJECT",\#
    "username":"NAME","authority_type":"MSSTS","client_info":"e30",\#
    "tenantProfiles":["{\"tenantId\":\"TENANT\",\"isHomeTenant\":true}"]}},\#
    "IdToken":{"home-login.windows.net-idtoken-client-tenant---":{"home_account_id":"HOME",\#
    "environment":"login.windows.net","credential_type":"IdToken","client_id":"CLIENT",\#
    "secret":"no JWT","realm":"TENANT"}},\#
    "AccessToken":{"home-login.windows.net-accesstoken-client-tenant-user.read openid--":{"home_account_id":"HOME",\#
    "environment":"login.windows.net","credential_type":"AccessToken","client_id":"CLIENT",\#
    "secret":"AT","realm":"TENANT","target":"user.read openid","cached_at":"1799999000",\#
    "expires_on":1800001800,"extended_expires_on":"1800001800","token_type":"Bearer"},\#
    "home-login.windows.net-accesstoken_with_authscheme-client-tenant-user.read--pop":{"home_account_id":"HOME",\#
    "environment":"login.windows.net","credential_type":"AccessToken_With_AuthScheme",\#
    "client_id":"CLIENT","secret":"AT bound","realm":"TENANT","target":"user.read",\#
    "cached_at":"1799999000","expires_on":"1800001800","extended_expires_on":"1800001800",\#
    "key_id":"k","token_type":"pop"},\#
    "home-login.windows.net-accesstoken-client-tenant-user.read-claims--":{"home_account_id":"HOME",\#
    "environment":"login.windows.net","credential_type":"AccessToken","client_id":"CLIENT",\#
    "secret":"AT of claims","realm":"TENANT","target":"user.read","cached_at":"1799999000",\#
    "expires_on":"1800001800","extended_expires_on":"1800001800","token_type":"Bearer",\#
    "requestedClaims":"{}","requestedClaimsHash":"claims"},\#
    "home-login.windows.net-accesstoken-other-app-tenant-x--":{"home_account_id":"HOME",\#
    "environment":"login.windows.net","credential_type":"AccessToken","client_id":"other-app",\#
    "secret":"AT of another","realm":"TENANT","target":"x","cached_at":"1","expires_on":"2",\#
    "token_type":"Bearer"}},\#
    "RefreshToken":{"home-login.windows.net-refreshtoken-client----":{"home_account_id":"HOME",\#
    "environment":"login.windows.net","credential_type":"RefreshToken","client_id":"CLIENT",\#
    "secret":"RT"}},"AppMetadata":{}}
    """#

  /// The authority's name as realm.
  private static let javaText = #"""
    {"AccessToken":{"home-login.microsoftonline.com-accesstoken-client-organizations-user.read openid":{"home_account_id":"HOME",\#
    "environment":"login.microsoftonline.com","credential_type":"AccessToken",\#
    "client_id":"CLIENT","secret":"AT","realm":"organizations","target":"User.Read openid",\#
    "cached_at":"1799999000","expires_on":"1800001800","extended_expires_on":"1800001800"},\#
    "home-login.microsoftonline.com-accesstoken-other-app-organizations-x":{"home_account_id":"HOME",\#
    "environment":"login.microsoftonline.com","credential_type":"AccessToken",\#
    "client_id":"other-app","secret":"AT of another","realm":"organizations","target":"x",\#
    "cached_at":"1","expires_on":"2","extended_expires_on":"2"}},\#
    "RefreshToken":{"home-login.microsoftonline.com-refreshtoken-client--":{"home_account_id":"HOME",\#
    "environment":"login.microsoftonline.com","credential_type":"RefreshToken",\#
    "client_id":"CLIENT","secret":"RT"}},"IdToken":{},\#
    "Account":{"home-login.microsoftonline.com-organizations":{"home_account_id":"HOME",\#
    "environment":"login.microsoftonline.com","realm":"organizations",\#
    "local_account_id":"OBJECT","username":"NAME","name":"Adele","client_info":"e30",\#
    "authority_type":"MSSTS"}},"AppMetadata":{}}
    """#

  /// Line breaks and spaces, the scopes in the refresh token's key, and a refresh token on behalf
  /// of a caller.
  private static let pythonText = #"""
    {
        "AccessToken": {
            "home-login.microsoftonline.com-accesstoken-client-common-openid user.read": {
                "credential_type": "AccessToken", "secret": "AT", "home_account_id": "HOME",
                "environment": "login.microsoftonline.com", "client_id": "CLIENT",
                "target": "User.Read openid", "realm": "common", "token_type": "bearer",
                "cached_at": "1799999000", "expires_on": "1800001800",
                "extended_expires_on": "1800001800"
            },
            "home-login.microsoftonline.com-accesstoken-other-app-common-x": {
                "home_account_id": "HOME", "environment": "login.microsoftonline.com",
                "client_id":"other-app","secret":"AT of another", "target": "x", "realm": "common",
                "x_own" : {"a": 1}
            },
            "-login.microsoftonline.com-accesstoken-daemon-tenant-.default": {
                "credential_type": "AccessToken", "secret": "AT of a service", "home_account_id": null,
                "environment": "login.microsoftonline.com", "client_id": "daemon", "target": ".default",
                "realm": "TENANT", "cached_at": "1799999000", "expires_on": "1800001800"
            }
        },
        "Account": {
            "home-login.microsoftonline.com-common": {
                "home_account_id": "HOME", "environment": "login.microsoftonline.com",
                "realm": "common", "local_account_id": "OBJECT", "username": "NAME",
                "authority_type": "MSSTS", "account_source": "authorization_code"
            }
        },
        "RefreshToken": {
            "home-login.microsoftonline.com-refreshtoken-client--user.read": {
                "credential_type": "RefreshToken", "secret": "RT", "home_account_id": "HOME",
                "environment": "login.microsoftonline.com", "client_id": "CLIENT",
                "target": "User.Read", "last_modification_time": "1799999000", "family_id": "1"
            },
            "home-login.microsoftonline.com-refreshtoken-client--caller": {
                "credential_type": "RefreshToken", "secret": "RT of a caller", "home_account_id": "HOME",
                "environment": "login.microsoftonline.com", "client_id": "CLIENT", "target": "x",
                "last_modification_time": "1799999999", "user_assertion_hash": "h"
            }
        },
        "AppMetadata": {
            "appmetadata-login.microsoftonline.com-CLIENT": {
                "client_id": "CLIENT", "environment": "login.microsoftonline.com", "family_id": "1"
            }
        }
    }
    """#
}
