public import Sentences

/// What a server's error code means to the user, and what they can do.
///
/// The sentences are built in. Microsoft may change its codes at any time, so they only affect the
/// message and what the user is offered, never a flow.
public struct ErrorGuidance: Sendable, Equatable {
  /// One sentence: what happened.
  public let meaning: Sentence
  /// One sentence: what to do next.
  public let nextStep: Sentence
  /// What kind of failure it is.
  package let kind: FailureKind
  private let keys: [Key]

  /// What identifies a reason: an `AADSTS` number unless it is named.
  private enum Key: Hashable, ExpressibleByIntegerLiteral {
    case number(Int)
    case suberror(String)
    /// A code in the description from an Azure AD B2C user flow.
    case userFlow(String)

    init(integerLiteral number: Int) { self = .number(number) }
  }

  /// The guidance for an `AADSTS` number; nil for an unknown number.
  public init?(code: Int) {
    guard let known = Self.rows[.number(code)] else { return nil }
    self = known
  }

  /// The guidance for the first known number of `codes`, or else for `suberror`, or else for a user
  /// flow's code in `description`; nil when none is known.
  init?(codes: [Int], suberror: String?, description: String?) {
    var keys = codes.map(Key.number)
    if let suberror { keys.append(.suberror(suberror)) }
    if let description, description.contains("AADB2C") {
      keys += [Self.passwordReset, Self.leftUserFlow].filter(description.contains)
        .map(Key.userFlow)
    }
    guard let known = keys.lazy.compactMap({ Self.rows[$0] }).first else { return nil }
    self = known
  }

  private init(_ kind: FailureKind, _ nextStep: Sentence, _ keys: [Key], _ meaning: Sentence) {
    self.kind = kind
    self.nextStep = nextStep
    self.keys = keys
    self.meaning = meaning
  }

  /// All numbers with guidance, in ascending order.
  public static let knownCodes: [Int] = table.flatMap(\.keys).compactMap { key in
    if case .number(let number) = key { number } else { nil }
  }.sorted()

  /// Both sentences.
  public var sentence: Sentence { Sentence([meaning, nextStep]) }

  /// Error from a user flow when the user follows the link "Forgot your password?".
  static let passwordReset = "AADB2C90118"
  /// Error from a user flow that the user left.
  private static let leftUserFlow = "AADB2C90091"

  private static let rows = Dictionary(
    table.flatMap { row in row.keys.map { ($0, row) } }, uniquingKeysWith: { first, _ in first })

  // MARK: - Table

  private static func rows(
    _ kind: FailureKind, _ nextStep: Sentence, _ meanings: KeyValuePairs<[Key], Sentence>
  ) -> [ErrorGuidance] {
    meanings.map { ErrorGuidance(kind, nextStep, $0.key, $0.value) }
  }

  /// Who can do something about it, what to do, and for each code what happened.
  ///
  /// The numbers are those of Microsoft's "Microsoft Entra authentication and authorization error
  /// codes", and what to do agrees with that page. To add one, add it here, and what the page says to
  /// the list of the tests.
  private static let table: [ErrorGuidance] = person + organization + makers + service

  /// The person can sign in, again or with another account.
  private static let person: [ErrorGuidance] = [
    rows(
      .signIn, Sentence("Sign in again."),
      [
        [50058]: Sentence("No account is signed in on the sign-in pages."),
        [50085]: Sentence("The account's identity provider requires a new sign-in."),
        [50089]: Sentence("The sign-in took too long."),
        [50132, 50133]: Sentence("The sign-in ended because the password changed or expired."),
        [50140]: Sentence("The sign-in stopped at the question whether to stay signed in."),
        [50173]: Sentence("The sign-in was revoked by you or your administrator."),
        [50197]: Sentence("The account was not found."),
        [54005]: Sentence("The authorization code of this sign-in was already used."),
        [70000]: Sentence("The sign-in is no longer valid."),
        [70008, 700084]: Sentence("The sign-in has expired."),
        [70043, 70044]: Sentence(
          "Your organization requires you to sign in again from time to time."),
        [501481]: Sentence("The sign-in belongs to another request."),
        [700082]: Sentence("The sign-in expired because it was not used for a long time."),
      ]),
    rows(
      .signIn, Sentence("Sign in and choose a new password."),
      [
        [50055]: Sentence("The password has expired."),
        [50135, 50142]: Sentence(
          "The password must be changed because the account may be at risk."),
      ]),
    rows(
      .signIn, Sentence("Reset it, then sign in again."),
      [[50144]: Sentence("The organization's password has expired.")]),
    rows(
      .signIn, Sentence("Sign in and enter the password again."),
      [[50056]: Sentence("The password is missing or wrong.")]),
    rows(
      .signIn, Sentence("Check both and sign in again."),
      [[50126]: Sentence("The user name or password is wrong.")]),
    rows(
      .signIn, Sentence("Start the sign-in again with the user flow that resets passwords."),
      [[.userFlow(passwordReset)]: Sentence("You chose to reset your password.")]),
    rows(
      .signIn, Sentence("Sign in again and set it up."),
      [
        [50072]: Sentence("Multifactor authentication is required."),
        [50079]: Sentence("Your organization requires multifactor authentication."),
      ]),
    rows(
      .signIn, Sentence("Sign in again and complete that step."),
      [
        [50074]: Sentence("Multifactor authentication is required."),
        [50076]: Sentence("Your organization requires multifactor authentication."),
        [50078]: Sentence("Your multifactor authentication has expired."),
        [500121]: Sentence("Multifactor authentication failed."),
      ]),
    rows(
      .signIn, Sentence("Sign in again and complete that check."),
      [
        [50158]: Sentence(
          "An additional security check required by your organization was not completed.")
      ]),
    rows(
      .signIn, Sentence("Set it up on your account's security info page, then sign in again."),
      [[53004]: Sentence("Your security info must be set up first.")]),
    rows(
      .signIn, Sentence("Sign in again and enter the new code."),
      [
        [70018]: Sentence("The code is wrong."),
        [70019]: Sentence("The code has expired."),
      ]),
    rows(
      .openSignIn, Sentence("Finish it there."),
      [[70016]: Sentence("The sign-in on the other device is not complete yet.")]),
    // Neither the person nor an administrator has accepted the permissions, says Microsoft, and an
    // interactive request asks for it. Only that tells whether an administrator has to (90094).
    rows(
      .consent, Sentence("Sign in again and accept them."),
      [[65001]: Sentence("This app's permissions have not been accepted.")]),
    rows(
      .settled, Sentence("To use the app, sign in again and accept them."),
      [
        [65004]: Sentence(
          "The sign-in was canceled before this app's permissions were accepted.")
      ]),
    rows(
      .settled, Sentence("Start again when you are ready."),
      [[.userFlow(leftUserFlow)]: Sentence("You canceled the sign-in before it was complete.")]),
    rows(
      .otherAccount,
      Sentence("Sign in with another account, or ask the organization to invite this one."),
      [
        [16000, 50020, 90072]: Sentence(
          "This account does not exist in the organization that owns the app."),
        [50014]: Sentence("The invitation for this account has not been accepted yet."),
        [51004]: Sentence("This account is not in the organization's directory."),
      ]),
    rows(
      .otherAccount, Sentence("Check the spelling, or sign in with another account."),
      [[50034]: Sentence("There is no account with this name.")]),
    rows(
      .otherAccount,
      Sentence("Ask your administrator to assign it, or sign in with another account."),
      [[50105]: Sentence("This account has not been assigned to the app.")]),
    rows(
      .otherAccount, Sentence("Sign in with another account."),
      [[500208]: Sentence("This type of account cannot sign in here.")]),
  ].flatMap(\.self)

  /// The organization has a rule, and its administrator can help.
  private static let organization: [ErrorGuidance] = [
    rows(
      .approval, Sentence("Ask your administrator to approve this app."),
      [[90094, 90095]: Sentence("Only an administrator can grant these permissions.")]),
    rows(
      .device,
      Sentence("Use a device that your organization manages, or ask your administrator."),
      [
        [50005]: Sentence("Your organization does not allow this type of device."),
        [50097]: Sentence("Your organization requires device authentication."),
        [50129]: Sentence("This device is not registered with your organization."),
        [50187]: Sentence("Device authentication failed."),
        [53000]: Sentence("This device does not comply with your organization's policies."),
        [53001]: Sentence("This device does not belong to your organization's domain."),
        [53003]: Sentence("Your organization's policies do not allow this sign-in."),
        [53005, 53009, .suberror("protection_policy_required")]: Sentence(
          "Your organization requires this app to be managed by Intune, which this app does not"
            + " support."),
        [530003]: Sentence("Your organization requires a managed device."),
        [700003]: Sentence("This device is no longer registered with your organization."),
        [.suberror("insufficient_device_strength")]: Sentence(
          "This device does not meet your organization's security requirements."),
      ]),
    rows(
      .administrator, Sentence("Ask your administrator."),
      [
        [50057]: Sentence("This account is disabled."),
        [50131]: Sentence("Your organization's policies do not allow this sign-in."),
        [53010]: Sentence("Security info can be set up only from certain places or devices."),
        [53011]: Sentence("The account is blocked because it may be at risk."),
        [80001]: Sentence("Your organization's sign-in service cannot be reached."),
        [500021]: Sentence("This network does not allow sign-ins to that organization."),
        [500212]: Sentence(
          "Your organization does not allow sign-ins to the other organization."),
        [500213]: Sentence("The other organization does not allow this account."),
        [530035]: Sentence("The security defaults of the organization do not allow this."),
        [7_000_112]: Sentence("The app is disabled."),
      ]),
    // The policies of the organization name the apps; to approve its permissions does not help.
    rows(
      .administrator, Sentence("Ask your administrator to approve this app."),
      [[53002]: Sentence("Your organization has not approved this app.")]),
  ].flatMap(\.self)

  /// Whoever made the connection, the app registration or the app can correct it.
  private static let makers: [ErrorGuidance] = [
    rows(
      .connection, Sentence("Check the client ID and the authority of the connection."),
      [
        [50059, 50128]: Sentence("The account's organization is unknown."),
        [70001]: Sentence("The app was not found or is disabled."),
        [90002]: Sentence("This organization does not exist."),
        [700016]: Sentence("The app was not found in this organization."),
      ]),
    rows(
      .connection, Sentence("In the authority, replace 'common' with that organization."),
      [[50194]: Sentence("This app supports only one organization.")]),
    rows(
      .connection, Sentence("Turn on 'Allow public client flows' in the app registration."),
      [[7_000_218]: Sentence("The app is not registered as a public client.")]),
    rows(
      .connection, Sentence("Register it for mobile and desktop applications."),
      [[9_002_327]: Sentence("The redirect URI is registered for a single-page app.")]),
    rows(
      .scope, Sentence("Check the scopes of the connection."),
      [
        [28002, 70011]: Sentence("A scope is not valid."),
        [500011]: Sentence("The API was not found in this organization."),
        [650053]: Sentence("The API does not have a scope that the app requests."),
      ]),
    rows(
      .redirectURI, Sentence("Add it to the app registration, spelled exactly the same."),
      [
        [50011]: Sentence("The redirect URI is not registered for this app.")
      ]),
    rows(
      .redirectURI, Sentence("Ask the owner of the app registration to correct it."),
      [[500113]: Sentence("The app has no redirect URI.")]),
    rows(
      .registration, Sentence("Ask the owner of the app registration to correct it."),
      [
        [65005, 650057]: Sentence(
          "The app requests a permission that is not in its registration."),
        [650056]: Sentence("The app registration is incomplete."),
        [700054]: Sentence(
          "The app registration does not allow ID tokens from the sign-in pages."),
        [9_002_326]: Sentence(
          "The request came from a web page, but the app is not registered as a single-page app."),
      ]),
    rows(
      .developers, Sentence("Report this to the developers of this app, with the details."),
      [
        [70003]: Sentence("The server does not support this type of request."),
        [90014, 900144]: Sentence("The request is missing a required parameter."),
        [700025]: Sentence("A public client must not send a client secret."),
        [9_002_313]: Sentence("The request is malformed."),
      ]),
  ].flatMap(\.self)

  /// The service may accept the same request later.
  private static let service: [ErrorGuidance] = [
    rows(
      .later, Sentence("Wait a moment and sign in again."),
      [
        [50033]: Sentence("Microsoft's sign-in service had a temporary error."),
        [70012]: Sentence("The sign-in service for personal accounts had an error."),
        [80002]: Sentence("Your organization's sign-in service did not respond in time."),
        [90033]: Sentence("Microsoft's sign-in service is not available at the moment."),
      ]),
    rows(
      .later, Sentence("Wait a few minutes and try again."),
      [
        [50088]: Sentence("Too many verification codes were sent by phone."),
        [50196]: Sentence("The app sent the same request too often."),
      ]),
    rows(
      .later, Sentence("Wait a while, then try again or reset the password."),
      [
        [50053]: Sentence(
          "The account is locked after too many attempts, or the IP address is blocked.")
      ]),
  ].flatMap(\.self)
}

extension AuthenticationError {
  /// The guidance for the first known number of ``serverErrorCodes``, or else for ``suberror`` or
  /// the user flow's code in ``serverDescription``; nil when none is known.
  public var guidance: ErrorGuidance? {
    ErrorGuidance(
      codes: serverErrorCodes, suberror: suberror, description: serverDescription)
  }
}
