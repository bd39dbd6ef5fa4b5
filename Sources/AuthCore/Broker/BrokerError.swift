import Sentences

/// An error reported by a broker.
///
/// The numbers are those of MSAL's C++ runtime, which brokers share.
public struct BrokerError: Sendable, Equatable {
  /// The kind of error; see ``Status``.
  public var status: Int?
  /// The specific error within its kind.
  public var subStatus: Int?
  /// The number of the underlying error, often a system's.
  public var errorCode: Int?
  /// A tag that identifies the place in the broker's code, for its developers.
  public var tag: String?
  /// The message of the broker, or of the server behind it.
  public var context: String?
  /// The server's `error`, such as `invalid_grant`.
  public var oauthError: String?
  /// The server's `suberror`.
  public var suberror: String?
  /// The request's ID in the server's logs.
  public var correlationID: String?

  /// The kinds of errors (`MSALRUNTIME_RESPONSE_STATUS`).
  public enum Status: Int, Sendable {
    /// An unexpected error.
    case unexpected = 0
    /// The user must interact.
    case interactionRequired = 2
    /// There is no network.
    case noNetwork = 3
    /// The network is temporarily unavailable.
    case networkTemporarilyUnavailable = 4
    /// The server is temporarily unavailable.
    case serverTemporarilyUnavailable = 5
    /// The broker rejects the request.
    case apiContractViolation = 6
    /// The user canceled.
    case userCanceled = 7
    /// The app canceled.
    case applicationCanceled = 8
    /// The app registration is wrong.
    case incorrectConfiguration = 9
    /// The authority is not trusted.
    case authorityUntrusted = 11
    /// A different user signed in.
    case userSwitch = 12
    /// The account cannot be used until the user acts.
    case accountUnusable = 13
    /// A key of the device is missing.
    case keyNotFound = 15
    /// The broker does not know the account.
    case accountNotFound = 16
    /// A temporary error.
    case transientError = 17
    /// A different account signed in.
    case accountSwitch = 18
    /// A required broker is missing.
    case requiredBrokerMissing = 19
    /// The device is not registered.
    case deviceNotRegistered = 20
    /// The app should use its own flow instead.
    case fallbackToNativeMsal = 21
  }

  /// Creates an error without any values.
  public init() {}
}

extension BrokerError {
  /// Whether the broker itself cannot serve this app or this device.
  ///
  /// The app's own sign-in pages may still work.
  var isOfBroker: Bool {
    switch kind {
    case .apiContractViolation, .incorrectConfiguration, .keyNotFound, .requiredBrokerMissing,
      .deviceNotRegistered, .fallbackToNativeMsal:
      true
    default: false
    }
  }

  private var kind: Status? { status.flatMap(Status.init) }

  /// The error for the caller.
  ///
  /// - Parameter correlationID: the ID of the request, used when the broker returned no other.
  public func authenticationError(_ correlationID: String) -> AuthenticationError {
    var error = ServerError(self).authenticationError
    error.code = code ?? error.code
    if error.guidance == nil { error.sentence = sentence(for: error.code) }
    if oauthError == nil { error.oauthError = nil }
    error.brokerError = self
    return error.naming(correlationID)
  }

  /// The code for the status; nil when the server's error is more specific.
  private var code: AuthenticationError.Code? {
    switch kind {
    case .interactionRequired, .accountUnusable: .interactionRequired
    case .noNetwork, .networkTemporarilyUnavailable: .networkUnavailable
    case .serverTemporarilyUnavailable, .transientError: .serverUnavailable
    case .userCanceled, .applicationCanceled: .userCanceled
    case .incorrectConfiguration: .invalidConfiguration
    case .authorityUntrusted: .untrustedAuthority
    case .userSwitch, .accountSwitch: .accountMismatch
    case .accountNotFound: .accountNotFound
    case .apiContractViolation, .keyNotFound, .requiredBrokerMissing, .deviceNotRegistered,
      .fallbackToNativeMsal:
      .brokerUnavailable
    case .unexpected, nil: nil
    }
  }

  private func sentence(for code: AuthenticationError.Code) -> Sentence {
    switch code {
    case .interactionRequired:
      Sentence("{service} asks you to sign in again.", ["service": "Microsoft"])
    case .networkUnavailable:
      Sentence(
        "This computer's identity broker has no connection to Microsoft's sign-in service.")
    case .serverUnavailable:
      Sentence(
        "{service} is not available at the moment. Please try again later.",
        ["service": Authority.common.signInService])
    case .userCanceled: Sentence("The sign-in was canceled.")
    case .invalidConfiguration:
      Sentence("This computer's identity broker cannot work for this app as it is registered.")
    case .untrustedAuthority:
      Sentence("This computer's identity broker does not trust the place to sign in.")
    case .accountMismatch: Sentence("Another account signed in than the one asked for.")
    case .accountNotFound:
      Sentence("This computer's identity broker does not know this account. Please sign in.")
    case .brokerUnavailable:
      Sentence("This computer's identity broker cannot work for this app on this device.")
    default: Sentence("This computer's identity broker reported a problem.")
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
    let told = parts.compactMap { name, value in value.map { "\(name) \($0)" } }
    return told.isEmpty ? nil : told.joined(separator: ", ")
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
