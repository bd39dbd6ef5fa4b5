import Gio
import AuthCore
import CGio
import CWebKit
import Gtk

// Handles failed loads and terminated processes.
extension SignInPage {
  func connectFailures() {
    view.connectReturningBool("load-failed") { [weak self] arguments in
      guard let self, let error = arguments.pointer(2) else { return false }
      loadFailed(
        arguments.string(1) ?? "",
        GLibError(borrowing: UnsafePointer(error.assumingMemoryBound(to: GError.self))))
      // Keeps WebKit from showing its own error page.
      return true
    }
    view.connectReturningBool("load-failed-with-tls-errors") { [weak self] arguments in
      guard let self, let origin = arguments.string(0).flatMap({ Origin($0) }) else { return false }
      let faults = UInt32(truncatingIfNeeded: arguments.int(2))
      report(.failed(.tls(host: origin.description, faults: faults)))
      return true
    }
    view.connect("web-process-terminated") { [weak self] arguments in
      switch UInt32(arguments.int(0)) {
      case WEBKIT_WEB_PROCESS_TERMINATED_BY_API.rawValue: break
      case WEBKIT_WEB_PROCESS_EXCEEDED_MEMORY_LIMIT.rawValue:
        self?.report(.terminated(.outOfMemory))
      default: self?.report(.terminated(.crashed))
      }
    }
  }

  private func loadFailed(_ url: String, _ error: GLibError) {
    // The page before is still there.
    status = 0
    if let verdict = policy.failure(of: url) {
      carryOut(verdict, url: url)
      return
    }
    // For these, WebKit reports only that the load was interrupted.
    if let refused = refusal(of: url) { return report(.failed(refused.problem)) }
    // Navigations that were ignored or replaced by another load also end here.
    let code = UInt32(truncatingIfNeeded: error.code)
    switch error.domain {
    case Self.policyErrors where code != WEBKIT_POLICY_ERROR_CANNOT_USE_RESTRICTED_PORT.rawValue:
      return
    case Self.networkErrors where code == WEBKIT_NETWORK_ERROR_CANCELLED.rawValue: return
    // The network process reports it as GLib's error when the load had just started.
    case _ where error.isCancelled: return
    default: break
    }
    if let origin = Origin(url), origin.scheme == "https" {
      report(
        .failed(
          .network(
            host: origin.description, reason: error.reason, kind: error.missingResponse)))
    } else {
      report(.failed(.forbidden(url: url)))
    }
  }

  /// The gate's refusal of the host of `url`; nil if there is none.
  func refusal(of url: String) -> ConnectionGate.Refused? {
    guard let origin = Origin(url), let refusal = gate?.refusal(of: origin) else { return nil }
    return ConnectionGate.Refused(origin: origin, refusal: refusal)
  }

  /// Handles a host that the gate refused: of a page, which fails to load, or of a part of one.
  func refused(_ refused: ConnectionGate.Refused) {
    guard view.url.flatMap({ Origin($0) }) != refused.origin else { return }
    report(.denied(refused.problem.message))
  }

  private static let policyErrors = String(cString: g_quark_to_string(webkit.policy_error_quark()))
  private static let networkErrors = String(
    cString: g_quark_to_string(webkit.network_error_quark()))
}

extension ConnectionGate.Refused {
  /// The problem to show to the user.
  var problem: SignInProblem {
    switch refusal {
    case .unreachable(let reason, let kind):
      .network(host: origin.description, reason: reason, kind: kind)
    case .faults(let faults): .tls(host: origin.description, faults: faults)
    }
  }
}
