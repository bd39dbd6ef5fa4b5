import CWebKit
import Gtk

/// WebKit's request for a decision about a navigation or a response: an argument of
/// `decide-policy`.
@MainActor
struct PolicyDecision {
  /// The subject of a decision.
  enum Subject {
    /// A navigation that is about to start.
    case navigation(url: String, isServerRedirect: Bool, isUserGesture: Bool)
    /// A response that is about to be used.
    case response(url: String, status: Int, isMainFrame: Bool, canBeShown: Bool)
    /// A link or a form that wants a new window.
    case newWindow(url: String, isLink: Bool, isUserGesture: Bool)
  }

  /// The subject.
  let subject: Subject
  private let decision: Object

  /// Reads the arguments of the signal; nil when they are invalid.
  init?(_ arguments: SignalArguments) {
    guard let decision = arguments.object(0) else { return nil }
    self.decision = decision
    switch UInt32(truncatingIfNeeded: arguments.int(1)) {
    case WEBKIT_POLICY_DECISION_TYPE_NAVIGATION_ACTION.rawValue:
      let action = webkit.navigation_policy_decision_get_navigation_action(decision.opaque)
      subject = .navigation(
        url: Self.url(of: webkit.navigation_action_get_request(action)),
        isServerRedirect: webkit.navigation_action_is_redirect(action) != 0,
        isUserGesture: webkit.navigation_action_is_user_gesture(action) != 0)
    case WEBKIT_POLICY_DECISION_TYPE_RESPONSE.rawValue:
      subject = .response(
        url: Self.url(of: webkit.response_policy_decision_get_request(decision.opaque)),
        status: Int(
          webkit.uri_response_get_status_code(
            webkit.response_policy_decision_get_response(decision.opaque))),
        isMainFrame:
          webkit.response_policy_decision_is_main_frame_main_resource(decision.opaque) != 0,
        canBeShown: webkit.response_policy_decision_is_mime_type_supported(decision.opaque) != 0)
    default:
      let action = webkit.navigation_policy_decision_get_navigation_action(decision.opaque)
      subject = .newWindow(
        url: Self.url(of: webkit.navigation_action_get_request(action)),
        isLink:
          webkit.navigation_action_get_navigation_type(action)
          == WEBKIT_NAVIGATION_TYPE_LINK_CLICKED,
        isUserGesture: webkit.navigation_action_is_user_gesture(action) != 0)
    }
  }

  /// Refuses it.
  func refuse() { webkit.policy_decision_ignore(decision.ptr()) }

  private static func url(of request: OpaquePointer?) -> String {
    webkit.uri_request_get_uri(request).map { String(cString: $0) } ?? ""
  }
}
