import AuthCore
import Localization
import Sentences

// What is said before an app is removed that has accounts.
extension ConnectionList {
  /// What removing an app means for its accounts; none when they are not known.
  func warning(about accounts: [Account]) -> String {
    if accounts.isEmpty {
      return tr(
        "Accounts may be signed in with this app. If you keep them, you can sign them out only after you"
          + " add the app again.")
    }
    let names = hidesForms ? [] : accounts.map(\.shownName).sorted()
    if names.count == 1 {
      return tr(
        "{name} is signed in with this app. If you keep the account, you can sign it out only after you"
          + " add the app again.", ["name": names[0]])
    }
    if names.count == 2 {
      return tr(
        "{first} and {second} are signed in with this app. If you keep them, you can sign them out only"
          + " after you add the app again.", ["first": names[0], "second": names[1]])
    }
    return tr(
      .plural(
        "{count} account is signed in with this app. If you keep it, you can sign it out only after"
          + " you add the app again.",
        "{count} accounts are signed in with this app. If you keep them, you can sign them out only"
          + " after you add the app again.", count: accounts.count))
  }
}

extension Account {
  /// The name of the person, or else the user name; some services send an empty name.
  fileprivate var shownName: String {
    let name = name ?? ""
    return (name.allSatisfy(\.isWhitespace) ? username : name).shownName
  }
}
