import AuthCore
import Localization
import MicrosoftGraph

/// A pause before the next request to a service, which a notice counts down.
struct ServicePause {
  /// The service, at the start of a sentence.
  let service: String
  /// Its length.
  let length: Duration
  /// What kind of failure there is a pause after.
  let kind: FailureKind
  /// Whether the service asked for it, with `Retry-After`.
  let isRequested: Bool
}

extension ServicePause {
  /// The pause after `error`; nil when it has none.
  init?(after error: AuthenticationError) {
    guard let length = error.retryAfter else { return nil }
    self.init(
      service: tr("The sign-in service"), length: length, kind: error.failureKind,
      isRequested: error.isPauseRequested)
  }

  /// The pause after `error` of an API; nil when the API asks for none.
  init?(after error: GraphError, of service: String) {
    guard let length = error.retryAfter else { return nil }
    let kind: FailureKind? = error.failureKind
    self.init(
      service: service, length: length, kind: kind ?? .refused,
      isRequested: (error.cause as? AuthenticationError)?.isPauseRequested ?? true)
  }

  fileprivate var title: String {
    kind == .tooManyRequests ? tr("Too Many Requests") : tr("Service Not Available")
  }

  fileprivate var reason: String {
    switch kind {
    case .later:
      tr("{service} is not available at the moment.", ["service": service])
    case .tooManyRequests where !isRequested:
      tr("{service} received too many requests.", ["service": service])
    default: tr("{service} asked Entrance to wait.", ["service": service])
    }
  }
}

extension Notice {
  /// The notice of a pause, after which the request is repeated.
  ///
  /// - Parameters:
  ///   - seconds: what is left of it.
  ///   - canSendNow: whether a request before that time is sent.
  static func pause(_ pause: ServicePause, seconds: Int, canSendNow: Bool) -> Self {
    let next = tr(
      "The request will be repeated in {time}.", ["time": Countdown.text(seconds)])
    return Self(
      id: failureID, style: .warning, title: pause.title, text: join([pause.reason, next]),
      buttons: (canSendNow ? [Button(label: tr("_Send Now"), action: .callGraph)] : [])
        + [Button(label: tr("_Cancel"), action: .dismiss)])
  }

  /// The notice of a pause after a sign-in, which the person repeats.
  ///
  /// - Parameters:
  ///   - seconds: what is left of it.
  ///   - notice: the notice without the pause.
  static func pauseOfSignIn(_ pause: ServicePause, seconds: Int, in notice: Self) -> Self {
    let next = tr("Try again in {time}.", ["time": Countdown.text(seconds)])
    return Self(
      id: failureID, style: .warning, title: pause.title, text: join([pause.reason, next]),
      buttons: notice.buttons, details: notice.details, canBeDismissed: true)
  }
}
