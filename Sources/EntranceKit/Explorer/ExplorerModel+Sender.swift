import Localization

extension ExplorerState {
  /// An account that the requests of the page can be sent for.
  public struct Sender: Sendable, Equatable, Identifiable {
    /// The account, in one of its tenants.
    public let id: AccountRow.ID
    /// The account and its organization.
    public let text: String
    /// Whether requests are sent for it.
    public let isChosen: Bool
  }
}

// The account that the requests of the page are sent for.
extension ExplorerModel {
  /// Chooses the account that the page sends requests for, until the window's account is another one;
  /// the window's account stays selected.
  ///
  /// What is in progress goes on for the account that it was sent for.
  public func setSender(_ id: AccountRow.ID) {
    guard senders.rows.contains(where: { $0.id == id }) else { return }
    senders.choose(id)
    draw()
  }

  /// The account that was chosen in place of the window's, as it is shown; nil for the window's, and
  /// while a recording answers.
  var chosenSender: AccountRow? {
    // What a refusal says of it is shown as it is.
    replay == nil ? senders.other.map { privacy.shown($0) } : nil
  }

  /// The account of the answer, if it is not the selected one.
  var otherSender: AccountRow? { row(of: answerSender).flatMap { $0.isSelected ? nil : $0 } }

  /// The account that something is sent for, as it is shown; nil when it is not there any more.
  func row(of sender: AccountRow.ID?) -> AccountRow? {
    window.status.accounts.rows.first { $0.id == sender }.map { privacy.shown($0) }
  }

  /// Whether more can be sent for an account that something was sent for, or for a recording.
  ///
  /// If the account is not there any more, that is said: what belongs to it is not for the window's
  /// account.
  func canSend(for sender: AccountRow.ID?) -> Bool {
    // The selected one may be in an organization that could not be stored.
    let known = [nil, window.status.accounts.selectedID]
    if known.contains(sender) || row(of: sender) != nil { return true }
    messages.notify(tr("This account is no longer signed in. To use it, sign in with it again."))
    return false
  }

  /// Notes whose the requests are, and whose they can be.
  func placeSender(_ next: inout ExplorerState) {
    let own = privacy.shown(ifAny: window.status.accounts.selectedRow?.logText)
    if senders.follow(), let own {
      messages.notify(tr("Requests are sent as {account} again.", ["account": own]))
    }
    if let replay {
      next.account = tr("the recording {file}", ["file": privacy.shown(replay.name)])
      return
    }
    let id = senders.id
    next.account = privacy.shown(ifAny: senders.row?.senderText)
    if let answer, answerSender != id { next.answerAccount = answer.account }
    next.permissionNote = permissionNote
    next.accountNote =
      senders.other == nil
      ? nil : own.map { tr("The account of this window is {account}.", ["account": $0]) }
    let rows = senders.rows
    guard rows.count > 1 else { return }
    next.senders = rows.map {
      ExplorerState.Sender(
        id: $0.id, text: privacy.shown($0.senderText), isChosen: $0.id == id)
    }
  }
}

extension AccountRow {
  /// The account and its organization, or the ID of one whose name is not known.
  fileprivate var senderText: String {
    guard organization == nil, let tenantID = id.tenantID else { return logText }
    return "\(logText) · \(tenantID)"
  }
}
