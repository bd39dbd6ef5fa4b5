/// One sign-in under way: what was asked for, and how far the person has come.
///
/// It is a value: ``step(session:users:isConsented:)`` says what comes next from what is known,
/// and the pages' answers only add to what is known.
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
    /// Refused in a way the person is told about.
    case refused(EntraError)
    /// Refused in a way the client is told about.
    case denied(EntraError)
  }

  let id = Random.token()
  let request: AuthorizationRequest
  /// The browser session it began in; it goes on in no other.
  let sessionID: String

  /// The user chosen so far.
  var username: String?
  /// What was typed or hinted as user name, to fill the field in again.
  var typedUsername = ""
  /// Whether the person said that the account is none of those offered.
  var wantsAnotherAccount = false
  /// Whether the account page was left behind.
  var hasCreatedAccount = false
  /// Whether the password was given in this sign-in.
  var hasGivenPassword = false
  var hasConsented = false
  var hasAnsweredStaySignedIn = false
  /// What was wrong with the last answer.
  var message: String?

  init(request: AuthorizationRequest, session: BrowserSession, users: [User]) {
    self.request = request
    sessionID = session.id
    if let hint = request.loginHint {
      typedUsername = hint
      username = users.first { $0.username == hint.lowercased() }?.username
      // An account that is signed in already is not taken without asking where the client wants
      // the person to choose.
      if request.prompt == .selectAccount, let username, session.usernames.contains(username) {
        self.username = nil
      }
    } else if [nil, .consent, .silent].contains(request.prompt) {
      let candidates = Self.candidates(request, session: session, users: users)
      if candidates.count == 1 { username = candidates.first?.username }
    }
  }

  /// Users who are signed in and whom the authority lets in.
  private static func candidates(
    _ request: AuthorizationRequest, session: BrowserSession, users: [User]
  ) -> [User] {
    session.usernames.compactMap { name in
      users.first { $0.username == name && request.authority.audience.tenant(for: $0) != nil }
    }
  }

  /// What comes next.
  func step(session: BrowserSession, users: [User], isConsented: (User) -> Bool) -> Step {
    let candidates = Self.candidates(request, session: session, users: users)
    if request.prompt == .silent {
      return silentStep(session: session, candidates: candidates, isConsented: isConsented)
    }
    if request.prompt == .create, !hasCreatedAccount, username == nil { return .createAccount }
    guard let user = users.first(where: { $0.username == username }) else {
      return candidates.isEmpty || wantsAnotherAccount ? .enterUsername : .pickAccount(candidates)
    }
    let isSignedIn = session.usernames.contains(user.username) && request.prompt != .login
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

  /// Whoever enters a code is always asked: it may have come to them from someone else.
  private var asksForConsent: Bool {
    request.authority.kind.asksForConsent || request.deviceCode != nil
  }

  /// What comes next when nothing may be shown.
  private func silentStep(
    session: BrowserSession, candidates: [User], isConsented: (User) -> Bool
  ) -> Step {
    if request.loginHint == nil, candidates.count > 1 { return .denied(.severalSignedIn) }
    guard let user = candidates.first(where: { $0.username == username }),
      let tenant = request.authority.audience.tenant(for: user)
    else { return .denied(.notSignedIn) }
    guard !asksForConsent || isConsented(user) else {
      return .denied(.consentRequired(request.client))
    }
    return .finish(user, tenant)
  }
}
