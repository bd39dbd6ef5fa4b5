import Sentences

/// An error reported by a broker.
///
/// The numbers are those inside MSAL's C++ runtime, which brokers share.
public struct BrokerError: Sendable, Equatable {
  /// The kind of error; see ``Status``.
  public var status: Int?
  /// The specific error within its kind.
  public var subStatus: Int?
  /// The number of the underlying error, often a system's.
  public var errorCode: Int?
  /// A tag that identifies the place in the broker's code, for its developers: five letters and
  /// digits.
  public var tag: String?
  /// The message of the broker, or of the server behind it.
  public var context: String?
  /// The server's `error`, such as `invalid_grant`.
  public var oauthError: String?
  /// The server's `suberror`.
  public var suberror: String?
  /// The request's ID in the server's logs.
  public var correlationID: String?

  /// The kinds of errors, by the numbers that brokers send.
  ///
  /// From 15 on, they differ from those that MSAL's C++ runtime returns to its callers
  /// (`MSALRUNTIME_RESPONSE_STATUS`).
  ///
  /// Brokers may send others, and later versions may add some: a `switch` needs a `default`.
  public struct Status: Sendable, Hashable, CaseIterable, CustomStringConvertible {
    /// An unexpected error.
    public static let unexpected = Status(0, nil)
    /// The user must interact.
    public static let interactionRequired = Status(2, .interactionRequired)
    /// There is no network.
    public static let noNetwork = Status(3, .networkUnavailable)
    /// The network is temporarily unavailable.
    public static let networkTemporarilyUnavailable = Status(4, .networkUnavailable)
    /// The server is temporarily unavailable.
    public static let serverTemporarilyUnavailable = Status(5, .serverUnavailable)
    /// The broker rejects the request.
    public static let apiContractViolation = Status(6, .brokerUnavailable)
    /// The user canceled.
    public static let userCanceled = Status(7, .userCanceled)
    /// The app canceled.
    public static let applicationCanceled = Status(8, .userCanceled)
    /// The app registration is wrong.
    public static let incorrectConfiguration = Status(9, .invalidConfiguration, isOfBroker: true)
    /// The authority is not trusted.
    public static let authorityUntrusted = Status(11, .untrustedAuthority)
    /// A different user signed in.
    public static let userSwitch = Status(12, .accountMismatch)
    /// The account cannot be used until the user acts.
    public static let accountUnusable = Status(13, .interactionRequired)
    /// A temporary error.
    public static let transientError = Status(15, .serverUnavailable)
    /// A different account signed in.
    public static let accountSwitch = Status(16, .accountMismatch)
    /// The device is not registered: the broker is installed, but not enrolled.
    public static let deviceNotRegistered = Status(17, .brokerUnavailable)
    /// A key of the device is missing.
    public static let keyNotFound = Status(18, .brokerUnavailable)
    /// The broker does not know the account.
    public static let accountNotFound = Status(19, .accountNotFound, isOfBroker: true)
    /// A required broker is missing.
    public static let requiredBrokerMissing = Status(20, .brokerUnavailable)
    /// The app should use its own flow instead.
    public static let fallbackToNativeMsal = Status(21, .brokerUnavailable)
    /// A certificate of the device is missing.
    public static let certificateNotFound = Status(22, .brokerUnavailable)
    /// The device must be enrolled first, which the broker leaves to another program.
    public static let mdmEnrollmentHandoff = Status(23, .brokerUnavailable)

    /// All statuses of this version.
    public static let allCases: [Status] = [
      .unexpected, .interactionRequired, .noNetwork, .networkTemporarilyUnavailable,
      .serverTemporarilyUnavailable, .apiContractViolation, .userCanceled, .applicationCanceled,
      .incorrectConfiguration, .authorityUntrusted, .userSwitch, .accountUnusable,
      .transientError, .accountSwitch, .deviceNotRegistered, .keyNotFound, .accountNotFound,
      .requiredBrokerMissing, .fallbackToNativeMsal, .certificateNotFound, .mdmEnrollmentHandoff,
    ]

    /// The number.
    public let rawValue: Int
    /// The code for the status; nil when the server's error is more specific.
    let code: AuthenticationError.Code?
    /// Whether the broker itself cannot serve this app or this device.
    let isOfBroker: Bool

    private init(_ rawValue: Int, _ code: AuthenticationError.Code?, isOfBroker: Bool = false) {
      self.rawValue = rawValue
      self.code = code
      self.isOfBroker = isOfBroker || code == .brokerUnavailable
    }

    /// The number.
    public var description: String { "\(rawValue)" }
  }

  /// Creates an error without any values.
  public init() {}
}

extension BrokerError {
  /// Creates an error of a kind.
  package init(_ status: Status) {
    self.status = status.rawValue
  }

  /// Whether the broker itself cannot serve this app or this device.
  ///
  /// The app's own sign-in pages may still work.
  var isOfBroker: Bool { kind?.isOfBroker ?? false }

  private var kind: Status? { Status.allCases.first { $0.rawValue == status } }

  /// The error for the caller.
  ///
  /// - Parameter correlationID: the ID of the request, used when the broker returned no other.
  public func authenticationError(_ correlationID: String) -> AuthenticationError {
    var error = ServerError(self).authenticationError
    error.code = kind?.code ?? error.code
    if error.guidance == nil { error.sentence = sentence(for: error.code) }
    if oauthError == nil { error.oauthError = nil }
    error.brokerError = self
    return error.naming(correlationID)
  }

  private func sentence(for code: AuthenticationError.Code) -> Sentence {
    switch code {
    case .interactionRequired:
      Sentence("{service} asks you to sign in again.", ["service": "Microsoft"])
    case .networkUnavailable:
      Sentence(
        "This computer’s identity broker cannot reach Microsoft’s sign-in service. Check the network."
      )
    case .serverUnavailable:
      Sentence(
        "{service} is not available at the moment. Try again later.",
        ["service": Authority.common.signInService])
    case .userCanceled: Sentence("The sign-in was canceled.")
    case .invalidConfiguration:
      Sentence(
        "This computer’s identity broker does not accept this app registration. Add the redirect URI"
          + " {uri} to it.", ["uri": PublicClientApplicationConfiguration.brokerRedirectURI])
    case .untrustedAuthority:
      Sentence(
        "This computer’s identity broker does not trust this sign-in service. Sign in without the"
          + " broker, or contact support with the details.")
    case .accountMismatch:
      Sentence("A different account signed in than the one requested. Sign in again.")
    case .accountNotFound:
      Sentence("This computer’s identity broker does not know this account. Sign in.")
    case .brokerUnavailable:
      Sentence(
        "This computer’s identity broker does not support this app. Sign in without the broker, or"
          + " contact support with the details.")
    default:
      Sentence(
        "This computer’s identity broker reported a problem. Sign in without the broker, or contact"
          + " support with the details.")
    }
  }

  /// The ID after `Correlation ID: ` in the server's message.
  fileprivate static func correlationID(in text: String?) -> String? {
    guard let text, let label = text.firstRange(of: "Correlation ID: ") else { return nil }
    let id = text[label.upperBound...].prefix { $0.isHexDigit || $0 == "-" }
    return GUID.isValid(id) ? String(id) : nil
  }

  /// The numbers, for ``AuthenticationError/details``; nil when there are none.
  var details: String? {
    let parts: [(String, String?)] = [
      ("status", status.map(String.init)), ("substatus", subStatus.map(String.init)),
      ("code", errorCode.map(String.init)), ("tag", tag),
    ]
    let known = parts.compactMap { name, value in value.map { "\(name) \($0)" } }
    return known.isEmpty ? nil : known.joined(separator: ", ")
  }
}

extension ServerError {
  /// The error of the server behind the broker.
  fileprivate init(_ error: BrokerError) {
    self.error = error.oauthError ?? ""
    suberror = error.suberror
    description = error.context
    codes = Self.codes(in: error.context)
    correlationID = error.correlationID ?? BrokerError.correlationID(in: error.context)
    step = .broker
  }
}
