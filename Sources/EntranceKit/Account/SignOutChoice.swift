import Localization

/// How far a sign-out goes.
public enum SignOutChoice: String, Sendable, CaseIterable {
  /// The account is removed from this app.
  case thisApp = "app"
  /// The session of the sign-in page is ended, too.
  case signInPage = "sign-in-page"
  /// The account is removed from all apps that share it, too.
  case everywhere
}

/// The question before a sign-out: only choices that make a difference are offered.
public struct SignOutQuestion: Sendable, Equatable {
  /// A choice and what it does.
  public struct Option: Sendable, Equatable {
    /// The choice.
    public var choice: SignOutChoice
    /// Its title.
    public var title: String
    /// What it does, and what not.
    public var explanation: String
  }

  /// The heading.
  public var title: String
  /// Whose sign-out it is, in a line, and what will happen in any case; empty when all accounts are
  /// signed out and there is something to choose.
  public var text: String
  /// What can be chosen; empty when there is only one way.
  public var options: [Option]
  /// The choice to begin with.
  public var selected: SignOutChoice
}

extension SignOutQuestion {
  /// The question about an account, or all accounts.
  ///
  /// - Parameters:
  ///   - username: the account's user name; nil for all accounts.
  ///   - app: the app that is signed out of: its name in quotation marks, or Entrance for all apps.
  ///   - hasPage: whether the service has a sign-out page, and may have a session to end.
  ///   - remark: what is said of a session that stays in any case; nil for nothing.
  ///   - isShared: whether other apps have the account in the same store.
  ///   - others: the other apps that the account is signed out of, too, in the same way.
  ///   - isSharedDevice: whether several people use this device, so that there is no choice.
  ///   - last: the choice of the last sign-out.
  init(
    _ username: String?, of app: String, and others: [String] = [], hasPage: Bool, remark: String?,
    isShared: Bool, isSharedDevice: Bool, last: SignOutChoice
  ) {
    title = username == nil ? tr("Sign Out All Accounts?") : tr("Sign Out?")
    guard !isSharedDevice else {
      let both = tr(
        "All accounts are removed from this computer, and the sign-in page is signed out.")
      let all = hasPage ? both : tr("All accounts are removed from this computer.")
      text = join([all, remark].compactMap(\.self))
      (options, selected) = ([], .everywhere)
      return
    }
    let offered = SignOutChoice.allCases.filter { choice in
      switch choice {
      case .thisApp: true
      case .signInPage: hasPage
      case .everywhere: isShared
      }
    }
    guard offered.count > 1 else {
      let effect =
        username == nil
        ? tr(
          "All accounts are removed from {app}. Other apps and devices stay signed in.",
          ["app": app])
        : Self.text(removingFrom: app, and: others)
      text = Self.text(of: username, join([effect, remark].compactMap(\.self)))
      (options, selected) = ([], .thisApp)
      return
    }
    let effect = others.isEmpty ? nil : Self.text(removingFrom: app, sharedWith: others)
    let more = [effect, remark].compactMap(\.self)
    text = Self.text(of: username, more.isEmpty ? nil : join(more))
    options = offered.map {
      Option(
        $0, app: others.isEmpty ? app : nil, hasPage: hasPage, isForAll: username == nil)
    }
    selected = offered.contains(last) ? last : .thisApp
  }

  /// The account's name on a line of its own, because it may be long, above what happens to it.
  private static func text(of username: String?, _ effect: String?) -> String {
    [username, effect].compactMap(\.self).joined(separator: "\n")
  }

  private static func text(removingFrom app: String, and others: [String]) -> String {
    guard !others.isEmpty else {
      return tr(
        "The account is removed from {app}. Other apps and devices stay signed in.", ["app": app])
    }
    return join([
      text(removingFrom: app, sharedWith: others), tr("Other devices stay signed in."),
    ])
  }

  private static func text(removingFrom app: String, sharedWith others: [String]) -> String {
    tr(
      "The account is removed from {app}, and from the apps with the same client ID: {apps}.",
      ["app": app, "apps": others.joined(separator: ", ")])
  }
}

extension SignOutQuestion.Option {
  /// - Parameter app: the app; nil for several, which the question names.
  fileprivate init(_ choice: SignOutChoice, app: String?, hasPage: Bool, isForAll: Bool) {
    self.choice = choice
    switch choice {
    case .thisApp:
      title = app.map { tr("{app} only", ["app": $0]) } ?? tr("These apps only")
      explanation = tr("The sign-in page may still remember you.")
    case .signInPage:
      title =
        app.map { tr("{app} and its sign-in page", ["app": $0]) }
        ?? tr("These apps and their sign-in page")
      explanation = tr("The next sign-in asks for the password. Other apps stay signed in.")
    case .everywhere:
      title = tr("Everywhere on this computer")
      guard !isForAll else {
        explanation = tr(
          "All apps that share these accounts, and the sign-in page if it may remember you. Other"
            + " devices, and apps with accounts of their own, stay signed in until you sign out there."
        )
        return
      }
      explanation =
        hasPage
        ? tr(
          "All apps that share this account, and the sign-in page. Other devices, and apps with"
            + " accounts of their own, stay signed in until you sign out there.")
        : tr(
          "All apps that share this account. Other devices, and apps with accounts of their own,"
            + " stay signed in until you sign out there.")
    }
  }
}
