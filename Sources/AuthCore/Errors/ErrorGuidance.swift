public import Sentences

/// What a server's error code means to the user, and what they can do.
///
/// The sentences are built in. Microsoft may change its codes at any time, so they only affect the
/// message, never a flow.
public struct ErrorGuidance: Sendable, Equatable {
  /// One sentence: what happened.
  public let meaning: Sentence
  /// One sentence: what to do next.
  public let nextStep: Sentence

  /// The guidance for an `AADSTS` number; nil for an unknown number.
  public init?(code: Int) {
    guard let known = Self.table[code] else { return nil }
    (meaning, nextStep) = known
  }

  /// The guidance for a `suberror`; nil when there is none.
  init?(suberror: String) {
    guard let known = Self.suberrorTable[suberror] else { return nil }
    (meaning, nextStep) = known
  }

  /// The guidance for an error code in the description from an Azure AD B2C user flow; nil when
  /// there is none.
  init?(description: String) {
    guard let known = Self.userFlowTable.first(where: { description.contains($0.key) }) else {
      return nil
    }
    (meaning, nextStep) = known.value
  }

  /// All numbers with guidance, in ascending order.
  public static var knownCodes: [Int] { table.keys.sorted() }

  /// Both sentences.
  public var sentence: Sentence { Sentence([meaning, nextStep]) }

  // MARK: - Shared steps

  private static let signIn = Sentence("Sign in again.")
  private static let tryAgain = Sentence("Wait a moment and sign in again.")
  private static let otherAccount =
    Sentence("Sign in with another account, or ask the organization to invite this one.")
  private static let administrator = Sentence("Ask your administrator.")
  private static let device =
    Sentence("Use a device that your organization manages, or ask your administrator.")
  private static let consent = Sentence("Ask your administrator to approve this app.")
  private static let registration = Sentence(
    "Ask the owner of the app registration to correct it.")
  private static let request = Sentence(
    "Report this to the developers of this app, with the details.")
  private static let connection =
    Sentence("Check the client ID and the authority of the connection.")

  // MARK: - Tables

  /// Sentences for suberrors: the organization's policies require more than a sign-in.
  private static let suberrorTable: [String: (Sentence, Sentence)] = [
    "insufficient_device_strength": (
      Sentence("This device does not meet your organization's security requirements."), device
    ),
    "protection_policy_required": protectionPolicy,
  ]

  private static let protectionPolicy = (
    Sentence(
      "Your organization requires this app to be managed by Intune, which this app does not"
        + " support."),
    device
  )

  /// Errors from a user flow that the user left.
  private static let userFlowTable: [String: (Sentence, Sentence)] = [
    passwordReset: (
      Sentence("You chose to reset your password."),
      Sentence("Start the sign-in again with the user flow that resets passwords.")
    ),
    "AADB2C90091": (
      Sentence("You canceled the sign-in before it was complete."),
      Sentence("Start again when you are ready.")
    ),
  ]

  /// Error from a user flow when the user follows the link "Forgot your password?".
  static let passwordReset = "AADB2C90118"

  private static let table: [Int: (Sentence, Sentence)] = [
    // The account.
    16000: (
      Sentence("This account does not exist in the organization that owns the app."), otherAccount
    ),
    50014: (Sentence("The invitation for this account has not been accepted yet."), otherAccount),
    50020: (
      Sentence("This account does not exist in the organization that owns the app."), otherAccount
    ),
    50034: (
      Sentence("There is no account with this name."),
      Sentence("Check the spelling, or sign in with another account.")
    ),
    50053: (
      Sentence(
        "The account is locked after too many attempts, or the IP address is blocked."),
      Sentence("Wait a while, then try again or reset the password.")
    ),
    50057: (Sentence("This account is disabled."), administrator),
    50105: (
      Sentence("This account has not been assigned to the app."),
      Sentence("Ask your administrator to assign it, or sign in with another account.")
    ),
    50128: (Sentence("The account's organization is unknown."), connection),
    50059: (Sentence("The account's organization is unknown."), connection),
    50197: (Sentence("The account was not found."), signIn),
    500208: (
      Sentence("This type of account cannot sign in here."),
      Sentence("Sign in with another account.")
    ),
    51004: (Sentence("This account is not in the organization's directory."), otherAccount),
    90072: (
      Sentence("This account does not exist in the organization that owns the app."), otherAccount
    ),

    // The password.
    50055: (Sentence("The password has expired."), Sentence("Sign in and choose a new password.")),
    50056: (
      Sentence("The password is missing or wrong."),
      Sentence("Sign in and enter the password again.")
    ),
    50126: (
      Sentence("The user name or password is wrong."), Sentence("Check both and sign in again.")
    ),
    50135: (
      Sentence("The password must be changed because the account may be at risk."),
      Sentence("Sign in and choose a new password.")
    ),
    50142: (
      Sentence("The password must be changed because the account may be at risk."),
      Sentence("Sign in and choose a new password.")
    ),
    50144: (
      Sentence("The organization's password has expired."),
      Sentence("Reset it, then sign in again.")
    ),

    // Proof of identity.
    50072: (
      Sentence("Multifactor authentication is required."),
      Sentence("Sign in again and set it up.")
    ),
    50074: (
      Sentence("Multifactor authentication is required."),
      Sentence("Sign in again and complete that step.")
    ),
    50076: (
      Sentence("Your organization requires multifactor authentication."),
      Sentence("Sign in again and complete that step.")
    ),
    50078: (
      Sentence("Your multifactor authentication has expired."),
      Sentence("Sign in again and complete that step.")
    ),
    50079: (
      Sentence("Your organization requires multifactor authentication."),
      Sentence("Sign in again and set it up.")
    ),
    50088: (
      Sentence("Too many verification codes were sent by phone."),
      Sentence("Wait a few minutes and try again.")
    ),
    50158: (
      Sentence("An additional security check required by your organization was not completed."),
      Sentence("Sign in again and complete that check.")
    ),
    53004: (
      Sentence("Your security info must be set up first."),
      Sentence("Set it up on your account's security info page, then sign in again.")
    ),
    53010: (
      Sentence("Security info can be set up only from certain places or devices."),
      administrator
    ),
    500121: (
      Sentence("Multifactor authentication failed."),
      Sentence("Sign in again and complete that step.")
    ),

    // The session.
    50058: (Sentence("No account is signed in on the sign-in pages."), signIn),
    50085: (Sentence("The account's identity provider requires a new sign-in."), signIn),
    50089: (Sentence("The sign-in took too long."), signIn),
    50132: (Sentence("The sign-in ended because the password changed or expired."), signIn),
    50133: (Sentence("The sign-in ended because the password changed or expired."), signIn),
    50140: (Sentence("The sign-in stopped at the question whether to stay signed in."), signIn),
    50173: (Sentence("The sign-in was revoked by you or your administrator."), signIn),
    50196: (
      Sentence("The app sent the same request too often."),
      Sentence("Wait a few minutes and try again.")
    ),
    54005: (Sentence("The authorization code of this sign-in was already used."), signIn),
    70000: (Sentence("The sign-in is no longer valid."), signIn),
    70008: (Sentence("The sign-in has expired."), signIn),
    70043: (Sentence("Your organization requires you to sign in again from time to time."), signIn),
    70044: (Sentence("Your organization requires you to sign in again from time to time."), signIn),
    700082: (Sentence("The sign-in expired because it was not used for a long time."), signIn),
    700084: (Sentence("The sign-in has expired."), signIn),

    // Rules of the organization.
    50005: (Sentence("Your organization does not allow this type of device."), administrator),
    50097: (Sentence("Your organization requires device authentication."), device),
    50129: (Sentence("This device is not registered with your organization."), device),
    50131: (Sentence("Your organization's policies do not allow this sign-in."), administrator),
    50187: (Sentence("Device authentication failed."), device),
    53000: (Sentence("This device does not comply with your organization's policies."), device),
    53001: (Sentence("This device does not belong to your organization's domain."), device),
    53002: (Sentence("Your organization has not approved this app."), consent),
    53003: (Sentence("Your organization's policies do not allow this sign-in."), administrator),
    53005: protectionPolicy,
    53009: protectionPolicy,
    53011: (Sentence("The account is blocked because it may be at risk."), administrator),
    500021: (Sentence("This network does not allow sign-ins to that organization."), administrator),
    500212: (
      Sentence(
        "Your organization does not allow sign-ins to the other organization."), administrator
    ),
    500213: (Sentence("The other organization does not allow this account."), administrator),
    530003: (Sentence("Your organization requires a managed device."), device),
    530035: (
      Sentence("The security defaults of the organization do not allow this."), administrator
    ),
    700003: (
      Sentence(
        "This device is no longer registered with your organization."), administrator
    ),

    // Consent.
    65001: (
      Sentence("This app's permissions have not been accepted."),
      Sentence("Sign in again and accept them.")
    ),
    65004: (
      Sentence("The sign-in was canceled before this app's permissions were accepted."),
      Sentence("To use the app, sign in again and accept them.")
    ),
    90094: (Sentence("Only an administrator can grant these permissions."), consent),
    90095: (Sentence("Only an administrator can grant these permissions."), consent),

    // The registration of the app.
    50011: (
      Sentence("The redirect URI is not registered for this app."),
      Sentence("Add it to the app registration, spelled exactly the same.")
    ),
    50194: (
      Sentence("This app supports only one organization."),
      Sentence("In the authority, replace 'common' with that organization.")
    ),
    65005: (
      Sentence(
        "The app requests a permission that is not in its registration."), registration
    ),
    70001: (Sentence("The app was not found or is disabled."), connection),
    500011: (
      Sentence("The API was not found in this organization."),
      Sentence("Check the scopes of the connection.")
    ),
    500113: (Sentence("The app has no redirect URI."), registration),
    650056: (Sentence("The app registration is incomplete."), registration),
    650057: (
      Sentence("The app requests a permission that is not in its registration."), registration
    ),
    700016: (Sentence("The app was not found in this organization."), connection),
    700025: (Sentence("A public client must not send a client secret."), request),
    700054: (
      Sentence(
        "The app registration does not allow ID tokens from the sign-in pages."), registration
    ),
    7000112: (Sentence("The app is disabled."), administrator),
    7000218: (
      Sentence("The app is not registered as a public client."),
      Sentence("Turn on 'Allow public client flows' in the app registration.")
    ),
    9002326: (
      Sentence(
        "The request came from a web page, but the app is not registered as a single-page app."),
      registration
    ),
    9002327: (
      Sentence("The redirect URI is registered for a single-page app."),
      Sentence("Register it for mobile and desktop applications.")
    ),

    // The request.
    28002: (Sentence("A scope is not valid."), Sentence("Check the scopes of the connection.")),
    70003: (Sentence("The server does not support this type of request."), request),
    70011: (Sentence("A scope is not valid."), Sentence("Check the scopes of the connection.")),
    70016: (
      Sentence("The sign-in on the other device is not complete yet."), Sentence("Finish it there.")
    ),
    70018: (Sentence("The code is wrong."), Sentence("Sign in again and enter the new code.")),
    70019: (Sentence("The code has expired."), Sentence("Sign in again and enter the new code.")),
    90002: (Sentence("This organization does not exist."), connection),
    90014: (Sentence("The request is missing a required parameter."), request),
    900144: (Sentence("The request is missing a required parameter."), request),
    501481: (Sentence("The sign-in belongs to another request."), signIn),
    9002313: (Sentence("The request is malformed."), request),

    // The service.
    50033: (Sentence("Microsoft's sign-in service had a temporary error."), tryAgain),
    70012: (Sentence("The sign-in service for personal accounts had an error."), tryAgain),
    80001: (Sentence("Your organization's sign-in service cannot be reached."), administrator),
    80002: (Sentence("Your organization's sign-in service did not respond in time."), tryAgain),
    90033: (Sentence("Microsoft's sign-in service is not available at the moment."), tryAgain),
  ]
}

extension AuthenticationError {
  /// The guidance for the first known number of ``serverErrorCodes``, or else for ``suberror``; nil
  /// when none is known.
  public var guidance: ErrorGuidance? {
    serverErrorCodes.lazy.compactMap(ErrorGuidance.init(code:)).first
      ?? suberror.flatMap(ErrorGuidance.init(suberror:))
  }
}
