extension Page {
  /// An error that only the user may see.
  static func error(_ error: EntraError, trace: RequestTrace) -> Page {
    Page(
      name: "error", title: "Sign in",
      content: """
        <h1>That did not work</h1>
        <p>The sign-in cannot go on. Go back to the application and try again there.</p>
        <p id="error-message">\(error.sentence)</p>
        <dl>
        <dt>Error code</dt><dd id="error-code">\(error.name)</dd>
        <dt>Correlation ID</dt><dd id="correlation-id">\(trace.correlationID)</dd>
        <dt>Timestamp</dt><dd id="timestamp">\(trace.timestamp)</dd>
        </dl>
        """)
  }

  /// The end of a sign-out without a redirect.
  static let signedOut = Page(
    name: "signed-out", title: "Signed out",
    content: """
      <h1>You signed out</h1>
      <p>This window can be closed now.</p>
      """)

  /// Asks for the code on the other device.
  static func enterCode(refused code: String? = nil) -> Page {
    let message: HTML =
      code == nil
      ? ""
      : """
      <p class="message" id="message" role="alert">That code didn't work. Check it and try again.</p>
      """
    let invalid: HTML = code == nil ? "" : " aria-invalid=\"true\" aria-describedby=\"message\""
    return Page(
      name: "enter-code", title: "Enter code",
      content: """
        <h1>Enter code</h1>
        <form method="post" action="/devicelogin">
        <label for="code">Code that your app or device shows</label>
        <input id="code" name="code" autocomplete="off" autofocus spellcheck="false"
          value="\(code ?? "")"\(invalid)>
        \(message)
        <p class="quiet">Do not enter a code that someone sent you.</p>
        <div class="buttons"><button class="primary" id="next">Next</button></div>
        </form>
        """)
  }

  /// The end of a sign-in for another device.
  static func deviceAnswered(isApproved: Bool) -> Page {
    Page(
      name: isApproved ? "device-approved" : "device-declined", title: "Sign in",
      content: """
        <h1>\(isApproved ? "You have signed in on your device" : "The sign-in was canceled")</h1>
        <p>You may close this page.</p>
        """)
  }

  /// Sends `fields` to the client with a form.
  ///
  /// Without scripts, the user clicks the button.
  static func returning(
    _ fields: Form, to action: String, method: String, restrictsFormAction: Bool = false
  )
    -> Page
  {
    let inputs = fields.fields.map { field in
      "<input type=\"hidden\" name=\"\(field.name)\" value=\"\(field.value)\">" as HTML
    }
    return Page(
      name: "return", title: "Working…",
      content: """
        <h1>Returning to the application</h1>
        <form id="response" method="\(method)" action="\(action)">\(inputs)
        <div class="buttons"><button class="primary" id="continue">Continue</button></div></form>
        """,
      script: "document.getElementById('response').submit()",
      restrictsFormAction: restrictsFormAction)
  }

  /// Navigates to `location` with a script.
  ///
  /// The URL is in a link, so that the script contains no text from outside.
  static func scripted(to location: String) -> Page {
    Page(
      name: "return", title: "Working…", content: link(to: location),
      script: "window.location.replace(document.getElementById('continue').href)")
  }

  /// Navigates to `location` with a `meta` element.
  static func metaRefresh(to location: String) -> Page {
    Page(
      name: "return", title: "Working…",
      content: """
        <meta http-equiv="refresh" content="0;url=\(location)">\(link(to: location))
        """)
  }

  /// Opens `source` in a frame, which redirects to `location`.
  static func framed(_ source: String, redirectingTo location: String) -> Page {
    Page(
      name: "return", title: "Working…",
      content: """
        <h1>Returning to the application</h1>
        <p>A frame of this page is redirected to the application. It must not get there.</p>
        <iframe id="frame" title="Redirect" src="\(source)"></iframe>
        """,
      frameScheme: location.split(separator: ":").first.map(String.init))
  }

  private static func link(to location: String) -> HTML {
    """
    <h1>Returning to the application</h1>
    <p><a id="continue" href="\(location)">Continue</a></p>
    """
  }
}
