import AuthCore
import Sentences

extension KnownMessage {
  /// Azure's programs and libraries, and Teams.
  static let programs: [KnownMessage] = [
    rows(
      "https://learn.microsoft.com/cli/azure/authenticate-azure-cli", .signIn,
      Sentence("Run 'az login', or sign in with Entrance and use 'entrancectl run'."),
      [
        [
          "Please run 'az login'", "Please run \"az login\"", "CredentialUnavailableError",
          "CredentialUnavailableException", "DefaultAzureCredential failed to retrieve a token",
          "No subscription found",
        ]: Sentence("The program did not find an account that is signed in.")
      ]),
    rows(
      Source.msal,
      .settled, Sentence("Start again when you are ready."),
      [
        [
          "authentication_canceled", "user_cancelled", "user_canceled", "MSALErrorUserCanceled",
          "-50005",
        ]: Sentence("The sign-in was canceled.")
      ]),
    rows(
      Source.msal,
      .signIn, Sentence("Sign in again."),
      [
        [
          "no_tokens_found", "no_account_error", "MsalUiRequiredException", "user_null",
          "no_account_for_login_hint",
        ]: Sentence("No account is signed in to the program."),
        ["state_mismatch"]: Sentence("The response belongs to another sign-in."),
      ]),
    rows(
      Source.msal,
      .storage, Sentence("Start a keyring service, such as GNOME Keyring or KeePassXC."),
      [
        [
          "Persistence check failed", "msal_cache_persistence", "MsalCachePersistenceException",
          "PersistenceNotFound",
          "PersistenceEncryptionError", "org.freedesktop.secrets was not provided",
          "Cannot autolaunch D-Bus without X11", "No such secret collection",
        ]: Sentence("The program cannot keep its tokens in a keyring.")
      ]),
    rows(
      Source.teams,
      .notSecure, Sentence("Correct the date and time of this computer."),
      [
        ["CAA20003", "0xCAA20003"]: Sentence(
          "The sign-in was refused because this computer’s clock is wrong.")
      ]),
    rows(
      Source.teams,
      .approval, Sentence("Ask your administrator to approve this app."),
      [
        ["CAA20004", "0xCAA20004"]: Sentence("Only an administrator can grant these permissions.")
      ]),
    rows(
      Source.teams,
      .noConnection,
      Sentence("Check your connection, the proxy, and the firewall, then try again."),
      [
        [
          "CAA70004", "0xCAA70004", "CAA70007", "0xCAA70007", "CAA82EE2", "0xCAA82EE2",
          "CAA82EE7", "0xCAA82EE7",
        ]: Sentence("The sign-in service cannot be reached.")
      ]),
    rows(
      Source.teams,
      .otherAccount, Sentence("Sign in with another account."),
      [
        ["CAA90018", "0xCAA90018"]: Sentence(
          "The account of this device is not the one that the program expects.")
      ]),
    rows(
      Source.providerErrors,
      .administrator,
      Sentence("Look for a number such as AADSTS50076 beside it, or ask your administrator."),
      [
        ["CAA20002", "0xCAA20002"]: Sentence(
          "The sign-in service did not accept the program’s request.")
      ]),
    rows(
      Source.providerErrors,
      .administrator, Sentence("Ask your administrator."),
      [
        ["CAA2000B", "0xCAA2000B"]: Sentence("The API was not found in this organization.")
      ]),
    rows(
      "https://learn.microsoft.com/cli/azure/authenticate-azure-cli", .otherAccount,
      Sentence(
        "Sign in with another account, or use 'az login --allow-no-subscriptions' where no"
          + " subscription is needed."),
      [
        ["No subscriptions found"]: Sentence("The account has no Azure subscription.")
      ]),
    rows(
      "https://learn.microsoft.com/azure/role-based-access-control/troubleshooting",
      .administrator,
      Sentence(
        "Ask an administrator of the subscription for a role. If you just got it, sign in again."),
      [
        ["AuthorizationFailed", "does not have authorization to perform action"]: Sentence(
          "The account has no Azure role that allows this.")
      ]),
    rows(
      Source.containerRegistry,
      .signIn,
      Sentence(
        "Sign in to the registry: let Docker ask 'entrancectl credential docker', or run 'az acr"
          + " login'. If that does not help, ask for the permission."),
      [
        ["https://aka.ms/acr/authorization"]: Sentence(
          "The container registry got no valid sign-in, or the account has no permission there.")
      ]),
  ].flatMap(\.self)

  /// Kubernetes.
  static let clusters: [KnownMessage] = [
    rows(
      "https://kubernetes.io/docs/reference/access-authn-authz/authentication/", .signIn,
      Sentence("Sign in again, and check the scope of the cluster’s token."),
      [
        ["You must be logged in to the server"]: Sentence("The cluster did not accept the token.")
      ]),
    rows(
      "https://kubernetes.io/docs/reference/access-authn-authz/authentication/", .authority,
      Sentence(
        "Compare the issuer of the token, which 'entrancectl token decode' shows, with the one that"
          + " the server expects."),
      [
        ["id token issued by a different provider"]: Sentence(
          "The token comes from another issuer than the server expects.")
      ]),
    rows(
      "https://kubernetes.io/docs/reference/access-authn-authz/rbac/", .administrator,
      Sentence("Ask an administrator of the cluster for a role that allows it."),
      [
        ["Error from server (Forbidden)"]: Sentence(
          "The cluster knows the account, but does not allow it to do this.")
      ]),
  ].flatMap(\.self)

  /// The registration and management of devices with Windows.
  static let devices: [KnownMessage] = [
    rows(
      Source.deviceJoin,
      .device,
      Sentence(
        "On that device, remove the work or school account and add it again, or ask your"
          + " administrator."),
      [
        ["80090016", "0x80090016"]: Sentence(
          "The key of the device is not in its security chip (TPM) any more.")
      ]),
    rows(
      Source.enrollment,
      .device, Sentence("Use a device that your organization manages, or ask your administrator."),
      [
        ["80180014", "0x80180014"]: Sentence(
          "The organization does not let this device enroll in its management.")
      ]),
  ].flatMap(\.self)
}
