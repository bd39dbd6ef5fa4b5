public import Connections

/// The user's preferences, with types; each takes effect when it is set.
@MainActor
public final class Preferences {
  /// The name of a preference in the settings.
  public enum Key: String, Sendable, CaseIterable {
    /// Which way to sign in is tried first.
    case signInWay = "sign-in-way"
    /// Whether sign-in pages recognize the user at the next sign-in.
    case keepsWebSession = "keep-web-session"
    /// How the log shows tokens.
    case tokenDisplay = "token-display"
    /// After how many seconds a copied secret is removed from the clipboard.
    case clipboardLimit = "clear-clipboard-after"
    /// Whether names, identifiers and photos are hidden.
    case hidesPersonalDetails = "hide-personal-details"
    /// Which lines of the sign-in library the log shows.
    case logLevel = "log-level"
    /// Whether these lines name people and accounts.
    case logsPersonalData = "log-personal-data"
    /// Light or dark.
    case style
    /// The size of the log's text, in percent.
    case logTextSize = "log-text-size"
    /// Whether the log breaks long lines.
    case wrapsLog = "wrap-log-lines"
    /// How far the last sign-out went.
    case signOutChoice = "sign-out-choice"
    /// Whether several people use this device.
    case isSharedDevice = "shared-device"
    /// Which programs get tokens.
    case programPolicy = "program-access"
    /// The name of the app that was used last.
    case lastApp = "app"
    /// The open files of requests.
    case requestFiles = "request-files"
    /// Whether the Explorer's history keeps the bodies of requests.
    case keepsBodies = "keep-request-bodies"
    /// How long the Explorer keeps requests.
    case requestRetention = "keep-requests-for"
  }

  /// The observers: they get the key of each preference that changes.
  public let changes = Observers<Key>()
  private let settings: any SettingsStore

  /// The allowed text sizes of the log, in percent.
  public static let logTextSizes = 50...300
  /// The allowed limits for the clipboard, in seconds; 0 means never.
  public static let clipboardLimits = 0...3600

  /// Creates preferences that are kept in `settings`.
  public init(_ settings: any SettingsStore) {
    self.settings = settings
    for key in Key.allCases {
      settings.whenChanged(key.rawValue) { [weak self] in self?.changes.notify(key) }
    }
  }

  /// Whether a preference cannot be set: an administrator has locked it.
  public func isLocked(_ key: Key) -> Bool { settings.isLocked(key.rawValue) }

  // MARK: Apps

  /// The name of the app that was used last, in whichever window; empty before the first one.
  public var lastApp: String {
    get {
      guard case .text(let name) = settings.value(of: Key.lastApp.rawValue, or: .text("")) else {
        return ""
      }
      return name
    }
    set { if newValue != lastApp { set(.lastApp, .text(newValue)) } }
  }

  /// The app that was used last, or else the first one; nil when there is none.
  public func lastUsed(of apps: [Connection]) -> Connection? {
    apps.first { $0.name == lastApp } ?? apps.first
  }

  // MARK: Sign-in

  /// Which way to sign in is tried first.
  public var signInWay: PreferredSignInWay {
    get { choice(.signInWay, or: .automatic) }
    set { set(.signInWay, .text(newValue.rawValue)) }
  }

  /// Whether sign-in pages keep their session between sign-ins; never on a shared device.
  public var keepsWebSession: Bool {
    get { !isSharedDevice && flag(.keepsWebSession, or: false) }
    set { set(.keepsWebSession, .flag(newValue)) }
  }

  /// Whether several people use this device, one after the other.
  public var isSharedDevice: Bool { flag(.isSharedDevice, or: false) }

  /// How far the last sign-out went.
  public var signOutChoice: SignOutChoice {
    get { choice(.signOutChoice, or: .thisApp) }
    set { set(.signOutChoice, .text(newValue.rawValue)) }
  }

  // MARK: Privacy

  /// How the log shows tokens.
  public var tokenDisplay: TokenDisplay {
    get { choice(.tokenDisplay, or: .shortened) }
    set { set(.tokenDisplay, .text(newValue.rawValue)) }
  }

  /// After how many seconds a copied secret is removed from the clipboard; 0 means never.
  public var clipboardLimit: Int {
    get { number(.clipboardLimit, or: 60, in: Self.clipboardLimits) }
    set { set(.clipboardLimit, .number(newValue)) }
  }

  /// Which programs get tokens.
  public var programPolicy: ProgramPolicy {
    get { choice(.programPolicy, or: .allow) }
    set { set(.programPolicy, .text(newValue.rawValue)) }
  }

  /// Whether names, identifiers and photos are hidden, such as while the screen is shared.
  public var hidesPersonalDetails: Bool {
    get { flag(.hidesPersonalDetails, or: false) }
    set { set(.hidesPersonalDetails, .flag(newValue)) }
  }

  /// A text outside of any app's windows as it is shown: without what looks like a personal detail
  /// while these are hidden.
  public func shown(_ text: String) -> String {
    hidesPersonalDetails ? PersonalDetails().hidden(in: text) : text
  }

  // MARK: Explorer

  /// The most files of requests that are open at once.
  public static let mostRequestFiles = 50

  /// The paths of the open files of requests, which are open again at the next start.
  public var requestFiles: [String] {
    get {
      guard case .texts(let paths) = settings.value(of: Key.requestFiles.rawValue, or: .texts([]))
      else { return [] }
      return Array(paths.prefix(Self.mostRequestFiles))
    }
    set { set(.requestFiles, .texts(newValue)) }
  }

  /// Whether the history keeps the bodies of requests, with all that they contain.
  public var keepsBodies: Bool {
    get { flag(.keepsBodies, or: false) }
    set { set(.keepsBodies, .flag(newValue)) }
  }

  /// How long requests are kept, and what is typed for the next one.
  public var requestRetention: RequestRetention {
    get { choice(.requestRetention, or: .forever) }
    set { set(.requestRetention, .text(newValue.rawValue)) }
  }

  /// What may be kept of requests.
  public var requestRule: RequestRule {
    RequestRule(retention: requestRetention, keepsBodies: keepsBodies)
  }

  // MARK: Log

  /// Which lines of the sign-in library the log shows.
  public var logLevel: LogLevel {
    get { choice(.logLevel, or: .nothing) }
    set { set(.logLevel, .text(newValue.rawValue)) }
  }

  /// Whether these lines name people and accounts.
  public var logsPersonalData: Bool {
    get { flag(.logsPersonalData, or: false) }
    set { set(.logsPersonalData, .flag(newValue)) }
  }

  // MARK: Appearance

  /// Light or dark.
  public var style: Style {
    get { choice(.style, or: .system) }
    set { set(.style, .text(newValue.rawValue)) }
  }

  /// The size of the log's text, in percent.
  public var logTextSize: Int {
    get { number(.logTextSize, or: 100, in: Self.logTextSizes) }
    set { set(.logTextSize, .number(newValue)) }
  }

  /// A change of the log's text size by a shortcut.
  public enum Zoom: String, Sendable {
    case larger = "in"
    case smaller = "out"
    case normal
  }

  /// Changes the log's text size by 10 percent, or back to the normal size.
  public func zoomLog(_ zoom: Zoom) {
    guard !isLocked(.logTextSize) else { return }
    let size =
      switch zoom {
      case .larger: logTextSize + 10
      case .smaller: logTextSize - 10
      case .normal: 100
      }
    logTextSize = min(max(size, Self.logTextSizes.lowerBound), Self.logTextSizes.upperBound)
  }

  /// Whether the log breaks long lines.
  public var wrapsLog: Bool {
    get { flag(.wrapsLog, or: true) }
    set { set(.wrapsLog, .flag(newValue)) }
  }

  // MARK: Reading and writing

  private func choice<Choice: RawRepresentable<String>>(
    _ key: Key, or standard: Choice
  ) -> Choice {
    guard case .text(let text) = settings.value(of: key.rawValue, or: .text(standard.rawValue))
    else { return standard }
    return Choice(rawValue: text) ?? standard
  }

  private func flag(_ key: Key, or standard: Bool) -> Bool {
    guard case .flag(let flag) = settings.value(of: key.rawValue, or: .flag(standard)) else {
      return standard
    }
    return flag
  }

  private func number(_ key: Key, or standard: Int, in range: ClosedRange<Int>) -> Int {
    guard case .number(let number) = settings.value(of: key.rawValue, or: .number(standard))
    else { return standard }
    return min(max(number, range.lowerBound), range.upperBound)
  }

  private func set(_ key: Key, _ value: SettingValue) { settings.keep(value, for: key.rawValue) }
}
