import AuthCore
import Sentences

/// A name or a message by which other programs and services report a problem with signing in, and what
/// it means.
///
/// To add one, add a row with the page that describes it, and a text that somebody got to
/// `Tests/known-errors.txt`.
struct KnownMessage: Sendable {
  let kind: FailureKind
  let nextStep: Sentence
  /// How it is written, in any case; as whole words.
  let texts: [String]
  let meaning: Sentence
  /// The page that describes it.
  let source: String
  /// Whether it says so little that anything else that is known says more.
  var isGeneral = false

  /// All that are known, the most exact first.
  static let all = [mail, graph, git, programs, clusters, devices, computer, protocols]
    .flatMap(\.self)

  /// The names of those that are found by a part of their message.
  private static let names = [
    "TF400813: The user": "TF400813",
    "Authentication failed for 'https://dev.azure.com":
      "Authentication failed for 'https://dev.azure.com/…'",
    "could not read Username for 'https://dev.azure.com":
      "could not read Username for 'https://dev.azure.com'",
    "mailbox is either inactive, soft-deleted":
      "mailbox is either inactive, soft-deleted, or is hosted on-premise",
    "https://aka.ms/acr/authorization":
      "authentication required, visit https://aka.ms/acr/authorization",
  ]

  /// How the one that is in `text` is called; empty when none is.
  func name(in text: CopiedError) -> String {
    let found = texts.first { text.contains($0) } ?? ""
    return Self.names[found] ?? found
  }

  // MARK: - Table

  static func rows(
    _ source: String, _ kind: FailureKind, _ nextStep: Sentence,
    _ meanings: KeyValuePairs<[String], Sentence>
  ) -> [KnownMessage] {
    meanings.map {
      KnownMessage(kind: kind, nextStep: nextStep, texts: $0.key, meaning: $0.value, source: source)
    }
  }

  /// Exchange Online, by IMAP, POP and SMTP.
  private static let mail: [KnownMessage] = [
    rows(
      Source.basicAuthentication,
      .registration, Sentence("In the mail program, choose OAuth 2.0 (XOAUTH2) for this account."),
      [
        ["basic authentication is disabled", "5.7.30", "Basic authentication is not supported"]:
          Sentence("Microsoft no longer accepts passwords from mail programs.")
      ]),
    rows(
      Source.smtpAuthentication,
      .administrator, Sentence("Ask your administrator to turn on authenticated SMTP for it."),
      [
        ["SmtpClientAuthentication is disabled"]: Sentence(
          "Mail programs are not allowed to send mail from this mailbox.")
      ]),
    rows(
      Source.mailOAuth,
      .otherAccount,
      Sentence("Check the user name of the mailbox, and whether IMAP is turned on for it."),
      [
        ["User is authenticated but not connected"]: Sentence(
          "The sign-in worked, but the mailbox did not open.")
      ]),
    general(
      Source.mailOAuth,
      .scope,
      Sentence("Check the user name and the scopes, such as those of 'man entrance-mail'."),
      [
        ["AUTHENTICATE failed", "Authentication unsuccessful"]: Sentence(
          "The mail server did not accept the token.")
      ]),
    rows(
      Source.nonDelivery,
      .administrator, Sentence("Send with the address of the account, or ask your administrator."),
      [
        ["SendAsDenied", "5.7.60"]: Sentence(
          "The account is not allowed to send mail with this address.")
      ]),
    rows(
      Source.nonDelivery,
      .administrator, Sentence("Ask your administrator to contact Microsoft support."),
      [
        ["5.7.708"]: Sentence("Exchange Online does not accept mail from this IP address.")
      ]),
  ].flatMap(\.self)

  /// Microsoft Graph.
  private static let graph: [KnownMessage] = [
    rows(
      "https://learn.microsoft.com/graph/resolve-auth-errors", .signIn,
      Sentence("Get a new token for this API."),
      [
        [
          "InvalidAuthenticationToken", "80049217", "CompactToken parsing failed",
          "Access token has expired", "Access token validation failure",
          "Lifetime validation failed",
          "ExpiredAuthenticationToken", "InvalidAuthenticationTokenTenant",
        ]: Sentence("The token is missing, has expired, or is for another API.")
      ]),
    rows(
      "https://learn.microsoft.com/graph/resolve-auth-errors", .consent,
      Sentence(
        "Sign in with the permission that it needs; 'entrancectl graph explain' shows which."),
      [
        [
          "Authorization_RequestDenied", "Insufficient privileges", "ErrorAccessDenied",
          "Missing scope permissions", "InsufficientPermissions",
        ]: Sentence("The token or the account lacks a permission for this request.")
      ]),
    rows(
      "https://learn.microsoft.com/graph/resolve-auth-errors", .otherAccount,
      Sentence("Sign in with another account, or ask the organization to invite this one."),
      [
        ["Authorization_IdentityNotFound"]: Sentence(
          "The account does not exist in the organization that the token is for.")
      ]),
    rows(
      "https://learn.microsoft.com/graph/errors", .otherAccount,
      Sentence("Sign in with another account, or ask your administrator for a license."),
      [
        [
          "MailboxNotEnabledForRESTAPI", "MailboxNotSupportedForRESTAPI",
          "mailbox is either inactive, soft-deleted",
        ]: Sentence("The account has no mailbox in Exchange Online."),
        ["Tenant does not have a SPO license"]: Sentence(
          "The organization has no license for SharePoint and OneDrive."),
      ]),
    rows(
      "https://learn.microsoft.com/graph/errors", .developers,
      Sentence("Check the address of the request and its ID."),
      [
        ["Request_ResourceNotFound", "ErrorItemNotFound", "itemNotFound", "ResourceNotFound"]:
          Sentence("There is nothing at this address, or the account is not allowed to see it.")
      ]),
    rows(
      "https://learn.microsoft.com/graph/aad-advanced-queries", .developers,
      Sentence("Add “$count=true” and the header field “ConsistencyLevel: eventual”."),
      [
        ["Request_UnsupportedQuery"]: Sentence(
          "Microsoft Graph accepts this only as an advanced query.")
      ]),
    rows(
      "https://learn.microsoft.com/graph/throttling", .later,
      Sentence("Wait a few minutes, then try again."),
      [
        [
          "TooManyRequests", "activityLimitReached", "ApplicationThrottled", "MailboxConcurrency",
          "RequestThrottled",
        ]: Sentence("Too many requests were sent in a short time.")
      ]),
    rows(
      "https://learn.microsoft.com/graph/errors", .otherAccount,
      Sentence("Delete what is not needed, or ask for more space."),
      [
        ["quotaLimitReached", "ErrorQuotaExceeded"]: Sentence("The storage of the account is full.")
      ]),
    rows(
      "https://learn.microsoft.com/graph/delta-query-overview", .developers,
      Sentence("Read everything again without the stored delta link."),
      [
        ["resyncRequired", "SyncStateNotFound", "syncStateInvalid"]: Sentence(
          "The stored delta link is too old.")
      ]),
    rows(
      Source.continuousAccess,
      .signIn, Sentence("Sign in again."),
      [
        [
          "insufficient_claims", "TokenIssuedBeforeRevocationTimestamp",
          "LocationConditionEvaluationSatisfied",
        ]:
          Sentence("The API needs a newer or stronger sign-in.")
      ]),
  ].flatMap(\.self)

  /// Azure DevOps.
  private static let git: [KnownMessage] = [
    rows(
      Source.azureDevOps,
      .otherAccount, Sentence("Sign in with the account that is a member there."),
      [
        ["TF400813: The user", "TF30063", "VS30063", "TF50309"]: Sentence(
          "This account is not allowed to use the Azure DevOps organization."),
        ["TF401019"]: Sentence(
          "The repository does not exist, or this account is not allowed to read it."),
      ]),
    rows(
      Source.azureDevOps,
      .administrator, Sentence("Ask an administrator of the project for the permission."),
      [
        ["TF401027", "GenericContribute"]: Sentence(
          "This account is not allowed to change the repository.")
      ]),
    rows(
      "https://learn.microsoft.com/azure/devops/repos/git/auth-overview", .signIn,
      Sentence("Let Git ask 'entrancectl credential git'; see 'man entrancectl'."),
      [
        [
          "Resource not available for anonymous access",
          "Authentication failed for 'https://dev.azure.com",
          "could not read Username for 'https://dev.azure.com",
        ]: Sentence("Git has no valid credential for Azure Repos.")
      ]),
  ].flatMap(\.self)

  /// The network, and this computer.
  private static let computer: [KnownMessage] = [
    rows(
      "https://curl.se/libcurl/c/libcurl-errors.html", .notSecure,
      Sentence(
        "Let the program trust your organization’s certificate authority, or ask your"
          + " administrator."),
      [
        [
          "certificate verify failed", "unable to get local issuer certificate",
          "self signed certificate", "self-signed certificate", "SSL certificate problem",
          "certificate signed by unknown authority", "x509: certificate",
          "SSLCertVerificationError",
        ]: Sentence("The program does not trust the server’s certificate.")
      ]),
    general(
      "https://curl.se/libcurl/c/libcurl-errors.html", .noConnection,
      Sentence("Check your connection, the proxy, and the firewall, then try again."),
      [
        [
          "Could not resolve host", "Temporary failure in name resolution",
          "Name or service not known",
          "no such host", "NameResolutionError", "getaddrinfo ENOTFOUND", "Connection timed out",
          "Connection refused", "Network is unreachable", "ECONNREFUSED", "ETIMEDOUT",
        ]: Sentence("The server cannot be reached.")
      ]),
  ].flatMap(\.self)

  /// OAuth 2.0 and its extensions: what any service may answer, and says little.
  private static let protocols: [KnownMessage] = [
    rows(
      "https://learn.microsoft.com/entra/identity-platform/reply-url", .redirectURI,
      Sentence("Add it to the app registration, spelled exactly the same."),
      [
        ["redirect_uri_mismatch", "input parameter 'redirect_uri' is not valid"]: Sentence(
          "The redirect URI is not registered for this app.")
      ]),
    rows(
      "https://learn.microsoft.com/entra/identity-platform/supported-accounts-validation",
      .connection, Sentence("Check the client ID and the account types of the app registration."),
      [
        ["not enabled for consumers"]: Sentence(
          "The app does not exist, or is not registered for personal accounts.")
      ]),
    general(
      "https://www.rfc-editor.org/rfc/rfc6749#section-5.2", .signIn, Sentence("Sign in again."),
      [
        ["invalid_grant"]: Sentence("The sign-in or its code is no longer valid."),
        ["interaction_required", "login_required", "account_selection_required"]: Sentence(
          "The service needs you to sign in again."),
        ["expired_token", "code_expired"]: Sentence("The code has expired."),
        ["authorization_declined"]: Sentence("The sign-in on the other device was declined."),
        ["invalid_token"]: Sentence("The token has expired or is not valid."),
      ]),
    general(
      "https://www.rfc-editor.org/rfc/rfc6749#section-5.2", .consent,
      Sentence("Sign in again and accept them."),
      [
        ["consent_required"]: Sentence("This app’s permissions have not been accepted."),
        ["insufficient_scope"]: Sentence("The token lacks a permission that the API needs."),
      ]),
    general(
      "https://www.rfc-editor.org/rfc/rfc6749#section-5.2", .connection,
      Sentence("Check the client ID and the account types of the app registration."),
      [
        ["unauthorized_client"]: Sentence(
          "The app is not allowed to use this way of signing people in."),
        ["invalid_client"]: Sentence(
          "The service does not accept the app’s client ID or secret."),
      ]),
    general(
      "https://www.rfc-editor.org/rfc/rfc6749#section-5.2", .scope,
      Sentence("Check the app’s permissions."),
      [
        ["invalid_scope"]: Sentence("A permission is not valid."),
        ["invalid_resource", "invalid_target"]: Sentence(
          "The API was not found in this organization."),
      ]),
    general(
      "https://www.rfc-editor.org/rfc/rfc6749#section-4.1.2.1", .settled,
      Sentence("Start again when you are ready."),
      [["access_denied"]: Sentence("The sign-in or its permissions were declined.")]),
    general(
      "https://www.rfc-editor.org/rfc/rfc8628#section-3.5", .openSignIn,
      Sentence("Finish it there."),
      [
        ["authorization_pending", "slow_down"]: Sentence(
          "The sign-in on the other device is not complete yet.")
      ]),
    general(
      "https://www.rfc-editor.org/rfc/rfc6749#section-4.1.2.1", .later,
      Sentence("Wait a few minutes, then try again."),
      [
        ["temporarily_unavailable", "server_error"]: Sentence(
          "The sign-in service is not available at the moment.")
      ]),
    general(
      "https://www.rfc-editor.org/rfc/rfc6749#section-5.2", .developers,
      Sentence("Report this to the developers of this app, with the details."),
      [
        ["unsupported_grant_type", "unsupported_response_type"]: Sentence(
          "The server does not support this type of request."),
        ["invalid_request"]: Sentence("The request is malformed."),
      ]),
  ].flatMap(\.self)

  private static func general(
    _ source: String, _ kind: FailureKind, _ nextStep: Sentence,
    _ meanings: KeyValuePairs<[String], Sentence>
  ) -> [KnownMessage] {
    rows(source, kind, nextStep, meanings).map { row in
      var row = row
      row.isGeneral = true
      return row
    }
  }
}
