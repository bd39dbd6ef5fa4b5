import Connections
import Gtk
import Localization

/// The identity service that comes with the program, running for as long as this object lives.
@MainActor
final class Demo {
  /// Why the service did not start.
  struct Failure: Error, CustomStringConvertible {
    /// A sentence for the person.
    var description: String
  }

  /// How long the service may take to get ready.
  private static let patience = Duration.seconds(20)

  /// The connection to the service.
  let connection: Connection
  private let process: Subprocess

  private init(connection: Connection, process: Subprocess) {
    self.connection = connection
    self.process = process
  }

  /// Starts the service and waits until it can be called.
  static func start() async throws(Failure) -> Demo {
    let program = "\(DataDirectories.executableDirectory)/identity-emulator"
    do throws(GLibError) {
      let process = try Subprocess([program, "--until-stdin-closes"])
      // Its output ends with it, and so does the wait for a line.
      let limit = Task {
        try await Task.sleep(for: patience)
        process.kill()
      }
      defer { limit.cancel() }
      if let line = try await process.readLine(), let connection = DemoConnection.parse(line) {
        return Demo(connection: connection, process: process)
      }
    } catch {
      throw Failure(description: error.message)
    }
    throw Failure(description: tr("The identity service stopped before it was ready."))
  }
}
