import FoundationEssentials

/// A sign-in in progress: the request, and the answers so far.
///
/// It is a value type: ``step(session:users:isConsented:)`` determines the next step, and answers
/// only add information.
struct SignIn: Sendable {
  /// What the browser shows or does next.
  enum Step: Sendable {
    case pickAccount([User])
    case enterUsername
    case createAccount
    case enterPassword(User)
    case consent(User)
    case staySignedIn(User)
    case finish(User, Tenant)
    /// Rejected with an error page.
    case refused(EntraError)
    /// Rejected with an error for the client.
    case denied(EntraError)
  }

  let id = Random.token()
  let request: AuthorizationRequest
  /// The browser session in which it began, and must continue.
  let sessionID: String

  /// The chosen user.
  var username: String?
  /// The typed or hinted user name, to fill in the field again.
  var typedUsername = ""
  /// Whether the user wants an account that is not offered.
  var wantsAnotherAccount = false
  /// Whether the page for creating an account is done.
  var hasCreatedAccount = false
  /// Whether the password was entered in this sign-in.
  var hasGivenPassword = false
  var hasConsented = false
  var hasAnsweredStaySignedIn = false
  /// What was wrong with the last answer.
  var message: String?

  init(request: AuthorizationRequest, session: BrowserSession, users: [User]) {
    self.request = request
    sessionID = session.id
    if let hint = request.loginHint {
      username = users.named(by: hint)?.username
      typedUsername = username ?? hint
      // When the client wants the user to choose, an account that is already signed in is not used
      // without asking.
      if request.prompt == .selectAccount, let username, session.usernames.contains(username) {
        self.username = nil
      }
    } else if [nil, .consent, .silent].contains(request.prompt) {
      let candidates = Self.candidates(request, session: session, users: users)
      if candidates.count == 1 { username = candidates.first?.username }
    }
  }

  /// Users who are signed in and accepted by the authority.
  private static func candidates(
    _ request: AuthorizationRequest, session: BrowserSession, users: [User]
  ) -> [User] {
    session.usernames.compactMap { name in
      users.first { $0.username == name && request.authority.audience.tenant(for: $0) != nil }
    }
  }

  /// The next step.
  func step(session: BrowserSession, users: [User], isConsented: (User) -> Bool) -> Step {
    let candidates = Self.candidates(request, session: session, users: users)
    if request.prompt == .silent {
      return silentStep(session: session, candidates: candidates, isConsented: isConsented)
    }
    if request.prompt == .create, !hasCreatedAccount, username == nil { return .createAccount }
    guard let user = users.first(where: { $0.username == username }) else {
      return candidates.isEmpty || wantsAnotherAccount ? .enterUsername : .pickAccount(candidates)
    }
    let isSignedIn =
      session.usernames.contains(user.username) && request.prompt != .login
      && isRecent(user, session)
    guard hasGivenPassword || isSignedIn else { return .enterPassword(user) }
    guard let tenant = request.authority.audience.tenant(for: user) else {
      return .refused(
        .notInTenant(user, tenant: request.authority.name, client: request.client))
    }
    guard hasConsented || !asksForConsent || (request.prompt != .consent && isConsented(user))
    else { return .consent(user) }
    let asksToStay = request.authority.kind.asksToStaySignedIn
    guard !asksToStay || !hasGivenPassword || hasAnsweredStaySignedIn else {
      return .staySignedIn(user)
    }
    return .finish(user, tenant)
  }

  /// Whether `user` signed in as recently as the client wants.
  private func isRecent(_ user: User, _ session: BrowserSession) -> Bool {
    guard let maximumAge = request.maximumAge else { return true }
    let signedIn = session.signedIn[user.username] ?? .distantPast
    return Date().timeIntervalSince(signedIn) <= Double(maximumAge)
  }

  /// A user who enters a code is always asked: it may come from someone else.
  private var asksForConsent: Bool {
    request.authority.kind.asksForConsent || request.deviceCode != nil
  }

  /// The next step when no page may be shown.
  private func silentStep(
    session: BrowserSession, candidates: [User], isConsented: (User) -> Bool
  ) -> Step {
    if request.loginHint == nil, candidates.count > 1 { return .denied(.severalSignedIn) }
    guard let user = candidates.first(where: { $0.username == username }),
      let tenant = request.authority.audience.tenant(for: user)
    else { return .denied(.notSignedIn) }
    guard isRecent(user, session) else { return .denied(.signInTooOld) }
    guard !asksForConsent || isConsented(user) else {
      return .denied(.consentRequired(request.client))
    }
    return .finish(user, tenant)
  }
}
