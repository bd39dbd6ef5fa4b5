import AuthCore
import Connections
import Localization

// What failed, and the ways on.
extension AccountState.Notice {
  static let failureID = "failure"
  static let networkID = "network"

  /// Something failed.
  ///
  /// - Parameters:
  ///   - reason: why, in words.
  ///   - details: the lines for support.
  ///   - connection: the app registration in use.
  ///   - otherWays: the ways to sign in that were not used.
  static func failure(
    _ kind: FailureKind, _ reason: String, details: [String], at connection: Connection,
    otherWays: [SignInWay]
  ) -> Self {
    let text = [reason, advice(for: kind, at: connection)].compactMap(\.self)
    return Self(
      id: failureID, style: .warning, title: title(of: kind), text: join(text),
      buttons: buttons(for: kind, at: connection, otherWays), details: details, canBeDismissed: true
    )
  }

  /// A service asks to wait for `seconds`.
  ///
  /// - Parameter canSendNow: whether a request before that time is sent.
  static func busy(_ service: String, seconds: Int, canSendNow: Bool) -> Self {
    Self(
      id: failureID, style: .warning, title: tr("Too Many Requests"),
      text: tr(
        "{service} asks to wait. The request is repeated in {time}.",
        ["service": service, "time": clock(seconds)]),
      buttons: (canSendNow ? [Button(label: tr("_Send Now"), action: .callAgain)] : [])
        + [Button(label: tr("_Cancel"), action: .dismiss)])
  }

  /// Minutes and seconds, such as `1:05`, after hours if there are any.
  private static func clock(_ seconds: Int) -> String {
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60)
    let parts = hours > 0 ? [hours, minutes, seconds % 60] : [minutes, seconds % 60]
    return parts.enumerated().map { $0 > 0 && $1 < 10 ? "0\($1)" : "\($1)" }
      .joined(separator: ":")
  }

  // MARK: - By kind

  private static func title(of kind: FailureKind) -> String {
    switch kind {
    case .noConnection: tr("No Connection")
    case .notSecure: tr("Connection Not Secure")
    case .adminApproval: tr("Your Organization Must Approve This App")
    case .noPages: tr("The Sign-In Page Is Not Available")
    case .device: tr("This Device Is Not Accepted")
    case .redirectURI: tr("The Redirect URI Is Not Registered")
    case .otherAccount: tr("This Account Cannot Sign In Here")
    case .connection: tr("The Connection Needs a Correction")
    case .other: tr("That Did Not Work")
    }
  }

  private static func advice(for kind: FailureKind, at connection: Connection) -> String? {
    switch kind {
    case .noConnection: tr("Check your connection, then try again.")
    case .notSecure:
      tr("Check the network and the date and time of this computer, then try again.")
    case .adminApproval:
      tr("Send the request to your administrator. When it is approved, sign in again.")
    case .device: tr("The browser may be able to prove which device this is.")
    case .redirectURI:
      tr(
        "Add {uri} to the app registration, under “Mobile and desktop applications”.",
        ["uri": "\(connection.application.redirectURI)"])
    // The reason says what to do.
    case .noPages, .otherAccount, .connection, .other: nil
    }
  }

  private static func buttons(
    for kind: FailureKind, at connection: Connection, _ otherWays: [SignInWay]
  ) -> [Button] {
    let tryAgain = Button(label: tr("Try _Again"), action: .callAgain)
    let useOther = Button(label: tr("_Use Another Account"), action: .useAnotherAccount)
    let edit = Button(label: tr("_Edit Connection…"), action: .editConnection)
    return switch kind {
    case .noConnection, .notSecure, .other: [tryAgain]
    case .adminApproval:
      [
        Button(
          label: tr("Copy _Request"), action: .copy(AdminRequest(connection).text)), useOther,
      ]
    case .noPages: [tryAgain] + otherWays.map(button)
    case .device: otherWays.filter { $0 == .browser }.map(button) + [useOther]
    case .redirectURI:
      [
        Button(
          label: tr("Copy Redirect _URI"),
          action: .copy("\(connection.application.redirectURI)")), edit,
      ]
    case .otherAccount: [useOther, edit]
    case .connection: [edit, tryAgain]
    }
  }

  private static func button(for way: SignInWay) -> Button {
    switch way {
    case .embedded: Button(label: tr("Sign In _Here"), action: .useWindow)
    case .browser: Button(label: tr("Use _Browser"), action: .useBrowser)
    case .code: Button(label: tr("Use a _Code"), action: .useCode)
    }
  }
}
