import AuthCore

/// The sites that a sign-in leads to.
///
/// A page that a sign-in page leads to can be that of an organization's identity provider. A page
/// that only such a site leads to can be, too, but nobody vouches for it.
nonisolated struct SiteTrail: Sendable {
  /// The site of the first page.
  let start: Origin
  /// The other sites that a sign-in page led to.
  private var known: Set<Origin> = []

  /// A sign-in that begins on `start`.
  init(start: Origin) {
    self.start = start
  }

  /// What is known about `origin`.
  func site(_ origin: Origin) -> SignInSite {
    SignInSite(host: origin.description, start: start.description)
  }

  /// The notice about a page of `origin`; nil when there is nothing to say.
  ///
  /// - Parameter previous: the origin of the page that led to it; nil for the first page.
  mutating func notice(at origin: Origin, from previous: Origin?) -> PageNotice? {
    guard site(origin) == .other, origin != previous, !known.contains(origin) else { return nil }
    if let previous, site(previous) == .other {
      return .stranger(origin, opener: previous)
    }
    known.insert(origin)
    return .otherSite(origin, start: start)
  }
}
