import AuthCore
import Connections
import Localization
import MicrosoftGraph

// Notices of failures, with buttons for what to do next.
extension Notice {
  static let failureID = "failure"
  static let networkID = "network"

  /// The notice of a failure; nil when the page needs none: there is nothing to do, or another
  /// notice tells about it.
  ///
  /// - Parameters:
  ///   - reason: the reason, for people.
  ///   - details: the lines for support.
  ///   - field: the field of the app's form to correct; nil for none.
  ///   - connection: the app registration in use.
  ///   - otherWays: the ways to sign in that have not failed.
  static func failure(
    _ kind: FailureKind, _ reason: String, details: [String], about field: String?,
    at connection: Connection, otherWays: [SignInWay]
  ) -> Self? {
    guard let title = title(of: kind) else { return nil }
    let text = [reason, advice(for: kind, at: connection, otherWays)].compactMap(\.self)
    let help = HelpRequest(reason, details: details, with: connection)
    return Self(
      id: failureID, style: .warning, title: title, text: join(text),
      buttons: buttons(for: kind, about: field, at: connection, otherWays, help),
      details: details, canBeDismissed: true)
  }

  /// The reasons of several failures, with the lines for support.
  static func reasons(_ failures: [AuthenticationError]) -> [String] {
    failures.flatMap { [tr($0.sentence)] + $0.details.map { tr($0) } }
  }

  /// The notice that a token belongs to another account than the selected one; its button signs in
  /// again.
  static func otherAccount(_ reason: String) -> Self {
    Self(
      id: failureID, style: .warning, title: tr("Another Account Signed In"),
      text: join([reason, tr("To use that account, choose “Switch Account or App”.")]),
      buttons: [Button(label: tr("Sign In _Again"), action: .tryAgain)], canBeDismissed: true)
  }

  // MARK: - By kind

  private static func title(of kind: FailureKind) -> String? {
    switch kind {
    case .settled, .openSignIn, .storage: nil
    case .signIn: tr("Sign In Again")
    case .refused: tr("The Request Was Refused")
    case .response: tr("Response Not Accepted")
    case .later: tr("Service Not Available")
    case .tooManyRequests: tr("Too Many Requests")
    case .broker: tr("The Identity Broker Failed")
    case .consent: tr("The Permissions Have Not Been Accepted")
    case .otherAccount: tr("This Account Cannot Sign In Here")
    case .noConnection: tr("No Connection")
    case .notReachable: tr("Server Not Reachable")
    case .noResponse: tr("No Response")
    case .notSecure: tr("Connection Not Secure")
    case .noPages: tr("Sign-In Page Not Available")
    case .noDeviceCode: tr("Codes Are Not Supported")
    case .approval: tr("Your Organization Must Approve This App")
    case .device: tr("This Device Is Not Accepted")
    case .administrator: tr("Ask Your Administrator")
    case .connection, .authority, .scope: tr("Check the App")
    case .redirectURI: tr("The Redirect URI Is Not Registered")
    case .registration: tr("Check the App Registration")
    case .developers: tr("The App Sent an Invalid Request")
    }
  }

  /// What to do about a failure, where its reason does not say it.
  static func advice(
    for kind: FailureKind, at connection: Connection, _ otherWays: [SignInWay] = []
  ) -> String? {
    switch kind {
    case .noConnection:
      connection.hasOwnService
        ? tr("Check your connection and the addresses in the app, then try again.")
        : tr("Check your connection, then try again.")
    case .notReachable, .noResponse:
      connection.hasOwnService
        ? tr("The service may not be running. Check the addresses in the app, or try again later.")
        : tr("Wait a few minutes, then try again.")
    case .notSecure where connection.application.caFile != nil:
      tr(
        "Correct the CA file of the app, or choose another one under “Advanced”. If it is the right"
          + " one, check the network and the date and time of this computer.")
    case .notSecure:
      connection.hasOwnService
        ? tr(
          "If the service has a certificate of its own, choose its CA file in the app,"
            + " under “Advanced”. Otherwise, check the network and the date and time of this computer."
        )
        : tr("Check the network and the date and time of this computer, then try again.")
    case .response:
      connection.application.caFile != nil
        ? tr("Check the network and the CA file of the app, or ask your administrator.")
        : tr("Check the network, or ask your administrator.")
    case .consent:
      tr("If you are not allowed to accept them, send the request to your administrator.")
    case .approval:
      tr("Send the request to your administrator. When it is approved, sign in again.")
    case .device:
      otherWays.contains(.browser)
        ? tr("The browser may be able to prove which device this is.") : nil
    case .redirectURI:
      tr(
        "Add {uri} to the app registration, under “Mobile and desktop applications”.",
        ["uri": "\(connection.application.redirectURI)"])
    case .scope: tr("Check “Permissions” in the app.")
    // The reason says what to do.
    case .settled, .signIn, .otherAccount, .openSignIn, .refused, .later, .tooManyRequests,
      .noPages, .noDeviceCode, .storage, .broker, .administrator, .connection, .authority,
      .registration, .developers:
      nil
    }
  }

  /// What leads to where the app is corrected, and *Try Again*, as far as the notice of `error` would
  /// offer them.
  static func actions(after error: GraphError, at connection: Connection) -> [AccountAction] {
    guard let kind = error.failureKind else { return [] }
    let edit = AccountAction.edit(at: error.field)
    let help = HelpRequest(tr(error.sentence), details: [], with: connection)
    let offered = buttons(for: kind, about: error.field, at: connection, [], help)
    return offered.map(\.action).filter { $0 == edit || $0 == .tryAgain }
  }

  /// - Parameter help: what to send to someone who can help.
  private static func buttons(
    for kind: FailureKind, about field: String?, at connection: Connection,
    _ otherWays: [SignInWay], _ help: HelpRequest
  ) -> [Button] {
    let tryAgain = Button(label: tr("Try _Again"), action: .tryAgain)
    let useOther = Button(label: tr("_Use Another Account"), action: .useAnotherAccount)
    let edit = Button(label: tr("_Edit App…"), action: .edit(at: field))
    let copyDetails = Button(label: tr("Co_py Details"), action: .copy(help.text))
    let copyRequest = Button(
      label: tr("Copy _Request"), action: .copy(HelpRequest(toApprove: connection).text))
    let copyURI = Button(
      label: tr("Copy Redirect _URI"), action: .copy("\(connection.application.redirectURI)"))
    return switch kind {
    case .settled, .openSignIn, .storage: []
    case .signIn, .refused, .response, .later, .tooManyRequests, .broker: [tryAgain]
    case .noConnection, .notReachable, .noResponse, .notSecure:
      connection.hasOwnService ? [tryAgain, edit] : [tryAgain]
    case .consent: [tryAgain, copyRequest]
    case .otherAccount: [useOther, copyDetails, edit]
    case .noPages: [tryAgain] + otherWays.map(button)
    case .noDeviceCode: otherWays.map(button)
    case .approval: [copyRequest, useOther]
    case .device: otherWays.filter { $0 == .browser }.map(button) + [useOther, copyDetails]
    case .administrator: [copyDetails, useOther]
    case .connection, .authority, .scope: [edit, tryAgain]
    case .redirectURI: [copyURI, edit]
    case .registration: [copyDetails, edit]
    case .developers: [copyDetails]
    }
  }

  private static func button(for way: SignInWay) -> Button {
    switch way {
    case .embedded: Button(label: tr("Sign In _Here"), action: .useWindow)
    case .browser: Button(label: tr("Use a _Browser"), action: .useBrowser)
    case .code: Button(label: tr("Use a _Code"), action: .useCode)
    }
  }
}

extension Connection {
  /// Whether someone typed the address of the sign-in service, and may have to correct it.
  fileprivate var hasOwnService: Bool { !application.authority.isTrustedByItself }
}
