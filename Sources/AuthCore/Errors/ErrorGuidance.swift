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
    "Ask whoever registered this app to correct its registration.")
  private static let request = Sentence(
    "Report this to the developers of this app, with the details.")
  private static let connection =
    Sentence("Check the client ID and the authority of the connection.")

  // MARK: - Tables

  /// Sentences for suberrors: the organization's policies require more than a sign-in.
  private static let suberrorTable: [String: (Sentence, Sentence)] = [
    "insufficient_device_strength": (
      Sentence("This device is not secured as your organization asks."), device
    ),
    "protection_policy_required": protectionPolicy,
  ]

  private static let protectionPolicy = (
    Sentence(
      "Your organization wants this app to be managed by Intune, which is not possible here."),
    device
  )

  /// Errors from a user flow that the user left.
  private static let userFlowTable: [String: (Sentence, Sentence)] = [
    passwordReset: (
      Sentence("You chose to reset your password."),
      Sentence("Start the sign-in again with the user flow that resets passwords.")
    ),
    "AADB2C90091": (
      Sentence("You left the sign-in before it was done."),
      Sentence("Start again when you are ready.")
    ),
  ]

  /// Error from a user flow when the user follows the link "Forgot your password?".
  static let passwordReset = "AADB2C90118"

  private static let table: [Int: (Sentence, Sentence)] = [
    // The account.
    16000: (
      Sentence("This account is not known in the organization that owns the app."), otherAccount
    ),
    50014: (Sentence("The invitation of this account has not been accepted yet."), otherAccount),
    50020: (
      Sentence("This account is not known in the organization that owns the app."), otherAccount
    ),
    50034: (
      Sentence("There is no account with this name."),
      Sentence("Check the spelling, or sign in with another account.")
    ),
    50053: (
      Sentence(
        "The account is locked after too many attempts, or the network's address is blocked."),
      Sentence("Wait a while, then try again or reset the password.")
    ),
    50057: (Sentence("This account is disabled."), administrator),
    50105: (
      Sentence("This account has not been assigned to the app."),
      Sentence("Ask your administrator to assign it, or sign in with another account.")
    ),
    50128: (Sentence("It cannot be told which organization this account belongs to."), connection),
    50059: (Sentence("It cannot be told which organization this account belongs to."), connection),
    50197: (Sentence("The account could not be found."), signIn),
    500208: (
      Sentence("This kind of account cannot sign in here."),
      Sentence("Sign in with another account.")
    ),
    51004: (Sentence("This account is not in the organization's directory."), otherAccount),
    90072: (
      Sentence("This account is not known in the organization that owns the app."), otherAccount
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
      Sentence("A second way to prove who you are is needed."),
      Sentence("Sign in again and set it up.")
    ),
    50074: (
      Sentence("A second way to prove who you are is needed."),
      Sentence("Sign in again and complete that step.")
    ),
    50076: (
      Sentence("Your organization asks for a second way to prove who you are."),
      Sentence("Sign in again and complete that step.")
    ),
    50078: (
      Sentence("The last time you proved who you are was too long ago."),
      Sentence("Sign in again and complete that step.")
    ),
    50079: (
      Sentence("Your organization asks for a second way to prove who you are."),
      Sentence("Sign in again and set it up.")
    ),
    50088: (
      Sentence("Too many codes were sent by telephone."),
      Sentence("Wait a few minutes and try again.")
    ),
    50158: (
      Sentence("A further security check of your organization was not passed."),
      Sentence("Sign in again and complete that check.")
    ),
    53004: (
      Sentence("Security information must be set up before this can be used."),
      Sentence("Set it up at your account's security page, then sign in again.")
    ),
    53010: (
      Sentence("Security information can be set up from certain places or devices only."),
      administrator
    ),
    500121: (
      Sentence("The second way to prove who you are did not succeed."),
      Sentence("Sign in again and complete that step.")
    ),

    // The session.
    50058: (Sentence("No one is signed in on these pages."), signIn),
    50085: (Sentence("The account's own provider has to be asked again."), signIn),
    50089: (Sentence("The sign-in took too long."), signIn),
    50132: (Sentence("The sign-in ended because the password changed or expired."), signIn),
    50133: (Sentence("The sign-in ended because the password changed or expired."), signIn),
    50140: (Sentence("The sign-in stopped at the question whether to stay signed in."), signIn),
    50173: (Sentence("The sign-in was revoked by you or your administrator."), signIn),
    50196: (
      Sentence("The app asked for the same thing too often."),
      Sentence("Wait a few minutes and try again.")
    ),
    54005: (Sentence("The sign-in was used already."), signIn),
    70000: (Sentence("The sign-in is no longer valid."), signIn),
    70008: (Sentence("The sign-in has expired."), signIn),
    70043: (Sentence("Your organization asks for a new sign-in from time to time."), signIn),
    70044: (Sentence("Your organization asks for a new sign-in from time to time."), signIn),
    700082: (Sentence("The sign-in expired because it was not used for a long time."), signIn),
    700084: (Sentence("The sign-in has expired."), signIn),

    // Rules of the organization.
    50005: (Sentence("Your organization does not allow this kind of device."), administrator),
    50097: (Sentence("Your organization wants to know this device."), device),
    50129: (Sentence("This device is not registered with your organization."), device),
    50131: (Sentence("Your organization's rules did not allow this sign-in."), administrator),
    50187: (Sentence("This device did not identify itself."), device),
    53000: (Sentence("This device does not meet your organization's rules."), device),
    53001: (Sentence("This device does not belong to your organization's domain."), device),
    53002: (Sentence("Your organization has not approved this app."), consent),
    53003: (Sentence("Your organization's rules do not allow this sign-in."), administrator),
    53005: protectionPolicy,
    53009: protectionPolicy,
    53011: (Sentence("The account is blocked because it may be at risk."), administrator),
    500021: (Sentence("This network does not allow sign-ins to that organization."), administrator),
    500212: (
      Sentence("Your organization does not allow sign-ins to the other one."), administrator
    ),
    500213: (Sentence("The other organization does not allow this account."), administrator),
    530003: (Sentence("Your organization requires a managed device."), device),
    530035: (
      Sentence("The security defaults of the organization do not allow this."), administrator
    ),
    700003: (Sentence("Your organization no longer knows this device."), administrator),

    // Consent.
    65001: (
      Sentence("The permissions of this app were not agreed to."),
      Sentence("Sign in again and agree to them.")
    ),
    65004: (
      Sentence("The sign-in was canceled before the permissions of this app were agreed to."),
      Sentence("Sign in again and agree to them if you want to use it.")
    ),
    90094: (Sentence("Only an administrator can agree to these permissions."), consent),
    90095: (Sentence("Only an administrator can agree to these permissions."), consent),

    // The registration of the app.
    50011: (
      Sentence("The redirect URI is not among those registered for this app."),
      Sentence("Add it to the app registration exactly as it is written here.")
    ),
    50194: (
      Sentence("This app is for one organization only."),
      Sentence("Name that organization in the authority, in place of 'common'.")
    ),
    65005: (Sentence("The app asks for access that its registration does not list."), registration),
    70001: (Sentence("The app is not known or not enabled here."), connection),
    500011: (
      Sentence("The API is not known in this organization."),
      Sentence("Check the scopes of the connection.")
    ),
    500113: (Sentence("The app has no redirect URI."), registration),
    650056: (Sentence("The registration of the app is not complete."), registration),
    650057: (
      Sentence("The app asks for access that its registration does not list."), registration
    ),
    700016: (Sentence("The app is not known in this organization."), connection),
    700025: (Sentence("A public app must not send a secret."), request),
    700054: (Sentence("The app may not get ID tokens from these pages."), registration),
    7000112: (Sentence("The app is disabled."), administrator),
    7000218: (
      Sentence("The app is not registered as a public client."),
      Sentence("Turn on 'Allow public client flows' in the app registration.")
    ),
    9002326: (
      Sentence("The request came from a web page, which this app is not registered for."),
      registration
    ),
    9002327: (
      Sentence("The redirect URI is registered for a single-page app."),
      Sentence("Register it for mobile and desktop applications.")
    ),

    // The request.
    28002: (Sentence("A scope is not valid."), Sentence("Check the scopes of the connection.")),
    70003: (Sentence("The request is of a kind that the server does not support."), request),
    70011: (Sentence("A scope is not valid."), Sentence("Check the scopes of the connection.")),
    70016: (
      Sentence("The sign-in on the other device is not done yet."), Sentence("Finish it there.")
    ),
    70018: (Sentence("The code is wrong."), Sentence("Sign in again and enter the new code.")),
    70019: (Sentence("The code has expired."), Sentence("Sign in again and enter the new code.")),
    90002: (Sentence("There is no such organization."), connection),
    90014: (Sentence("The request lacks something that the server needs."), request),
    900144: (Sentence("The request lacks something that the server needs."), request),
    501481: (Sentence("The sign-in was answered to another request."), signIn),
    9002313: (Sentence("The server could not read the request."), request),

    // The service.
    50033: (Sentence("Microsoft's sign-in service had a passing fault."), tryAgain),
    70012: (Sentence("The sign-in of personal accounts had a fault."), tryAgain),
    80001: (Sentence("Your organization's sign-in service cannot be reached."), administrator),
    80002: (Sentence("Your organization's sign-in service did not answer in time."), tryAgain),
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
