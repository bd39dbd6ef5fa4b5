import Glibc
import IdentityEmulator

/// Runs the emulator until an event ends it.
@main
enum IdentityEmulatorCommand {
  static func main() async {
    do {
      var options = try Options(CommandLine.arguments.dropFirst())
      if options.showsHelp { return write(Options.help, to: STDOUT_FILENO) }
      if options.listsFaults { return write(Options.faults, to: STDOUT_FILENO) }
      options.configuration.log = { line in write("\(line)\n", to: STDERR_FILENO) }

      let end = EndOfRun(withStandardInput: options.endsWithStandardInput)
      let emulator = Emulator(configuration: options.configuration)
      let running = try await emulator.start()
      write(running.announcement(options.configuration) + "\n", to: STDOUT_FILENO)
      await end.wait()
      await emulator.stop()
    } catch let error as Options.UsageError {
      write("identity-emulator: \(error.message)\n\n\(Options.help)", to: STDERR_FILENO)
      exit(2)
    } catch Emulator.StartError.cannotListen(let port, let reason) {
      write("identity-emulator: cannot listen on port \(port): \(reason)\n", to: STDERR_FILENO)
      exit(1)
    } catch {
      write("identity-emulator: \(error)\n", to: STDERR_FILENO)
      exit(1)
    }
  }

  /// Writes without a buffer, so that a reader at the other end of a pipe gets the line at once.
  @Sendable private static func write(_ text: String, to descriptor: Int32) {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { return }
      bytes = bytes.dropFirst(count)
    }
  }
}
