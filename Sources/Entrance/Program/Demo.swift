import Gio
import Connections
import Glibc
import Gtk
import Localization

/// The bundled identity emulator, which runs as long as this object exists.
@MainActor
final class Demo {
  /// Why the emulator did not start.
  struct Failure: Error, CustomStringConvertible {
    /// A sentence for the user.
    var description: String
  }

  /// The time limit for the emulator to start.
  private static let timeout = Duration.seconds(20)

  /// The connection to the emulator.
  let connection: Connection
  private let process: Subprocess

  private init(connection: Connection, process: Subprocess) {
    self.connection = connection
    self.process = process
  }

  /// Starts the emulator and waits until it accepts connections.
  static func start() async throws(Failure) -> Demo {
    let program = "\(DataDirectories.executableDirectory)/identity-emulator"
    // It can be a package of its own.
    guard access(program, X_OK) == 0 else {
      throw Failure(
        description: tr("Install the program {name}, then try again.", ["name": program]))
    }
    do throws(GLibError) {
      let process = try Subprocess([program, "--until-stdin-closes"])
      // Killing it closes its output, which ends the wait for a line.
      let limit = Task {
        try await Task.sleep(for: timeout)
        process.kill()
      }
      defer { limit.cancel() }
      if let line = try await process.readLine(), let connection = DemoConnection.parse(line) {
        return Demo(connection: connection, process: process)
      }
    } catch {
      throw Failure(description: error.message)
    }
    throw Failure(
      description: tr("The emulator of Microsoft’s services stopped before it was ready."))
  }
}
