public import AuthCore
public import Connections

/// What the desktop provides for signing in.
@MainActor
public protocol SignInDesktop {
  /// The way that the user prefers.
  var preferredWay: SignInWay { get }

  /// A session that shows the pages in the sign-in window.
  ///
  /// - Parameter switchTo: the session calls it when the user chooses another way in that window;
  ///   nil for a sign-out page, which has no other way.
  func embeddedSession(
    switchTo: (@MainActor (SignInWay) -> Void)?
  ) -> any WebAuthenticationSession

  /// A session that shows the pages in the browser.
  func browserSession() -> SystemBrowserSession

  /// Names the window that the sign-in belongs to, for the windows of an identity broker to stay in
  /// front of; nil when it has no name.
  func exportWindow() async -> ParentWindow?

  /// Withdraws the name of ``exportWindow()``.
  func withdrawWindow()

  /// Whether the desktop's date and time settings can be opened.
  var hasDateSettings: Bool { get }

  /// The user's apps, also those that are not open.
  var connections: [Connection] { get }

  /// Whether the desktop passes URLs with the scheme of this redirect URI to this program.
  func opens(_ redirectURI: RedirectURI) -> Bool
}
