import Sentences

extension ServerErrorTable {
  /// The person can sign in, again or with another account.
  static let personCanAct: [ErrorGuidance] = [
    rows(
      .signIn, Sentence("Sign in again."),
      [
        [50058]: Sentence("No account is signed in on the sign-in pages."),
        [16001]: Sentence("The account that was chosen on the sign-in page could not be used."),
        [16002, 160021]: Sentence("The sign-in session that the app asked for does not exist."),
        [50085]: Sentence("The account’s identity provider requires a new sign-in."),
        [50089]: Sentence("The sign-in took too long."),
        [50134]: Sentence("The code belongs to another region of the sign-in service."),
        [50139, 50143]: Sentence(
          "The session of the sign-in pages does not belong to this sign-in."),
        [50199]: Sentence("The sign-in stopped when the page asked whether this is the right app."),
        [51006, 700020]: Sentence("The service needs you to sign in again."),
        [90013]: Sentence("The entry is not valid."),
        [90120]: Sentence("The code was already accepted or declined."),
        [900561]: Sentence(
          "The page was opened again, for example with the browser’s Back button."),
        [50132, 50133]: Sentence("The sign-in ended because the password changed or expired."),
        [50140]: Sentence("The sign-in stopped when the page asked whether to stay signed in."),
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
        [120_002, 120_003, 120_004, 120_018]: Sentence(
          "The new password does not meet the organization’s rules."),
        [50135, 50142]: Sentence(
          "The password must be changed because the account may be at risk."),
      ]),
    rows(
      .signIn, Sentence("Reset it, then sign in again."),
      [[50144]: Sentence("Your Active Directory password has expired.")]),
    rows(
      .signIn, Sentence("Sign in and enter the password again."),
      [
        [50056]: Sentence("The password is missing or wrong."),
        [120_000]: Sentence("The current password is wrong."),
        [81004, 81005, 81006, 81007, 81009, 81010, 81011]: Sentence(
          "The sign-in of this device’s network (Kerberos) was not accepted."),
      ]),
    rows(
      .signIn, Sentence("Check both and sign in again."),
      [[50064, 50126]: Sentence("The user name or password is wrong.")]),
    rows(
      .signIn, Sentence("Start the sign-in again with the user flow that resets passwords."),
      [[.userFlow(ErrorGuidance.passwordReset)]: Sentence("You chose to reset your password.")]),
    rows(
      .signIn, Sentence("Sign in again and set it up."),
      [
        [50072]: Sentence("Multifactor authentication is required."),
        [50125]: Sentence("The sign-in stopped at the setup of the password reset."),
        [50079]: Sentence("Your organization requires multifactor authentication."),
      ]),
    rows(
      .signIn, Sentence("Sign in again and complete the extra verification."),
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
      .signIn, Sentence("Set it up on your account’s security info page, then sign in again."),
      [[53004]: Sentence("Your security info must be set up first.")]),
    rows(
      .signIn, Sentence("Sign in again and enter the new code."),
      [
        [70018]: Sentence("The code is wrong."),
        [90119]: Sentence("No code was entered."),
        [70019]: Sentence("The code has expired."),
      ]),
    rows(
      .signIn, Sentence("Sign in again to get a new one."),
      [[70020]: Sentence("The code was not entered in time.")]),
    rows(
      .openSignIn, Sentence("Finish it there."),
      [[70016]: Sentence("The sign-in on the other device is not complete yet.")]),
    // Neither the person nor an administrator has accepted the permissions, says Microsoft, and an
    // interactive request asks for it. Only that tells whether an administrator has to (90094).
    rows(
      .consent, Sentence("Sign in again and accept them."),
      [[65001]: Sentence("This app’s permissions have not been accepted.")]),
    rows(
      .settled, Sentence("To use the app, sign in again and accept them."),
      [[65004]: Sentence("You declined this app’s permissions.")]),
    rows(
      .settled, Sentence("Start again when you are ready."),
      [
        [.userFlow(ErrorGuidance.leftUserFlow)]: Sentence(
          "You canceled the sign-in before it was complete.")
      ]),
    rows(
      .otherAccount,
      Sentence("Sign in with another account, or ask the organization to invite this one."),
      [
        [16000, 16003, 50020, 90072]: Sentence(
          "This account does not exist in the organization that owns the app."),
        [50014]: Sentence("The invitation for this account has not been accepted yet."),
        [51004]: Sentence("This account is not in the organization’s directory."),
      ]),
    rows(
      .otherAccount, Sentence("Check the spelling, or sign in with another account."),
      [
        [50034, 90125, 120_016]: Sentence("There is no account with this name."),
        [90101]: Sentence("The entry is not an email address."),
      ]),
    rows(
      .otherAccount,
      Sentence("Sign in with another account, or ask your administrator to assign this one."),
      [[50105]: Sentence("This account has not been assigned to the app.")]),
    rows(
      .otherAccount, Sentence("Sign in with another account."),
      [
        [500208]: Sentence("This type of account cannot sign in here."),
        [81012]: Sentence("Another account is signed in to this device."),
        [90084]: Sentence("Guests cannot sign in here."),
      ]),
  ].flatMap(\.self)
}
