/// The pages of a sign-in.
///
/// Tests depend on the element IDs:
///
/// | page (ID of `main`) | elements |
/// |---|---|
/// | `pick-account` | `account-0`, `account-1`, …, `another`, `cancel` |
/// | `enter-username` | `username`, `next`, `cancel` |
/// | `enter-password` | `password`, `sign-in`, `back` |
/// | `create-account` | `display-name`, `username`, `create`, `cancel` |
/// | `consent` | `scopes`, `accept`, `decline` |
/// | `stay-signed-in` | `stay-yes`, `stay-no` |
/// | `enter-code` | `code`, `next` |
/// | `device-approved`, `device-declined` | |
/// | `error` | `error-code`, `correlation-id`, `timestamp` |
/// | `signed-out` | |
/// | `return` | `continue` |
///
/// `message` explains what was wrong with an answer; `demo-users` is the list of demo users. On
/// `enter-username`, `demo-user-0`, `demo-user-1`, … enter the user's name.
struct SignInPages {
  let signIn: SignIn
  /// The users listed below the card, with their password.
  let demoUsers: [User]

  /// The page of `step`.
  func page(_ step: SignIn.Step) -> Page? {
    switch step {
    case .pickAccount(let users): pickAccount(users)
    case .enterUsername: enterUsername()
    case .createAccount: createAccount()
    case .enterPassword(let user): enterPassword(user)
    case .consent(let user): consent(user)
    case .staySignedIn(let user): staySignedIn(user)
    case .finish, .refused, .denied: nil
    }
  }

  private func pickAccount(_ users: [User]) -> Page {
    let accounts = users.enumerated().map { index, user in
      form(
        """
        <input type="hidden" name="account" value="\(user.username)">
        <button class="account" id="account-\(String(index))" name="action" value="pick">
        <span class="badge" aria-hidden="true">\(String(user.givenName.prefix(1)))</span>
        <span><b>\(user.displayName)</b><span class="quiet">\(user.username)</span>
        <span class="quiet">Signed in</span></span></button>
        """)
    }
    return Page(
      name: "pick-account", title: "Pick an account",
      content: """
        <h1>Pick an account</h1>
        <p class="quiet">to continue to \(signIn.request.client.displayName)</p>
        <div class="accounts">\(accounts)\(
          form(
            """
            <button class="account" id="another" name="action" value="another">
            <span class="badge" aria-hidden="true">+</span><span>Use another account</span></button>
            """))</div>
        \(form(buttons(secondary: ("cancel", "Cancel"))))
        """,
      footer: demo())
  }

  private func enterUsername() -> Page {
    Page(
      name: "enter-username", title: "Sign in",
      content: """
        <h1>Sign in</h1>
        <p class="quiet">to continue to \(signIn.request.client.displayName)</p>
        \(form("""
          <label for="username">E-mail address</label>
          <input id="username" name="username" type="email" autocomplete="username" autofocus
            spellcheck="false" value="\(signIn.typedUsername)"\(invalid)>
          \(message)
          \(buttons(primary: ("next", "Next"), secondary: ("cancel", "Cancel")))
          """))
        """,
      footer: demo { index, user in
        form(
          """
          <input type="hidden" name="username" value="\(user.username)">
          <button class="link" id="demo-user-\(String(index))" name="action" value="next">
          <code>\(user.username)</code></button>
          """)
      })
  }

  private func enterPassword(_ user: User) -> Page {
    Page(
      name: "enter-password", title: "Enter password",
      content: """
        <p class="identity" id="identity">\(user.username)</p>
        <h1>Enter password</h1>
        \(form("""
          <label for="password">Password</label>
          <input id="password" name="password" type="password" autocomplete="current-password"
            autofocus\(invalid)>
          \(message)
          \(buttons(primary: ("sign-in", "Sign in"), secondary: ("back", "Back")))
          """))
        """,
      footer: demo())
  }

  private func createAccount() -> Page {
    Page(
      name: "create-account", title: "Create account",
      content: """
        <h1>Create account</h1>
        <p class="quiet">It lives as long as the emulator runs, and has the demo password.</p>
        \(form("""
          <label for="display-name">Name</label>
          <input id="display-name" name="display-name" autocomplete="name" autofocus>
          <label for="username">E-mail address, ending with “.example”</label>
          <input id="username" name="username" type="email" autocomplete="username"
            spellcheck="false" value="\(signIn.typedUsername)"\(invalid)>
          \(message)
          \(buttons(primary: ("create", "Create"), secondary: ("cancel", "Cancel")))
          """))
        """,
      footer: demo())
  }

  private func consent(_ user: User) -> Page {
    // The consent to sign in is not listed unless it is the only one.
    let asked = signIn.request.scopes.scopes
    let scopes = asked.filter { $0.name != "openid" || asked.count == 1 }
      .map { "<li>\($0.meaning)</li>" as HTML }
    return Page(
      name: "consent", title: "Permissions requested",
      content: """
        <p class="identity" id="identity">\(user.username)</p>
        <h1>Permissions requested</h1>
        <p><b>\(signIn.request.client.displayName)</b> would like to:</p>
        <ul id="scopes">\(scopes)</ul>
        <p class="quiet">Accept only if you trust this application.</p>
        \(form(buttons(primary: ("accept", "Accept"), secondary: ("decline", "Cancel"))))
        """)
  }

  private func staySignedIn(_ user: User) -> Page {
    Page(
      name: "stay-signed-in", title: "Stay signed in?",
      content: """
        <p class="identity" id="identity">\(user.username)</p>
        <h1>Stay signed in?</h1>
        <p>Then you are asked to sign in less often on this device.</p>
        \(form(buttons(primary: ("stay-yes", "Yes"), secondary: ("stay-no", "No"))))
        """)
  }

  // MARK: Parts

  /// A form that submits its answer to this sign-in.
  private func form(_ content: HTML) -> HTML {
    """
    <form method="post" action="\(signIn.request.authority.pages)/signin">
    <input type="hidden" name="ctx" value="\(signIn.id)">
    \(content)
    </form>
    """
  }

  /// The buttons of a form.
  ///
  /// Enter clicks the first one in the document, so the primary button comes first; it is displayed
  /// at the end of the row.
  private func buttons(primary: (String, String)? = nil, secondary: (String, String)) -> HTML {
    let first = primary.map { name, label in
      "<button class=\"primary\" id=\"\(name)\" name=\"action\" value=\"\(name)\">\(label)</button>"
        as HTML
    }
    return """
      <div class="buttons">\(first ?? "")
      <button id="\(secondary.0)" name="action" value="\(secondary.0)">\(secondary.1)</button></div>
      """
  }

  private var message: HTML {
    guard let message = signIn.message else { return "" }
    return "<p class=\"message\" id=\"message\" role=\"alert\">\(message)</p>"
  }

  /// Links a field to the message below it.
  private var invalid: HTML {
    signIn.message == nil ? "" : " aria-invalid=\"true\" aria-describedby=\"message\""
  }

  /// The list of demo users.
  ///
  /// - Parameter name: a user's name on the page; nil for plain text.
  private func demo(_ name: ((Int, User) -> HTML)? = nil) -> HTML {
    let users = demoUsers.enumerated().map { index, user in
      let shown = name?(index, user) ?? "<code>\(user.username)</code>"
      return "<li>\(shown) (\(user.kind.label))</li>" as HTML
    }
    return """
      <section class="demo" id="demo-users" aria-label="Demo users">
      <p>This is not Microsoft, but a demonstration on this computer. Demo users:</p>
      <ul>\(users)</ul>
      <p>Their password: <code>\(User.demoPassword)</code></p>
      </section>
      """
  }
}

extension User.Kind {
  /// The label on the pages.
  fileprivate var label: String {
    switch self {
    case .work: "work"
    case .personal: "personal"
    case .guest: "work; guest in Fabrikam"
    }
  }
}
