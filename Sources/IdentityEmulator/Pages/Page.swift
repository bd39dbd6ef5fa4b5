import HTTPTypes

/// An HTML page: a card in the center of the window.
struct Page: Sendable {
  /// The name of the page, which is the ID of its `main` element.
  let name: String
  let title: String
  let content: HTML
  /// The content below the card.
  var footer: HTML?
  /// A script for pages that submit themselves.
  ///
  /// Every page works without it.
  var script: HTML?
  /// The scheme that frames of the page may be redirected to; nil for a page without frames.
  var frameScheme: String?
  /// Whether forms of the page can only be submitted to the emulator.
  ///
  /// It is off for sign-in pages: `form-action` also applies to the redirects after a form, and the
  /// last of those leads to the client.
  var restrictsFormAction = false

  /// The page as a response.
  func response(status: HTTPResponse.Status = .ok) -> Response {
    let nonce = Random.token(bytes: 16)
    var policy =
      "default-src 'none'; style-src 'nonce-\(nonce)'; img-src 'self' data:; base-uri 'none'"
    policy += frameScheme.map { "; frame-src 'self' \($0):" } ?? ""
    policy += restrictsFormAction ? "; form-action 'self'" : ""
    policy += script == nil ? "" : "; script-src 'nonce-\(nonce)'"
    policy += "; frame-ancestors 'none'"
    var headers: HTTPFields = [
      .contentType: "text/html; charset=utf-8", .cacheControl: "no-store",
    ]
    headers[named: "Content-Security-Policy"] = policy
    headers[named: "Referrer-Policy"] = "no-referrer"
    headers[named: "X-Content-Type-Options"] = "nosniff"
    return Response(
      status: status, headers: headers,
      body: Array(document(nonce: nonce).text.utf8))
  }

  private func document(nonce: String) -> HTML {
    """
    <!DOCTYPE html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>\(title)</title>
    <style nonce="\(nonce)">\(Self.styleSheet)</style>
    </head>
    <body>
    <div class="column">
    <main id="\(name)" class="card">
    <p class="brand"><span class="mark" aria-hidden="true"></span>Identity Emulator</p>
    \(content)
    </main>
    \(footer ?? "")
    </div>
    \(script.map { "<script nonce=\"\(nonce)\">\($0)</script>" as HTML } ?? "")
    </body>
    </html>
    """
  }
}
