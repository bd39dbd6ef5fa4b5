import AuthCore

/// What a failed sign-in or request means to the user, which decides about the ways on.
///
/// An enum, because each kind has its own title, text and buttons.
enum FailureKind: Equatable {
  /// There was no answer.
  case noConnection
  /// The connection was not secure.
  case notSecure
  /// An administrator has to approve the app.
  case adminApproval
  /// The sign-in pages could not be shown.
  case noPages
  /// The organization does not accept this device.
  case device
  /// The redirect URI is not registered.
  case redirectURI
  /// The account does not belong to the organization that the app is for.
  case otherAccount
  /// The connection does not match the app registration, or its own fields are wrong.
  case connection
  /// Anything else that can be tried again.
  case other

  /// The kind of `error`; nil when the page needs no notice of it: the user canceled, or another
  /// notice tells about it.
  init?(_ error: AuthenticationError) {
    if error.suberror == "insufficient_device_strength"
      || error.suberror == "protection_policy_required"
    {
      self = .device
    } else if let known = error.serverErrorCodes.lazy.compactMap({ Self.table[$0] }).first {
      self = known
    } else {
      switch error.code {
      case .userCanceled, .storageUnavailable, .storageIncomplete, .wrongPassphrase,
        .interactiveSessionAlreadyRunning:
        return nil
      case .networkUnavailable: self = .noConnection
      case .tlsFailure: self = .notSecure
      case .webAuthenticationFailed: self = .noPages
      case .workplaceJoinRequired: self = .device
      case .invalidConfiguration, .invalidParameter, .untrustedAuthority: self = .connection
      default: self = .other
      }
    }
  }

  /// Microsoft's error codes (`AADSTS`) whose way on is not to try again.
  private static let table: [Int: FailureKind] = {
    let codes: [(FailureKind, [Int])] = [
      (.adminApproval, [53002, 65001, 90094, 90095]),
      (
        .device,
        [50005, 50097, 50129, 50187, 53000, 53001, 53003, 53005, 53009, 530003, 700003]
      ),
      (.redirectURI, [50011, 500113]),
      (
        .otherAccount,
        [
          16000, 50014, 50020, 50034, 50057, 50105, 50131, 51004, 53011, 90072, 500021, 500208,
          500212, 500213,
        ]
      ),
      (
        .connection,
        [
          28002, 50059, 50128, 50194, 65005, 70001, 70011, 90002, 500011, 650056, 650057, 700016,
          700054, 7000218, 9002326, 9002327,
        ]
      ),
    ]
    return Dictionary(
      codes.flatMap { kind, numbers in numbers.map { ($0, kind) } }, uniquingKeysWith: { $1 })
  }()
}
