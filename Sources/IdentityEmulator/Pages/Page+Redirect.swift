// The pages that lead to the redirect URI.
extension Page {
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
