import CGio
import CWebKit
import Gtk
import Localization

/// Creates a web view that supports what a sign-in page needs, and little else.
@MainActor
enum WebViewSetup {
  /// Far more than a sign-in page needs.
  private static let memoryLimitInMegabytes: guint = 1024

  /// Features that are disabled, because sign-in pages do not need them and they add attack
  /// surface.
  private static let disabledFeatures: Set<String> = [
    "DirectoryUpload", "FullScreen", "Gamepads", "GeolocationAPI", "Media", "MediaDevices",
    "MediaRecorder", "MediaSession", "MediaSource", "Notifications", "PDFJSViewer",
    "PermissionsAPI", "PointerLock", "PrivateClickMeasurement", "ScreenCapture",
    "ScreenWakeLockAPI", "ServiceWorkers", "SharedWorker", "SpeechSynthesisAPI",
    "UsesBackForwardCache", "WebAudio", "WebCodecsAudio", "WebCodecsVideo", "WebGL",
  ]

  /// The context menu's standard items that are kept.
  private static let editing: Set<UInt32> = [
    WEBKIT_CONTEXT_MENU_ACTION_COPY.rawValue, WEBKIT_CONTEXT_MENU_ACTION_CUT.rawValue,
    WEBKIT_CONTEXT_MENU_ACTION_PASTE.rawValue, WEBKIT_CONTEXT_MENU_ACTION_DELETE.rawValue,
    WEBKIT_CONTEXT_MENU_ACTION_SELECT_ALL.rawValue,
    WEBKIT_CONTEXT_MENU_ACTION_PASTE_AS_PLAIN_TEXT.rawValue,
    WEBKIT_CONTEXT_MENU_ACTION_INSERT_EMOJI.rawValue,
  ]

  /// Creates the web context, in which URLs with `scheme` return an empty response.
  static func makeContext(answeringNothingTo scheme: String) -> Object {
    let context = Object(owning: entrance_web_context_new(webkit, memoryLimitInMegabytes))
    webkit.web_context_set_cache_model(context.opaque, WEBKIT_CACHE_MODEL_DOCUMENT_VIEWER)
    webkit.web_context_register_uri_scheme(
      context.opaque, scheme,
      { request, _ in
        guard let nothing = g_memory_input_stream_new() else { return }
        webkit.uri_scheme_request_finish(request, nothing, 0, "text/plain")
        g_object_unref(nothing)
      }, nil, nil)
    return context
  }

  /// Creates a network session, which is ephemeral unless it is `kept`.
  static func makeSession(_ kept: KeptSession?) -> Object {
    let session =
      kept.flatMap { $0.makeSession() } ?? Object(owning: entrance_network_session_new(webkit))
    webkit.network_session_set_tls_errors_policy(session.opaque, WEBKIT_TLS_ERRORS_POLICY_FAIL)
    webkit.network_session_set_persistent_credential_storage_enabled(session.opaque, 0)
    return session
  }

  /// Creates the view.
  static func makeView(context: Object, session: Object) -> WebView {
    finish(WebView(context: context, session: session, settings: makeSettings()))
  }

  /// Creates the view for a page that another page opens.
  static func makeView(openedBy opener: WebView) -> WebView { finish(WebView(openedBy: opener)) }

  private static func finish(_ view: WebView) -> WebView {
    view.expand()
    view.setAccessibleLabel(tr("Sign-in page"))
    return view
  }

  /// Removes all but the editing commands from a context menu.
  ///
  /// - Returns: how many are left.
  static func keepEditing(in menu: Object) -> Int {
    var link = webkit.context_menu_get_items(menu.opaque)
    var unwanted: [OpaquePointer] = []
    while let current = link {
      if let item = current.pointee.data.map({ OpaquePointer($0) }),
        !editing.contains(webkit.context_menu_item_get_stock_action(item).rawValue)
      {
        unwanted.append(item)
      }
      link = current.pointee.next
    }
    for item in unwanted { webkit.context_menu_remove(menu.opaque, item) }
    return Int(webkit.context_menu_get_n_items(menu.opaque))
  }

  private static func makeSettings() -> Object {
    let settings = Object(owning: entrance_web_settings_new(webkit))
    let off = [
      "allow-file-access-from-file-urls", "allow-modal-dialogs",
      "allow-top-navigation-to-data-urls", "allow-universal-access-from-file-urls",
      "enable-back-forward-navigation-gestures", "enable-developer-extras",
      "enable-encrypted-media", "enable-fullscreen", "enable-media", "enable-media-stream",
      "enable-mediasource", "enable-page-cache", "enable-webaudio", "enable-webgl",
      "enable-webrtc", "javascript-can-access-clipboard",
      "javascript-can-open-windows-automatically",
    ]
    for property in off { settings.set(property, to: false) }
    // Works without a GPU, and keeps its driver away from web pages.
    webkit.settings_set_hardware_acceleration_policy(
      settings.opaque, WEBKIT_HARDWARE_ACCELERATION_POLICY_NEVER)
    guard let features = webkit.settings_get_all_features() else { return settings }
    defer { webkit.feature_list_unref(features) }
    for index in 0..<webkit.feature_list_get_length(features) {
      guard let feature = webkit.feature_list_get(features, index),
        let identifier = webkit.feature_get_identifier(feature),
        disabledFeatures.contains(String(cString: identifier))
      else { continue }
      webkit.settings_set_feature_enabled(settings.opaque, feature, 0)
    }
    return settings
  }
}
