import Sentences

extension ServerErrorTable {
  /// The organization has a rule, and its administrator can help.
  static let administratorCanAct: [ErrorGuidance] = [
    rows(
      .approval, Sentence("Ask your administrator to approve this app."),
      [[90094, 90095]: Sentence("Only an administrator can grant these permissions.")]),
    rows(
      .device,
      Sentence("Use a device that your organization manages, or ask your administrator."),
      [
        [50005]: Sentence(
          "Your organization does not allow sign-ins from this operating system."),
        [50097]: Sentence("Your organization requires device authentication."),
        [50127]: Sentence(
          "Your organization requires an identity broker, an app that proves which device this is."),
        [130007, 135011]: Sentence("This device is disabled in your organization."),
        [50129]: Sentence("This device is not registered with your organization."),
        [50099, 50155, 50187]: Sentence("Device authentication failed."),
        [53000]: Sentence("This device does not comply with your organization’s policies."),
        [53001]: Sentence("This device does not belong to your organization’s domain."),
        [53003, 530032]: Sentence("Your organization’s policies do not allow this sign-in."),
        [53005, 53009, .suberror("protection_policy_required")]: Sentence(
          "Your organization requires this app to be managed by Intune, which this app does not"
            + " support."),
        [530003]: Sentence("Your organization requires a managed device."),
        [130008, 700003]: Sentence("This device is no longer registered with your organization."),
        [.suberror("insufficient_device_strength")]: Sentence(
          "This device does not meet your organization’s security requirements."),
      ]),
    rows(
      .device,
      Sentence(
        "Sign in without a code on a device that your organization manages, or ask your"
          + " administrator."),
      [
        [530033]: Sentence(
          "Your organization requires a managed device, which a sign-in with a code cannot prove.")
      ]),
    rows(
      .administrator, Sentence("Ask your administrator."),
      [
        [50057]: Sentence("This account is disabled."),
        [50015, 54000]: Sentence("The rules for the account holder’s age do not allow this app."),
        [50017]: Sentence("The certificate of the account cannot be checked."),
        [50177, 50178]: Sentence(
          "The organization requires a security check that accounts of other organizations do not"
            + " support."),
        [51000]: Sentence("A feature that this sign-in needs is turned off."),
        [80012]: Sentence("The account may sign in only at certain hours."),
        [90093]: Sentence(
          "The account is not allowed to read directory data that the sign-in needs."),
        [90099]: Sentence("The organization has not authorized this app for its partners."),
        [90123]: Sentence("The organization’s identity provider refused the sign-in."),
        [120_012]: Sentence("The password can be changed only inside the organization’s network."),
        [120_014, 120_015]: Sentence(
          "The password cannot be changed because the account is locked or disabled."),
        [240_001]: Sentence("The account is not allowed to register devices."),
        [650052]: Sentence("The organization does not have a service that the app needs."),
        [1_000_031]: Sentence("The app cannot be used at the moment."),
        [1_000_104]: Sentence("Your organization does not allow sign-ins to the other cloud."),
        [50131]: Sentence("Your organization’s policies do not allow this sign-in."),
        [53010]: Sentence("Security info can be set up only from certain places or devices."),
        [53011, 530034]: Sentence("The account is blocked because it may be at risk."),
        [80001, 120_013]: Sentence("Your organization’s sign-in service cannot be reached."),
        [
          20001, 20012, 20033, 40008, 40009, 40015, 50008, 50107, 50161, 50170, 50180, 80007, 80010,
          80013, 501621, 5_000_819,
        ]: Sentence("Your organization’s sign-in service is not set up correctly."),
        [50002, 500021, 500022]: Sentence(
          "This network does not allow sign-ins to that organization."),
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
}
