import Sentences

extension ServerErrorTable {
  /// The service may accept the same request later.
  static let tryLater: [ErrorGuidance] = [
    rows(
      .later, Sentence("Wait a few minutes, then try again."),
      [
        [40010, 50000, 50033, 50087, 80005]: Sentence(
          "Microsoft’s sign-in service had a temporary error."),
        [70012]: Sentence("The sign-in service for personal accounts had an error."),
        [80002, 80014]: Sentence("Your organization’s sign-in service did not respond in time."),
        [90006, 90012, 90024, 90033, 90090, 90091]: Sentence(
          "Microsoft’s sign-in service is not responding properly."),
      ]),
    rows(
      .tooManyRequests, Sentence("Wait a few minutes, then try again."),
      [
        [50088]: Sentence("Too many verification codes were sent by phone."),
        [90055]: Sentence("Your organization sends too many requests."),
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
