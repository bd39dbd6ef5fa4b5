// The pages for signing in on another device.
extension Page {
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
}
