/// What a window does, one at a time.
public enum Work: Sendable, Equatable {
  /// Any, while the sign-in pages are open.
  case signingIn
  /// *Call Microsoft Graph API*: token and request.
  case callingGraph
  /// *Call Microsoft Graph API*, while a large response is prepared for the log; other work can
  /// start meanwhile.
  case preparingResponse
  /// *Sign Out*.
  case signingOut
  /// *Get device info*.
  case gettingDeviceInformation
  /// *Clear All Data*.
  case clearingData
  /// *Move to Keyring*.
  case movingAccounts
  /// *Renew Now*.
  case renewingTokens
}
