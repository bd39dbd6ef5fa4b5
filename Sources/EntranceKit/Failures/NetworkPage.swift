import FoundationEssentials
import Localization

/// A web page in place of an API's answer: many networks show their sign-in page so, with status 200.
enum NetworkPage {
  /// Whether a body is a web page.
  static func isPage(_ contentType: String, _ body: Data) -> Bool {
    if contentType.lowercased().hasPrefix("text/html") { return true }
    let start = String(decoding: body.prefix(512), as: UTF8.self).lowercased()
      .drop { $0.isWhitespace }
    return start.hasPrefix("<!doctype html") || start.hasPrefix("<html")
  }

  /// What it means when the answer of `service` should be JSON.
  static func sentence(about service: String) -> String {
    tr(
      "The response is not from {service}. If this network has a sign-in page, open it in a browser"
        + " first.", ["service": service])
  }
}

extension Notice {
  /// The notice of a web page in place of an answer of `service`.
  static func networkPage(inPlaceOf service: String) -> Self {
    Self(
      id: failureID, style: .warning, title: tr("No Connection"),
      text: NetworkPage.sentence(about: service),
      buttons: [
        Button(label: tr("Try _Again"), action: .tryAgain),
        Button(label: tr("Open Network Sign-In _Page"), action: .openNetworkPage),
      ],
      canBeDismissed: true)
  }
}
