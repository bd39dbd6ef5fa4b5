import AuthCore
import Connections
import EntranceKit
import TestSupport

/// A desktop with scripted pages in its sign-in window, and a scripted user before its browser.
@MainActor
final class ScriptedDesktop: SignInDesktop {
  /// What the user does in the browser with the URL that it is started with.
  typealias Browse = @Sendable (_ url: String) async -> Void

  var preferredWay = SignInWay.embedded
  /// Whether the desktop passes redirects to the app.
  var opensRedirects = false
  /// Whether it has settings for the date and time.
  var hasDateSettings = false
  /// The user's apps.
  var connections: [Connection] = []
  /// The sign-in windows so far.
  private(set) var windows = 0
  /// Those of them that offer no other way to sign in, because they sign out.
  private(set) var signOutWindows = 0
  private let pages: any WebAuthenticationSession
  private let browse: Browse
  /// What the user does in the sign-in window before its pages are shown.
  var useWindow: (_ switchTo: @MainActor (SignInWay) -> Void) -> Void = { _ in }

  init(_ pages: any WebAuthenticationSession, browse: @escaping Browse = { _ in }) {
    self.pages = pages
    self.browse = browse
  }

  func embeddedSession(
    switchTo: (@MainActor (SignInWay) -> Void)?
  ) -> any WebAuthenticationSession {
    windows += 1
    if let switchTo { useWindow(switchTo) } else { signOutWindows += 1 }
    return pages
  }

  func browserSession() -> SystemBrowserSession {
    SystemBrowserSession { [browse] in await browse($0) }
  }

  func exportWindow() async -> ParentWindow? { nil }
  func withdrawWindow() {}

  func opens(_ redirectURI: RedirectURI) -> Bool { opensRedirects }
}
