import Connections
import Localization

/// Whether the computer's network can be used.
///
/// An enum, because these are all that the desktop tells apart.
public enum NetworkStatus: Sendable, Equatable {
  /// There is a network.
  case available
  /// There is none.
  case absent
  /// The network asks the user to sign in on its own page.
  case needsSignIn

  /// A page that is not encrypted, so that such a network can show its own page instead: the one
  /// that GNOME uses.
  public static let signInPage = "http://nmcheck.gnome.org/"

  /// The notice of it; nil when there is nothing to tell.
  var notice: Notice? {
    switch self {
    case .available: nil
    case .absent:
      Notice(
        id: Notice.networkID, style: .information,
        text: tr("You are offline. Signing in and calling an API require a connection."))
    case .needsSignIn:
      Notice(
        id: Notice.networkID, style: .information,
        text: tr("This network asks you to sign in to it first."),
        buttons: [
          Notice.Button(
            label: tr("Open Network Sign-In _Page"), action: .openNetworkPage)
        ])
    }
  }
}
