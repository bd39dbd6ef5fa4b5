/// What one of the server's error codes means to the person, and what they can do about it.
///
/// The words are at hand without a network. Microsoft may change its codes at any time, so they only ever
/// change what is said, never what a flow does.
public struct ErrorGuidance: Sendable, Equatable {
  /// One sentence: what happened.
  public let meaning: String
  /// One sentence: what to do next.
  public let nextStep: String

  /// The guidance for a number behind `AADSTS`; nil when the number is not a known one.
  public init?(code: Int) {
    guard let known = Self.table[code] else { return nil }
    (meaning, nextStep) = known
  }

  /// The guidance for a `suberror`; nil when there is none.
  init?(suberror: String) {
    guard let known = Self.suberrorTable[suberror] else { return nil }
    (meaning, nextStep) = known
  }

  /// The guidance for what a user flow of Azure AD B2C says in its error description; nil when there is
  /// none.
  init?(description: String) {
    guard let known = Self.userFlowTable.first(where: { description.contains($0.key) }) else {
      return nil
    }
    (meaning, nextStep) = known.value
  }

  /// All numbers for which there is guidance, in ascending order.
  public static var knownCodes: [Int] { table.keys.sorted() }

  /// Both sentences.
  public var text: String { "\(meaning) \(nextStep)" }

  // MARK: - Steps that many share

  private static let signIn = "Sign in again."
  private static let tryAgain = "Wait a moment and sign in again."
  private static let otherAccount =
    "Sign in with another account, or ask the organization to invite this one."
  private static let administrator = "Ask your administrator."
  private static let device =
    "Use a device that your organization manages, or ask your administrator."
  private static let consent = "Ask your administrator to approve this app."
  private static let registration = "Ask whoever registered this app to correct its registration."
  private static let request = "Report this to the developers of this app, with the details."
  private static let connection =
    "Check the client ID and the authority of the connection."

  // MARK: - Tables

  /// What stands beside an error where the organization's rules ask for more than a sign-in.
  private static let suberrorTable: [String: (String, String)] = [
    "insufficient_device_strength": (
      "This device is not secured as your organization asks.", device
    ),
    "protection_policy_required": protectionPolicy,
  ]

  private static let protectionPolicy = (
    "Your organization wants this app to be managed by Intune, which is not possible here.", device
  )

  /// What a user flow says when a person leaves it.
  private static let userFlowTable: [String: (String, String)] = [
    passwordReset: (
      "You chose to reset your password.",
      "Start the sign-in again with the user flow that resets passwords."
    ),
    "AADB2C90091": ("You left the sign-in before it was done.", "Start again when you are ready."),
  ]

  /// What a user flow says when the person follows the link "Forgot your password?".
  static let passwordReset = "AADB2C90118"

  private static let table: [Int: (String, String)] = [
    // The account.
    16000: ("This account is not known in the organization that owns the app.", otherAccount),
    50014: ("The invitation of this account has not been accepted yet.", otherAccount),
    50020: ("This account is not known in the organization that owns the app.", otherAccount),
    50034: (
      "There is no account with this name.", "Check the spelling, or sign in with another account."
    ),
    50053: (
      "The account is locked after too many attempts, or the network's address is blocked.",
      "Wait a while, then try again or reset the password."
    ),
    50057: ("This account is disabled.", administrator),
    50105: (
      "This account has not been assigned to the app.",
      "Ask your administrator to assign it, or sign in with another account."
    ),
    50128: ("It cannot be told which organization this account belongs to.", connection),
    50059: ("It cannot be told which organization this account belongs to.", connection),
    50197: ("The account could not be found.", signIn),
    500208: ("This kind of account cannot sign in here.", "Sign in with another account."),
    51004: ("This account is not in the organization's directory.", otherAccount),
    90072: ("This account is not known in the organization that owns the app.", otherAccount),

    // The password.
    50055: ("The password has expired.", "Sign in and choose a new password."),
    50056: ("The password is missing or wrong.", "Sign in and enter the password again."),
    50126: ("The user name or password is wrong.", "Check both and sign in again."),
    50135: (
      "The password must be changed because the account may be at risk.",
      "Sign in and choose a new password."
    ),
    50142: (
      "The password must be changed because the account may be at risk.",
      "Sign in and choose a new password."
    ),
    50144: ("The organization's password has expired.", "Reset it, then sign in again."),

    // Proof of identity.
    50072: ("A second way to prove who you are is needed.", "Sign in again and set it up."),
    50074: (
      "A second way to prove who you are is needed.", "Sign in again and complete that step."
    ),
    50076: (
      "Your organization asks for a second way to prove who you are.",
      "Sign in again and complete that step."
    ),
    50078: (
      "The last time you proved who you are was too long ago.",
      "Sign in again and complete that step."
    ),
    50079: (
      "Your organization asks for a second way to prove who you are.",
      "Sign in again and set it up."
    ),
    50088: ("Too many codes were sent by telephone.", "Wait a few minutes and try again."),
    50158: (
      "A further security check of your organization was not passed.",
      "Sign in again and complete that check."
    ),
    53004: (
      "Security information must be set up before this can be used.",
      "Set it up at your account's security page, then sign in again."
    ),
    53010: (
      "Security information can be set up from certain places or devices only.", administrator
    ),
    500121: (
      "The second way to prove who you are did not succeed.",
      "Sign in again and complete that step."
    ),

    // The session.
    50058: ("No one is signed in on these pages.", signIn),
    50085: ("The account's own provider has to be asked again.", signIn),
    50089: ("The sign-in took too long.", signIn),
    50132: ("The sign-in ended because the password changed or expired.", signIn),
    50133: ("The sign-in ended because the password changed or expired.", signIn),
    50140: ("The sign-in stopped at the question whether to stay signed in.", signIn),
    50173: ("The sign-in was revoked by you or your administrator.", signIn),
    50196: ("The app asked for the same thing too often.", "Wait a few minutes and try again."),
    54005: ("The sign-in was used already.", signIn),
    70000: ("The sign-in is no longer valid.", signIn),
    70008: ("The sign-in has expired.", signIn),
    70043: ("Your organization asks for a new sign-in from time to time.", signIn),
    70044: ("Your organization asks for a new sign-in from time to time.", signIn),
    700082: ("The sign-in expired because it was not used for a long time.", signIn),
    700084: ("The sign-in has expired.", signIn),

    // Rules of the organization.
    50005: ("Your organization does not allow this kind of device.", administrator),
    50097: ("Your organization wants to know this device.", device),
    50129: ("This device is not registered with your organization.", device),
    50131: ("Your organization's rules did not allow this sign-in.", administrator),
    50187: ("This device did not identify itself.", device),
    53000: ("This device does not meet your organization's rules.", device),
    53001: ("This device does not belong to your organization's domain.", device),
    53002: ("Your organization has not approved this app.", consent),
    53003: ("Your organization's rules do not allow this sign-in.", administrator),
    53005: protectionPolicy,
    53009: protectionPolicy,
    53011: ("The account is blocked because it may be at risk.", administrator),
    500021: ("This network does not allow sign-ins to that organization.", administrator),
    500212: ("Your organization does not allow sign-ins to the other one.", administrator),
    500213: ("The other organization does not allow this account.", administrator),
    530003: ("Your organization requires a managed device.", device),
    530035: ("The security defaults of the organization do not allow this.", administrator),
    700003: ("Your organization no longer knows this device.", administrator),

    // Consent.
    65001: ("The permissions of this app were not agreed to.", "Sign in again and agree to them."),
    65004: (
      "The sign-in was cancelled before the permissions of this app were agreed to.",
      "Sign in again and agree to them if you want to use it."
    ),
    90094: ("Only an administrator can agree to these permissions.", consent),
    90095: ("Only an administrator can agree to these permissions.", consent),

    // The registration of the app.
    50011: (
      "The redirect URI is not among those registered for this app.",
      "Add it to the app registration exactly as it is written here."
    ),
    50194: (
      "This app is for one organization only.",
      "Name that organization in the authority, in place of 'common'."
    ),
    65005: ("The app asks for access that its registration does not list.", registration),
    70001: ("The app is not known or not enabled here.", connection),
    500011: ("The API is not known in this organization.", "Check the scopes of the connection."),
    500113: ("The app has no redirect URI.", registration),
    650056: ("The registration of the app is not complete.", registration),
    650057: ("The app asks for access that its registration does not list.", registration),
    700016: ("The app is not known in this organization.", connection),
    700025: ("A public app must not send a secret.", request),
    700054: ("The app may not get ID tokens from these pages.", registration),
    7000112: ("The app is disabled.", administrator),
    7000218: (
      "The app is not registered as a public client.",
      "Turn on 'Allow public client flows' in the app registration."
    ),
    9002326: (
      "The request came from a web page, which this app is not registered for.", registration
    ),
    9002327: (
      "The redirect URI is registered for a single-page app.",
      "Register it for mobile and desktop applications."
    ),

    // The request.
    28002: ("A scope is not valid.", "Check the scopes of the connection."),
    70003: ("The request is of a kind that the server does not support.", request),
    70011: ("A scope is not valid.", "Check the scopes of the connection."),
    70016: ("The sign-in on the other device is not done yet.", "Finish it there."),
    70018: ("The code is wrong.", "Sign in again and enter the new code."),
    70019: ("The code has expired.", "Sign in again and enter the new code."),
    90002: ("There is no such organization.", connection),
    90014: ("The request lacks something that the server needs.", request),
    900144: ("The request lacks something that the server needs.", request),
    501481: ("The sign-in was answered to another request.", signIn),
    9002313: ("The server could not read the request.", request),

    // The service.
    50033: ("Microsoft's sign-in service had a passing fault.", tryAgain),
    70012: ("The sign-in of personal accounts had a fault.", tryAgain),
    80001: ("Your organization's sign-in service cannot be reached.", administrator),
    80002: ("Your organization's sign-in service did not answer in time.", tryAgain),
    90033: ("Microsoft's sign-in service is not available at the moment.", tryAgain),
  ]
}

extension AuthenticationError {
  /// What the first known of ``serverErrorCodes``, or else ``suberror``, means; nil when none is known.
  public var guidance: ErrorGuidance? {
    serverErrorCodes.lazy.compactMap(ErrorGuidance.init(code:)).first
      ?? suberror.flatMap(ErrorGuidance.init(suberror:))
  }
}
