import AuthCore
import CGio
import CWebKit
import Gtk
import Localization

// Refuses requests of pages that a sign-in does not need.
extension SignInPage {
  /// Connects handlers that refuse everything except showing the page, and one other page that it
  /// opens.
  func connectRefusals() {
    view.connectReturningObject("create") { [weak self] arguments in
      guard let self else { return nil }
      let action = arguments.pointer(0).map { OpaquePointer($0) }
      guard webkit.navigation_action_is_user_gesture(action) != 0, let view = openPopUp() else {
        report(.denied(tr("New windows are not allowed")))
        return nil
      }
      // The emission of the signal adds a reference, which WebKit does not release.
      Task { g_object_unref(view.raw) }
      return view
    }
    view.connectReturningBool("permission-request") { arguments in
      guard let request = arguments.object(0) else { return false }
      webkit.permission_request_deny(request.opaque)
      return true
    }
    view.connectReturningBool("query-permission-state") { arguments in
      guard let query = arguments.pointer(0) else { return false }
      webkit.permission_state_query_finish(OpaquePointer(query), WEBKIT_PERMISSION_STATE_DENIED)
      return true
    }
    view.connectReturningBool("authenticate") { arguments in
      guard let request = arguments.object(0) else { return false }
      // Continues without credentials, so that the server's own page for that case is shown.
      webkit.authentication_request_authenticate(request.opaque, nil)
      return true
    }
    view.connectReturningBool("run-file-chooser") { arguments in
      guard let request = arguments.object(0) else { return false }
      webkit.file_chooser_request_cancel(request.opaque)
      return true
    }
    view.connectReturningBool("script-dialog") { [weak self] arguments in
      guard let self, let dialog = arguments.pointer(0).map({ OpaquePointer($0) }) else {
        return false
      }
      // Leaving a page needs no confirmation; all other dialogs are refused.
      if webkit.script_dialog_get_dialog_type(dialog) == WEBKIT_SCRIPT_DIALOG_BEFORE_UNLOAD_CONFIRM
      {
        webkit.script_dialog_confirm_set_confirmed(dialog, 1)
      } else {
        report(.denied(tr("Messages from the page are not shown")))
      }
      return true
    }
    // Like browsers, WebKit lets only certain pages close their window.
    view.connect("close") { [weak self] in self?.report(.closed) }
    view.connectReturningBool("print") { _ in true }
    view.connectReturningBool("enter-fullscreen") { _ in true }
    view.connectReturningBool("show-notification") { _ in true }
    view.connectReturningBool("context-menu") { arguments in
      guard let menu = arguments.object(0) else { return true }
      return WebViewSetup.keepEditing(in: menu) == 0
    }
  }

  /// Refuses the downloads of the session.
  func connectDownloads() {
    session.connect("download-started") { [weak self] arguments in
      guard let download = arguments.object(0) else { return }
      webkit.download_cancel(download.opaque)
      self?.report(.denied(tr("Downloads are not allowed")))
    }
  }
}
