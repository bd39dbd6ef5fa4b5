import AuthCore
import IdentityEmulator

/// The emulator's pages, at which someone signs in and consents to everything.
struct EmulatorPages: WebAuthenticationSession {
  let emulator: Emulator
  let username: String

  func authenticate(
    _ request: WebAuthenticationRequest
  ) async throws(AuthenticationError) -> String {
    do {
      return try await emulator.signIn(username, at: request.startURL)
    } catch {
      throw AuthenticationError(.webAuthenticationFailed, "\(error)")
    }
  }
}
