import Sentences

/// A page that the loopback listener shows in the browser.
///
/// It holds nothing that came with the request, and loads nothing.
struct LoopbackPage: Sendable, Equatable {
  /// The HTTP status.
  var status: Int
  /// The heading.
  var title: Sentence
  /// What to do now.
  var text: Sentence

  /// The page at the end of the sign-in pages, by the `error` that the redirect carries.
  ///
  /// Whether tokens come of it is not known yet: that is the app's to say.
  static func end(error: String?) -> LoopbackPage {
    switch error {
    case nil:
      LoopbackPage(
        status: 200, title: Sentence("You can close this page"),
        text: Sentence("Return to the app."))
    case "access_denied", "consent_required":
      LoopbackPage(
        status: 200, title: Sentence("The sign-in was canceled"),
        text: Sentence("You can close this page and return to the app."))
    default:
      LoopbackPage(
        status: 200, title: Sentence("The sign-in did not succeed"),
        text: Sentence("The app shows the reason. You can close this page."))
    }
  }

  /// The page for an answer to another sign-in.
  static let stranger = LoopbackPage(
    status: 400, title: Sentence("This is not the response that the app is waiting for"),
    text: Sentence(
      "The response was ignored. If you were signing in, return to the app and start again."))

  /// The page for who opens the address of the first page a second time.
  static let startedBefore = LoopbackPage(
    status: 410, title: Sentence("This address was already opened"),
    text: Sentence(
      "An address works only once. To sign in or out, return to the app and start again."))

  /// The page for someone else's program.
  static let someoneElse = LoopbackPage(
    status: 403, title: Sentence("This address is for another user"),
    text: Sentence(
      "Only the user who runs the app can open it. Start the browser as that user."))

  /// The page for a request that is no answer at all.
  static func refusal(status: Int) -> LoopbackPage {
    LoopbackPage(
      status: status, title: Sentence("This page is not available"),
      text: Sentence("This address is used only to complete a sign-in."))
  }

  /// The response with the page.
  ///
  /// The script takes the query, and with it the code, out of the address and of the page's history entry.
  func response(in language: PageLanguage, result: String?) -> LoopbackResponse {
    let nonce = Base64URL.encode(Runtime().randomBytes(16))
    let title = Self.escaped(language.translate(title))
    let text = Self.escaped(language.translate(text))
    // With "auto", the browser derives the direction from the text.
    let html = """
      <!DOCTYPE html>
      <html lang="\(Self.escaped(language.tag))" dir="auto">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width">
      <meta name="color-scheme" content="light dark">
      <link rel="icon" href="data:,">
      <title>\(title)</title>
      <style nonce="\(nonce)">
      body { font: 1.1em/1.5 system-ui, sans-serif; max-width: 32em; margin: 20vh auto; padding: 0 1em }
      h1 { font-size: 1.5em; font-weight: 600 }
      </style>
      <script nonce="\(nonce)">history.replaceState(null, "", location.pathname)</script>
      </head>
      <body>
      <main><h1>\(title)</h1><p>\(text)</p></main>
      </body>
      </html>

      """
    var fields = [
      "Content-Type: text/html; charset=utf-8",
      "Content-Security-Policy: default-src 'none'; style-src 'nonce-\(nonce)';"
        + " script-src 'nonce-\(nonce)'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      "Referrer-Policy: no-referrer", "X-Content-Type-Options: nosniff",
    ]
    if status == 405 { fields.append("Allow: GET, POST") }
    return LoopbackResponse(status: status, fields: fields, body: html, result: result)
  }

  /// The text escaped for HTML, including attributes.
  private static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing("\"", with: "&quot;")
  }
}
