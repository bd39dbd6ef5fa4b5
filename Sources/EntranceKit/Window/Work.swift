import Localization

/// What a window does: one piece of work at a time, and a request at the same time.
public enum Work: Sendable, Equatable {
  /// Any, while the sign-in pages are open.
  case signingIn
  /// *Call Microsoft Graph API*, or a token for a request of the Explorer.
  case callingGraph
  /// *Call Microsoft Graph API*, while a large response is prepared for the log; another request
  /// can start meanwhile.
  case preparingResponse
  /// *Sign Out*.
  case signingOut
  /// *Get device info*.
  case gettingDeviceInformation
  /// *Clear All Data*.
  case clearingData
  /// *Move to Keyring*.
  case movingAccounts
  /// *Renew Tokens*.
  case renewingTokens
  /// *Create With an Account*.
  case creatingApp

  /// Whether it only reads, so that it is canceled for work that the user has confirmed.
  var isReading: Bool {
    switch self {
    case .callingGraph, .gettingDeviceInformation, .renewingTokens: true
    case .signingIn, .preparingResponse, .signingOut, .clearingData, .movingAccounts, .creatingApp:
      false
    }
  }

  /// Whether the user has confirmed it: then it is done, even if the window is closed meanwhile.
  var isConfirmed: Bool {
    switch self {
    case .signingOut, .clearingData, .movingAccounts: true
    case .signingIn, .callingGraph, .preparingResponse, .gettingDeviceInformation, .renewingTokens,
      .creatingApp:
      false
    }
  }

  /// What to do before other work can start.
  public var obstacle: String {
    self == .signingIn
      ? tr("Finish or cancel the other sign-in first.")
      : tr("Another operation is in progress. Wait until it ends, or cancel it.")
  }
}
