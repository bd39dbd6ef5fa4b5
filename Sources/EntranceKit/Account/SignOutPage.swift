import AuthCore

/// A sign-out page, which goes with its window; the rest of the sign-out is done without it.
struct SignOutPage: WebAuthenticationSession {
  private let session: any WebAuthenticationSession
  private let status: WindowStatus

  /// Has `session` show the page, as long as the window of `status` is open.
  init(_ session: any WebAuthenticationSession, of status: WindowStatus) {
    (self.session, self.status) = (session, status)
  }

  func redirectURI(
    for registered: RedirectURI
  ) async throws(AuthenticationError) -> RedirectURI {
    try await session.redirectURI(for: registered)
  }

  @MainActor
  func authenticate(_ request: WebAuthenticationRequest) async throws(AuthenticationError)
    -> String
  {
    let showing = Task { [session] () async -> Result<String, AuthenticationError> in
      do throws(AuthenticationError) {
        return .success(try await session.authenticate(request))
      } catch {
        return .failure(error)
      }
    }
    // The end of the process need not wait for the page, which may stay open for long.
    if status.isClosed { showing.cancel() } else { status.keepProcess(false) }
    let observer = status.closing.add { [status] in
      // The rest of the sign-out is to be done.
      status.keepProcess(true)
      showing.cancel()
    }
    defer {
      status.keepProcess(true)
      withExtendedLifetime(observer) {}
    }
    return try await withTaskCancellationHandler {
      await showing.value
    } onCancel: {
      showing.cancel()
    }.get()
  }
}
