import AuthCore
import Localization

/// Whether personal details are hidden, and which are known: what the windows of a connection show
/// goes through it.
@MainActor
final class Privacy {
  /// The observers of what is hidden.
  let changes = Observers<Void>()

  private let preferences: Preferences
  /// All that was learned in this run: the log still names accounts that are gone.
  private(set) var known = PersonalDetails()
  private var observer: Observer?

  init(_ preferences: Preferences) {
    self.preferences = preferences
    observer = preferences.changes.add { [weak self] key in
      if key == .hidesPersonalDetails { self?.changes.notify(()) }
    }
  }

  /// Whether personal details are hidden.
  var isOn: Bool { preferences.hidesPersonalDetails }

  /// What hides them; nil while they are shown.
  var hiding: PersonalDetails? { isOn ? known : nil }

  /// Learns the names of an account.
  ///
  /// - Parameter ownName: the name that the user gave it.
  func learn(_ account: Account, ownName: String? = nil) {
    // In this order, which is that of the list of accounts: they are numbered by it.
    var isNew = known.learn(username: account.username, [account.name, ownName])
    for profile in account.tenantProfiles where profile.username != account.username {
      isNew = known.learn(username: profile.username) || isNew
    }
    if isNew, isOn { changes.notify(()) }
  }

  /// The text as it is shown.
  func shown(_ text: String) -> String { hiding?.hidden(in: text) ?? text }

  /// An address, or a method and an address, as it is shown.
  func shown(address: String) -> String { hiding?.hidden(inAddress: address) ?? address }

  /// The text as it is shown; nil for none.
  func shown(ifAny text: String?) -> String? { text.map { shown($0) } }
}

// MARK: - What is made of texts

extension Privacy {
  /// A row of an account as it is shown: without a photo while personal details are hidden.
  func shown(_ row: AccountRow) -> AccountRow {
    guard isOn else { return row }
    var row = row
    row.username = shown(row.username)
    // Not what is known of them: a name of two letters is no word to look for.
    row.displayName = row.displayName == nil ? nil : row.username
    row.ownName = row.ownName == nil ? nil : row.username
    row.organization = row.organization.map { _ in PersonalDetails.mark }
    row.picture = nil
    return row
  }

  /// A notice as it is shown; what its buttons do is the same.
  func shown(_ notice: Notice) -> Notice {
    guard isOn else { return notice }
    var notice = notice
    notice.title = shown(ifAny: notice.title)
    notice.text = shown(notice.text)
    notice.details = notice.details.map { shown($0) }
    return notice
  }
}
