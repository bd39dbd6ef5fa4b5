import AuthCore

extension AccountState.Notice {
  static let storageID = "storage"

  /// Says that nothing here is real.
  static var demo: Self {
    Self(
      id: "demo", style: .information,
      text: tr(
        "This is a demo. The accounts are made up, and nothing leaves this computer."))
  }

  /// Says whose device this is.
  static var sharedDevice: Self {
    Self(
      id: "shared-device", style: .information,
      text: tr(
        "This device is shared. Sign Out removes all accounts and ends the session of the sign-in page."
      ))
  }

  /// Says that accounts are not kept.
  static func storage(_ error: AuthenticationError) -> Self {
    Self(id: storageID, style: .warning, text: error.message)
  }
}
