import AuthCore
public import Connections
import Localization

/// The permissions that a connection asks for, which can be changed in `apps.json`.
@MainActor
public final class PermissionsModel {
  /// What the list shows.
  public struct State: Sendable, Equatable {
    /// The permissions, in order.
    public var scopes: [String]
    /// Why the last change was not made; nil when it was.
    public var problem: String?
    /// Whether they can only be read.
    public var isLocked: Bool
    /// Whether one can be removed: at least one is needed.
    public var canRemove: Bool { !isLocked && scopes.count > 1 }
  }

  /// The current state.
  public private(set) var state: State {
    didSet { if state != oldValue { changes.notify(state) } }
  }
  /// The observers of the state.
  public let changes = Observers<State>()

  /// The app's name, as it is shown.
  public let app: String

  private let name: String
  private let list: ConnectionList

  /// Creates the model of `connection`, whose file is that of `list`.
  public init(_ connection: Connection, _ list: ConnectionList) {
    name = connection.name
    app = connection.name.plain
    self.list = list
    // The demo's connection is in no file.
    state = State(
      scopes: connection.scopes,
      isLocked: connection.isDemo || list.lockReason(of: connection.name) != nil)
  }

  /// Adds the permissions in `text`, with blanks, line breaks or commas between them.
  ///
  /// - Returns: whether they were added.
  @discardableResult
  public func add(_ text: String) -> Bool {
    let new = Connection.scopes(in: text)
    guard !new.isEmpty else { return false }
    return set(state.scopes + new.filter { !state.scopes.contains($0) })
  }

  /// Removes a permission.
  public func remove(_ scope: String) {
    guard state.canRemove else { return }
    set(state.scopes.filter { $0 != scope })
  }

  @discardableResult
  private func set(_ scopes: [String]) -> Bool {
    guard !state.isLocked else { return false }
    // The same problem is told again.
    state.problem = nil
    do throws(ConnectionFileError) {
      guard try list.setScopes(scopes, of: name) else {
        state.problem = ConnectionList.absence(of: name)
        return false
      }
      state = State(scopes: scopes, isLocked: false)
      return true
    } catch {
      state.problem = ConnectionEditor.Problem(error).text
      return false
    }
  }
}
