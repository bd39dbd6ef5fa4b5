import Connections
import EntranceKit
import Gio
import Sentences

/// Asks the person, in the app's window, whether a program may have a token.
///
/// The app sees for itself which program is behind this process.
struct ProgramQuestion {
  private let request: ProgramRequest

  private static let application = EntranceIdentity.applicationID
  private static let interface = "\(application).Programs"
  private static let path = "/\(application.replacing(".", with: "/"))/Programs"
  /// More than the app waits.
  private static let limit = Duration.seconds(240)

  init(_ request: ProgramRequest) {
    self.request = request
  }

  /// Whether the person allows it; false also when the app is not running, or nobody answers.
  func isAllowed() async -> Bool {
    guard let address = DBusConnection.sessionAddress,
      let bus = try? await DBusConnection.connect(to: address),
      (try? await bus.hasOwner(of: Self.application)) == true
    else { return false }
    Output.say(
      Sentence(
        "Entrance asks you whether “{program}” may use {account}.",
        ["program": request.program.name, "account": request.username]))
    let method = DBusConnection.Method(
      "RequestAccess", of: Self.interface, at: Self.path, Self.application)
    do throws(GLibError) {
      _ = try await bus.call(
        method,
        [
          Variant(request.app), Variant(request.account), Variant(texts: request.scopes),
          Variant.noOptions,
        ], reply: "()", limit: Self.limit)
      return true
    } catch {
      return false
    }
  }
}
