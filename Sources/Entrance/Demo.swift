import EntranceKit
import FoundationEssentials
import Gtk

/// The identity service that comes with the program, running for as long as this object lives.
@MainActor
final class Demo {
  /// What the service says about itself in its first line.
  struct Description: Decodable {
    /// Where to sign in.
    var authority: String
    /// What *Call Microsoft Graph API* calls.
    var graph: String
    /// The certificate authority to trust.
    var caFile: String
    /// The client ID that is registered there.
    var clientID: String
    /// The redirect URI that is registered with it.
    var redirectURI: String
  }

  /// Why the service did not start.
  struct Failure: Error, CustomStringConvertible {
    /// A sentence for the person.
    var description: String
  }

  /// What the service says about itself.
  let description: Description
  private let process: Subprocess

  private init(_ description: Description, process: Subprocess) {
    self.description = description
    self.process = process
  }

  /// Starts the service and waits until it can be called.
  static func start() async throws(Failure) -> Demo {
    let program = "\(DataDirectories.executableDirectory)/identity-emulator"
    do {
      let process = try Subprocess([program, "--until-stdin-closes"])
      guard let line = try await process.readLine() else {
        throw Failure(description: tr("It ended before it was ready."))
      }
      let description = try JSONDecoder().decode(Description.self, from: Data(line.utf8))
      return Demo(description, process: process)
    } catch let error as GLibError {
      throw Failure(description: error.message)
    } catch let failure as Failure {
      throw failure
    } catch {
      throw Failure(description: tr("It did not say where it can be reached."))
    }
  }
}
