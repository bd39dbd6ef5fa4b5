public import Connections

/// Where a window is, and where else it can go: its title, and what its switcher offers.
public struct WindowHeading: Sendable, Equatable {
  /// The connection's name; nil for the demo, which is not in the list of connections.
  public var connectionName: String?
  /// The connection in words.
  public var connection: String
  /// The accounts, each followed by the other tenants that it was used in.
  public var accounts: [AccountRow] = []
  /// Whether another account or connection can be chosen now.
  public var canSwitch = true

  /// Creates the heading of a window whose accounts are not known yet.
  public init(_ connection: Connection) {
    connectionName = connection.isDemo ? nil : connection.name
    self.connection = connection.summary
  }

  /// The window's title, for the task switcher: account and connection.
  public var title: String {
    [accounts.first(where: \.isSelected)?.wholeTitle, connection].compactMap(\.self)
      .joined(separator: " · ")
  }

  /// The accounts that the typed text describes; an account comes with its tenants.
  public func accounts(matching text: String) -> [AccountRow] {
    let terms = SearchText.terms(of: text)
    guard !terms.isEmpty else { return accounts }
    return accounts.filter {
      SearchText([$0.title, $0.details, $0.username, $0.displayName]).contains(terms)
    }
  }
}

extension [ConnectionList.Row] {
  /// The connections that the typed text describes.
  public func matching(_ text: String) -> Self {
    let terms = SearchText.terms(of: text)
    return terms.isEmpty ? self : filter { SearchText([$0.name, $0.details]).contains(terms) }
  }
}
