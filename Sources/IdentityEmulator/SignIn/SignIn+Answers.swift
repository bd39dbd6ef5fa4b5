extension SignIn {
  /// A change outside of the sign-in, caused by an answer.
  enum Effect: Sendable {
    case none
    /// An account was created.
    case created(User)
    /// The password was correct.
    case signedIn(User)
    case consented(User)
    /// Whether the cookie is persistent.
    case staysSignedIn(Bool)
    /// The user canceled.
    case cancelled(EntraError)
  }

  /// Handles the answer to the page of `step`; `action` contains the name of the clicked button.
  ///
  /// Answers that the page does not offer are ignored.
  mutating func answer(
    _ form: Form, to step: Step, users: [User], directory: Directory
  ) -> Effect {
    message = nil
    switch (step, form["action"]) {
    case (.consent, "decline"):
      return .cancelled(.consentDeclined)
    case (.pickAccount, "cancel"), (.enterUsername, "cancel"), (.createAccount, "cancel"):
      return .cancelled(request.authority.kind == .b2c ? .cancelledPolicy : .cancelled)
    case (.enterPassword, "back"):
      username = nil
      wantsAnotherAccount = false
    case (.pickAccount, "another"):
      wantsAnotherAccount = true
      typedUsername = ""
    case (.pickAccount(let offered), "pick"):
      username = offered.first { $0.username == form["account"] }?.username
    case (.enterUsername, "next"):
      choose(form["username"] ?? "", users: users)
    case (.createAccount, "create"):
      return create(form, users: users, directory: directory)
    case (.enterPassword(let user), "sign-in"):
      guard form["password"] == user.password else {
        message = "Your account or password is incorrect. Try again."
        break
      }
      hasGivenPassword = true
      return .signedIn(user)
    case (.consent(let user), "accept"):
      hasConsented = true
      return .consented(user)
    case (.staySignedIn, "stay-yes"), (.staySignedIn, "stay-no"):
      hasAnsweredStaySignedIn = true
      return .staysSignedIn(form["action"] == "stay-yes")
    default: break
    }
    return .none
  }

  private mutating func choose(_ name: String, users: [User]) {
    let name = name.lowercased().filter { !$0.isWhitespace }
    typedUsername = name
    guard !name.isEmpty else {
      message = "Enter your e-mail address."
      return
    }
    guard let user = users.first(where: { $0.username == name }) else {
      message = "There is no account with this address. The demo users are listed below."
      return
    }
    switch request.authority.audience {
    case .tenant(.federation) where request.authority.audience.tenant(for: user) == nil:
      message = "Incorrect user ID. Enter your name as in someone@contoso.example."
    case .organizations where user.kind == .personal:
      message = "You can't sign in here with a personal account. Use a work or school account."
    case .consumers where user.kind != .personal:
      message = "You can't sign in here with a work or school account. Use a personal account."
    default:
      username = user.username
    }
  }

  /// Creates an account: a work account if its address is in an organization's domain, else a
  /// personal one.
  private mutating func create(
    _ form: Form, users: [User], directory: Directory
  ) -> Effect {
    let name = (form["username"] ?? "").lowercased().filter { !$0.isWhitespace }
    let displayName = form["display-name"] ?? ""
    typedUsername = name
    let parts = name.split(separator: "@")
    guard parts.count == 2, parts[1].hasSuffix(".example"), !displayName.isEmpty else {
      message = "Enter a name, and an address that ends with “.example”."
      return .none
    }
    guard !users.contains(where: { $0.username == name }) else {
      message = "There is an account with this address already."
      return .none
    }
    let tenant =
      directory.tenants.first { $0.domain == parts[1] && !$0.hasLocalAccounts } ?? .personal
    let guid = Random.guid()
    let names = displayName.split(separator: " ", maxSplits: 1)
    let user = User(
      username: name, givenName: String(names.first ?? ""),
      surname: names.count > 1 ? String(names[1]) : "",
      kind: tenant == .personal ? .personal : .work, homeTenant: tenant,
      objectIDs: [tenant: tenant == .personal ? "00000000-0000-0000-" + guid.dropFirst(19) : guid])
    hasCreatedAccount = true
    username = name
    return .created(user)
  }
}
