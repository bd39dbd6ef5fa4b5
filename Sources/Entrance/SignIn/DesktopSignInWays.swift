import Gio
import AuthCore
import Clients
import Connections
import CurlHTTP
import EntranceKit
import Glibc
import Gtk
import Localization
import WebSignIn

/// The ways to sign in that this desktop provides, for one window.
@MainActor
final class DesktopSignInWays: SignInDesktop {
  private weak var window: MainWindow?
  /// The window's handle while it is exported.
  private var handle: Window.Handle?
  private let preferences: Preferences
  private let secrets: SecretClipboard
  /// The desktop's settings for assistive technology.
  private let assistance = Settings(
    schemaID: "org.gnome.desktop.a11y.applications", directory: "")
  private let opened: OpenConnection
  private var isOrcaRunning = false

  /// Provides the ways to sign in with the connection that is `opened` for `window`.
  init(window: MainWindow, preferences: Preferences, opened: OpenConnection) {
    self.window = window
    (self.preferences, secrets) = (preferences, window.secrets)
    self.opened = opened
    lookForOrca()
  }

  /// Finds out whether Orca is running, which can change while another window is in front.
  func lookForOrca() {
    guard !ScreenReader.canReadWebPages else { return }
    Task { [weak self] in
      let isRunning = await ScreenReader.isRunning()
      self?.isOrcaRunning = isRunning
    }
  }

  var preferredWay: SignInWay {
    let hasScreenReader =
      isOrcaRunning || assistance.value(of: "screen-reader-enabled", default: false)
    return SignInWay(
      preferences.signInWay, isUnreadable: hasScreenReader && !ScreenReader.canReadWebPages)
  }

  /// Loads in the background what a sign-in in the window will need.
  func prepareSignIn() {
    if preferredWay == .embedded { EmbeddedWebSession.prepare() }
  }

  func embeddedSession(
    switchTo: (@MainActor (SignInWay) -> Void)?
  ) -> any WebAuthenticationSession {
    var otherWays = OtherWays()
    if let switchTo {
      otherWays.useBrowser = { switchTo(.browser) }
      if opened.connection.signInWays.contains(.code) { otherWays.useCode = { switchTo(.code) } }
    }
    return EmbeddedWebSession(
      parent: window?.root, trust: opened.client.trust.current, otherWays: otherWays,
      // The demo's service is another one at each start.
      cookieDirectory: opened.connection.isDemo ? nil : KeptData.webSession(of: opened.connection),
      remark: preferences.remark(abovePagesOf: opened.connection), isSignOut: switchTo == nil,
      copySecret: secrets.copy(_:from:saying:))
  }

  func browserSession() -> SystemBrowserSession {
    SystemBrowserSession(language: PageLanguage(tag: Localization.language) { tr($0) }) {
      [self] url async throws(AuthenticationError) in try await open(url)
    }
  }

  func exportWindow() async -> ParentWindow? {
    handle = await window?.root.exportHandle()
    return switch handle {
    case .x11(let id): UInt32(exactly: id).map { .x11($0) }
    case .wayland(let handle): .wayland(exportedHandle: handle)
    case nil: nil
    }
  }

  func withdrawWindow() {
    if let handle = handle.take() { window?.root.withdraw(handle) }
  }

  var hasDateSettings: Bool { DateSettings.program != nil }

  var connections: [Connection] { (try? ConnectionFiles.standard.load()) ?? [] }

  func opens(_ redirectURI: RedirectURI) -> Bool {
    DefaultApplication.id(forScheme: redirectURI.schemeName)
      == "\(EntranceIdentity.applicationID).desktop"
  }

  /// Opens `url` in the browser: as the environment variable `BROWSER` says, or through the desktop.
  private func open(_ url: String) async throws(AuthenticationError) {
    if getenv("BROWSER") == nil, let window = window?.root,
      (try? await window.show(uri: url)) != nil
    {
      return
    }
    try await SystemBrowser.open(url)
  }
}
