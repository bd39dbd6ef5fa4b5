import Sentences

extension ServerErrorTable {
  /// Whoever made the connection, the app registration or the app can correct it.
  static let ownerCanAct: [ErrorGuidance] = [
    rows(
      .connection, Sentence("Check the client ID of the app, and who can sign in."),
      [
        [70001]: Sentence("The app was not found or is disabled."),
        [700011, 700016]: Sentence(
          "There is no app with this client ID, or the account’s organization does not have it."),
      ]),
    rows(
      .authority, Sentence("Check who can sign in with the app."),
      [
        [50059, 50128, 90019]: Sentence("The account’s organization is unknown."),
        [50049]: Sentence("Microsoft does not know the sign-in service of the app."),
        [90002]: Sentence("This organization does not exist."),
      ]),
    rows(
      .authority,
      Sentence(
        "In the address of the sign-in service, replace “common” with the tenant ID or domain of the"
          + " organization."),
      [[50194]: Sentence("This app supports only one organization.")]),
    rows(
      .authority,
      Sentence(
        "In the address of the sign-in service, use “organizations”, or the tenant ID or domain of"
          + " the organization."),
      [
        [90124, 90130, 9_001_023, 9_002_332]: Sentence(
          "This app supports only work and school accounts.")
      ]),
    rows(
      .authority, Sentence("In the address of the sign-in service, use “consumers”."),
      [[9_002_331]: Sentence("This app supports only personal accounts.")]),
    rows(
      .authority,
      Sentence(
        "In the address of the sign-in service, use the host of that cloud, such as"
          + " login.microsoftonline.us."),
      [[90038]: Sentence("The organization belongs to another Microsoft cloud.")]),
    rows(
      .connection,
      Sentence("Use the client ID of an app that you or your organization registered."),
      [
        [65002]: Sentence(
          "The client ID is one of Microsoft’s own, which is not allowed to use this API.")
      ]),
    rows(
      .connection, Sentence("Turn on “Allow public client flows” in the app registration."),
      [[7_000_218]: Sentence("The app is not registered as a public client.")]),
    rows(
      .registration, Sentence("Register it for mobile and desktop applications."),
      [[9_002_327]: Sentence("The redirect URI is registered for a single-page app.")]),
    rows(
      .scope, Sentence("Check the app’s permissions."),
      [
        [28002, 28003, 70011, 700023]: Sentence("A permission is not valid."),
        [50001, 500011, 650054]: Sentence("The API was not found in this organization."),
        [650053]: Sentence("The API does not have a permission that the app requests."),
      ]),
    rows(
      .scope, Sentence("Request the permissions of one API at a time."),
      [[28000, 700022]: Sentence("The permissions belong to more than one API.")]),
    rows(
      .redirectURI, Sentence("Add it to the app registration, spelled exactly the same."),
      [
        [50011, 70004]: Sentence("The redirect URI is not registered for this app.")
      ]),
    rows(
      .redirectURI, Sentence("Ask the owner of the app registration to correct it."),
      [[500113, 900971]: Sentence("The app has no redirect URI.")]),
    rows(
      .registration, Sentence("Ask the owner of the app registration to correct it."),
      [
        [65005, 650057]: Sentence(
          "The app requests a permission that is not in its registration."),
        [650056, 90008]: Sentence("The app registration is incomplete."),
        [50003, 50146, 501461]: Sentence("The app registration has no valid signing key."),
        [50012, 700027, 700030]: Sentence("The certificate of the app is not accepted."),
        [7_000_114]: Sentence("The app is not allowed to make on-behalf-of requests."),
        [700054]: Sentence(
          "The app registration does not allow ID tokens from the sign-in pages."),
        [9_002_326]: Sentence(
          "The request came from a web page, but the app is not registered as a single-page app."),
      ]),
    rows(
      .registration,
      Sentence(
        "Enter the right one where the program keeps it, or create one in the registration."),
      [
        [70002, 7_000_215]: Sentence("The client secret is wrong."),
        [7_000_222]: Sentence("The client secret has expired."),
      ]),
    rows(
      .developers, Sentence("Report this to the developers of this app, with the details."),
      [
        [70003, 70005, 70007, 90010, 901002]: Sentence(
          "The server does not support this type of request."),
        [50013, 50027, 500133]: Sentence(
          "A token that the app presented has expired or is not valid."),
        [50147, 501491]: Sentence(
          "The app’s proof for the authorization code (PKCE) is not valid."),
        [90009]: Sentence(
          "The app requested a token for itself; the permission must use the app’s client ID."),
        [90027]: Sentence("The app uses an old protocol, which personal accounts do not support."),
        [700005]: Sentence("The authorization code belongs to another organization."),
        [90014, 900144]: Sentence("The request is missing a required parameter."),
        [700025]: Sentence("A public client must not send a client secret."),
        [
          90004, 90005, 90015, 90016, 90023, 90056, 90100, 90102, 90117, 90121, 9_002_313,
        ]: Sentence("The request is malformed."),
      ]),
  ].flatMap(\.self)
}
