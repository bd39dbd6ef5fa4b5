import AuthCore
import Localization

/// What the user should know about a page, in a row above it.
nonisolated enum PageNotice: Equatable, Sendable {
  /// The sign-in page led to another site.
  case otherSite(Origin, start: Origin)
  /// A site that is not one of the sign-in's led to yet another site.
  case stranger(Origin, opener: Origin)
  /// The page cannot go on here.
  case obstacle(PageObstacle)

  /// Whether it is a warning.
  var isWarning: Bool {
    if case .stranger = self { true } else { false }
  }

  /// The text.
  ///
  /// - Parameter hasBrowser: whether the user can continue in the browser.
  @MainActor
  func text(hasBrowser: Bool) -> String {
    switch self {
    case .otherSite(let origin, let start):
      SignInSite.isMicrosofts(start.description)
        ? tr(
          "“{host}” is not a Microsoft site. This may be your organization’s sign-in page.",
          ["host": origin.displayName])
        : tr(
          "“{host}” is a different site from “{start}”. This may be your organization’s sign-in page.",
          ["host": origin.displayName, "start": start.displayName])
    case .stranger(let origin, let opener):
      tr(
        "“{host}” was opened by “{opener}”, not by the sign-in page. Continue only if you know"
          + " this site.",
        ["host": origin.displayName, "opener": opener.displayName])
    case .obstacle(.passkey):
      hasBrowser
        ? tr("Passkeys and security keys do not work in this window. Use your browser instead.")
        : tr("Passkeys and security keys do not work in this window. Sign in another way.")
    case .obstacle(.refusal):
      hasBrowser
        ? tr("Google does not accept sign-ins in this window. Use your browser instead.")
        : tr("Google does not accept sign-ins in this window. Use another account.")
    }
  }
}
