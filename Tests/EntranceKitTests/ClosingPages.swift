import AuthCore
import CurlHTTP
import TestSupport

/// Pages where the user signs in, or which the user closes.
struct ClosingPages {
  /// Whether the user closes them.
  let areClosed: LockedValue<Bool>
  /// The pages.
  let pages: ScriptedPages

  init(_ authority: ScriptedAuthority) {
    let areClosed = LockedValue(false)
    self.areClosed = areClosed
    pages = ScriptedPages { request throws(AuthenticationError) in
      let pages = areClosed.withLock { $0 } ? authority.closedPages : authority.pages
      return try await pages.authenticate(request)
    }
  }
}
