public import AuthCore
public import CurlHTTP
import Dispatch
import Glibc
public import Gtk
import Localization
import Sentences

/// Shows sign-in pages in a window of this program.
///
/// RFC 8252, section 8.12, prefers the system browser: the program cannot observe it, its address
/// bar is familiar, and passkeys, saved passwords and other sessions are available. This window
/// shows the site and the security of its connection, and pages can do only what a sign-in needs.
///
/// Cookies are deleted at the end of a session, unless it was given a directory for them and
/// ``WebAuthenticationRequest/prefersEphemeralSession`` is false.
@MainActor
public final class EmbeddedWebSession: WebAuthenticationSession {
  private let parent: Window?
  private let trust: Trust
  private let otherWays: OtherWays
  private let cookieDirectory: String?
  private let remark: String?
  private let isSignOut: Bool
  private let copySecret: CopySecret
  /// The trial of the sandbox that was begun for the next pages.
  private var trial: SandboxCheck.Trial?

  /// Copies a secret text to a widget's clipboard.
  ///
  /// It gets a message for the user, and returns what to say: the same, perhaps with what happens to
  /// the secret.
  public typealias CopySecret = @MainActor (String, Widget, String) -> String

  /// Creates a session; WebKit is not loaded before ``redirectURI(for:)``.
  ///
  /// - Parameters:
  ///   - parent: the window that requests the sign-in.
  ///   - trust: the certificate authorities to trust.
  ///   - otherWays: the other ways to sign in that the window offers.
  ///   - cookieDirectory: a directory of this connection alone, in which the pages' cookies are kept
  ///     between sign-ins; nil to keep none.
  ///   - remark: what to say above the pages; nil for nothing.
  ///   - isSignOut: whether the pages sign out, which the window is then called by.
  ///   - copySecret: copies the link of the sign-in.
  public init(
    parent: Window?, trust: Trust = .system, otherWays: OtherWays = OtherWays(),
    cookieDirectory: String? = nil, remark: String? = nil, isSignOut: Bool = false,
    copySecret: @escaping CopySecret = { text, widget, message in
      widget.copyToClipboard(text, isSecret: true)
      return message
    }
  ) {
    self.parent = parent
    self.trust = trust
    self.otherWays = otherWays
    self.cookieDirectory = cookieDirectory
    self.remark = remark
    self.isSignOut = isSignOut
    self.copySecret = copySecret
  }

  /// Deletes the cookies, and everything else that pages have kept, in the directory of a
  /// connection.
  public nonisolated static func deleteCookies(
    in directory: String
  ) throws(AuthenticationError) {
    try KeptSession.delete(directory)
  }

  /// A warning for users whose web pages are less isolated than usual; nil for everyone else.
  public nonisolated static var isolationWarning: String? {
    if PageSandbox.current == .snap {
      return tr("In a Snap package, web pages are not isolated from the app’s own files.")
    }
    guard geteuid() == 0 else { return nil }
    return tr("Running as root: web pages are less isolated from your files than usual.")
  }

  /// Loads WebKit in the background, a second from now so as not to delay what is being drawn.
  ///
  /// It takes 60 ms, and 9 MB that are not shared with other processes: for an app in which nobody
  /// is signed in.
  public nonisolated static func prepare() {
    DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + 1) { WebKitLibrary.prepare() }
  }

  /// Whether there are no cookies that a sign-in has left in the directory for them.
  public func startsWithoutCookies(isEphemeral: Bool) async -> Bool {
    isEphemeral || cookieDirectory.map { KeptSession.isEmpty($0) } ?? true
  }

  /// Begins what the pages need besides their address, while the sign-in service is asked for that.
  @MainActor
  public func redirectURI(
    for registered: RedirectURI
  ) async throws(AuthenticationError) -> RedirectURI {
    trial = SandboxCheck.begin()
    // Not awaited: loading takes longer than the request. When it fails, `authenticate` says so.
    Task { try? WebKitLibrary.load() }
    return registered
  }

  /// Shows the sign-in window until the redirect arrives or the user cancels.
  @MainActor
  public func authenticate(_ request: WebAuthenticationRequest) async throws(AuthenticationError)
    -> String
  {
    guard !request.redirectURI.isLoopback else {
      throw AuthenticationError(
        .invalidConfiguration,
        Sentence("The sign-in window needs a redirect URI with a custom scheme."))
    }
    guard let start = Origin(request.startURL), start.scheme == "https" else {
      throw AuthenticationError(
        .invalidParameter, Sentence("The sign-in window shows encrypted pages only."))
    }
    if let problem = trust.problem { throw AuthenticationError(.invalidConfiguration, problem) }
    let authority: PrivateCA?
    if let pem = trust.authorities { authority = try PrivateCA(pem: pem) } else { authority = nil }
    let trial = trial.take() ?? SandboxCheck.begin()
    try await SandboxCheck.finish(trial)
    try WebKitLibrary.load()
    guard !Task.isCancelled else { throw .signInCanceled }
    let window = SignInWindow(
      request: request, start: start, authority: authority, otherWays: otherWays,
      cookieDirectory: request.prefersEphemeralSession ? nil : cookieDirectory, remark: remark,
      isSignOut: isSignOut, copySecret: copySecret, parent: parent)
    let result = await withTaskCancellationHandler {
      await window.run()
    } onCancel: {
      Task { @MainActor in window.cancel() }
    }
    return try result.get()
  }
}
