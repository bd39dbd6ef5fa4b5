import EntranceKit
import Gio
import Gtk

extension BusObject.Call {
  /// The program behind the sender's name, as the bus vouches for its process; nil when it is unknown.
  func caller() async -> CallingProgram? {
    guard let number = try? await bus.process(of: sender), let process = Int32(exactly: number)
    else { return nil }
    return CallingProgram.caller(of: process)
  }
}
