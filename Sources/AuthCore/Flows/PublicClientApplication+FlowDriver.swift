import CurlHTTP
import FoundationEssentials
import HTTPTypes
import Sentences

/// The driver of all flows.
extension PublicClientApplication {
  /// Runs a flow to its end: performs its actions, and reports their results to it.
  ///
  /// `any`, not `some`: the compiler would make a copy of this code for each flow, which takes a
  /// fifth of the time of AuthCore's release build.
  ///
  /// - Throws: the flow's error, with `correlationID`.
  func run(
    _ flow: any Flow, _ correlationID: String
  ) async throws(AuthenticationError) -> AuthenticationResult {
    var flow = flow
    var event = FlowEvent.started
    var authority: Authority?
    // From sending a token request until its answer is stored.
    var spending: UnfinishedWork?
    defer { withExtendedLifetime(spending) {} }
    do throws(AuthenticationError) {
      while true {
        let action = try flow.next(event, at: runtime.now())
        do throws(AuthenticationError) {
          switch action {
          case .describeAuthority(let described):
            authority = described
            event = .described(try await describe(described, flow.reason, correlationID))
          case .requestCookies(let request, let parameters):
            event = .cookies(await singleSignOnCookies(for: request, parameters, correlationID))
          case .showPages(let request, let session):
            log.info("Showing the sign-in pages", correlationID)
            event = .redirected(try await session.authenticate(request))
          case .requestCode(let request):
            event = .codeReplied(try await send(request, step: .authorization, flow.telemetry))
          case .showCode(let code, let show):
            try await Self.show(code, by: show)
            event = .codeShown
          case .wait(let pause, let tellNews):
            await tellNews?()
            try await wait(pause)
            event = .waited
          case .requestTokens(let request, let expectation):
            spending = UnfinishedWork()
            event = .granted(try await granted(request, expectation, flow.telemetry))
          case .askBroker(let question):
            event = .brokerReplied(try await askBroker(question, correlationID))
          case .lookAtStore(let account):
            await memory.readAgain(account)
            event = .storeRead(memory.known(account))
          case .forgetRefreshToken(let token, let account):
            await memory.forgetRefreshToken(token, of: account)
            event = .tokenForgotten
          case .keep(let grant, let scopes):
            return try await keep(grant, scopes: scopes, correlationID)
          case .useCached(let cached):
            return cached.result(correlationID, runtime)
          case .useStale(let cached, let key, let reason):
            log.warning("Token not renewed, using the cached one: \(reason)", correlationID)
            renewalPauses.start(key, at: runtime.now())
            return cached.result(correlationID, runtime)
          }
        } catch {
          spending = nil
          event = .failed(error.naming(correlationID))
        }
      }
    } catch {
      // The pages may have moved, where nobody but the person sees it: then the next try finds them.
      if let authority, error.step == .authorization { await authorities.doubt(authority) }
      var error = error.naming(correlationID)
      // The same words, whichever action the cancellation ended.
      if flow.reason == .signIn, error.code == .userCanceled, Task.isCancelled {
        error.sentence = Self.signInCanceled
      }
      throw error
    }
  }

  private static let signInCanceled = Sentence("The sign-in was canceled.")

  private func describe(
    _ authority: Authority, _ reason: TokenGrant.Reason, _ correlationID: String
  ) async throws(AuthenticationError) -> OpenIDConfiguration {
    let configuration = try await authorities.configuration(of: authority, correlationID)
    // The user's sign-in gives time to prefetch the keys; a renewal may not need them.
    if reason == .signIn { await signingKeys.prefetch(configuration.keysURL, correlationID) }
    return configuration
  }

  private static func show(
    _ code: DeviceCode, by show: @Sendable (DeviceCode) async throws -> Void
  ) async throws(AuthenticationError) {
    do {
      try await show(code)
    } catch let error as AuthenticationError where error.code == .userCanceled {
      throw error
    } catch let error where error is CancellationError || Task.isCancelled {
      // A canceled task can end the work with any error.
      throw .canceled(step: .authorization)
    } catch let error as AuthenticationError {
      throw error
    } catch {
      throw AuthenticationError(
        .webAuthenticationFailed,
        Sentence("The code could not be shown: {reason}", ["reason": "\(error)"]),
        step: .authorization)
    }
  }

  private func wait(_ pause: Duration) async throws(AuthenticationError) {
    do {
      // The task may have been canceled earlier, in the caller's code.
      try Task.checkCancellation()
      try await runtime.sleep(pause)
    } catch {
      throw AuthenticationError(.userCanceled, Self.signInCanceled, step: .token)
    }
  }
}
