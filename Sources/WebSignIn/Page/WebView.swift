import CGio
import CWebKit
import Gtk

/// WebKit's web view.
@MainActor
final class WebView: Widget {
  /// Creates a view with these settings.
  convenience init(context: Object, session: Object, settings: Object) {
    self.init(
      owning: entrance_web_view_new(webkit, context.opaque, session.opaque, settings.opaque))
  }

  /// Creates a view for a page that the page in `opener` opens; they can talk to each other.
  convenience init(openedBy opener: WebView) {
    self.init(owning: entrance_web_view_new_related(webkit, opener.ptr()))
  }

  /// Loads `url`.
  func load(_ url: String) { webkit.web_view_load_uri(ptr(), url) }

  /// Loads the current page again.
  func reload() { webkit.web_view_reload(ptr()) }

  /// Whether there is a page to go back to.
  var canGoBack: Bool { webkit.web_view_can_go_back(ptr()) != 0 }

  /// Goes back to the previous page.
  func goBack() { webkit.web_view_go_back(ptr()) }

  /// Calls `handler` whenever ``canGoBack`` may have changed.
  func onHistoryChange(_ handler: @escaping @MainActor () -> Void) {
    guard let list = webkit.web_view_get_back_forward_list(ptr()) else { return }
    Object(borrowing: list).connect("changed", handler)
  }

  /// Stops loading.
  func stop() { webkit.web_view_stop_loading(ptr()) }

  /// Ends the web process; another one is started for the next page.
  func terminateProcess() { webkit.web_view_terminate_web_process(ptr()) }

  /// The zoom level; 1 is the normal size.
  var zoom: Double {
    get { webkit.web_view_get_zoom_level(ptr()) }
    set { webkit.web_view_set_zoom_level(ptr(), newValue) }
  }

  /// The loading progress, from 0 to 1; nil when nothing is being loaded.
  var progress: Double? {
    guard webkit.web_view_is_loading(ptr()) != 0 else { return nil }
    return webkit.web_view_get_estimated_load_progress(ptr())
  }

  /// The URL that WebKit currently reports.
  ///
  /// It can contain the code, so it must not be shown.
  var url: String? { webkit.web_view_get_uri(ptr()).map { String(cString: $0) } }

  /// The certificate of the page's server, and whether WebKit found no error in it; nil when the
  /// page was not loaded over TLS.
  var certificate: (object: Object?, isFaultless: Bool)? {
    var certificate: UnsafeMutablePointer<GTlsCertificate>?
    var errors = GTlsCertificateFlags(rawValue: 0)
    guard webkit.web_view_get_tls_info(ptr(), &certificate, &errors) != 0 else { return nil }
    return (certificate.map { Object(borrowing: $0) }, errors.rawValue == 0)
  }

  /// Calls `started` when a load begins, and `committed` when its page starts to appear.
  func onLoad(
    started: @escaping @MainActor () -> Void, committed: @escaping @MainActor () -> Void,
    finished: @escaping @MainActor () -> Void
  ) {
    connect("load-changed") { arguments in
      switch UInt32(truncatingIfNeeded: arguments.int(0)) {
      case WEBKIT_LOAD_STARTED.rawValue: started()
      case WEBKIT_LOAD_COMMITTED.rawValue: committed()
      case WEBKIT_LOAD_FINISHED.rawValue: finished()
      default: break
      }
    }
  }

  /// Calls `handler` with ``progress`` whenever it changes.
  func onProgress(_ handler: @escaping @MainActor (Double?) -> Void) {
    // The handler belongs to the view, so the pointer outlives it.
    let view = raw
    let changed: @MainActor () -> Void = { handler(WebView(borrowing: view).progress) }
    connect("notify::estimated-load-progress", changed)
    connect("notify::is-loading", changed)
  }

  /// The number that a script returns in the main frame, isolated from the page's scripts; nil when
  /// there is no page any longer.
  func evaluate(_ script: String) async -> Int? {
    let value = try? await awaitOperation { cancellable, ready, data in
      webkit.web_view_evaluate_javascript(
        ptr(), script, -1, "entrance", nil, cancellable, ready, data)
    } finish: { result, error in
      webkit.web_view_evaluate_javascript_finish(ptr(), result, &error).map { Object(owning: $0) }
    }
    return (value ?? nil).map { Int(webkit.jsc_value_to_int32($0.opaque)) }
  }
}
