import Foundation
import IdentityEmulator
import Testing

@Suite("Errors of the emulator as Foundation describes them")
struct LocalizedErrorTests {
  @Test("They are sentences")
  func description() {
    let error: any Error = Emulator.StartError.cannotListen(port: 443, reason: "in use")
    #expect(error.localizedDescription == "The emulator cannot listen on port 443: in use.")
    let other: any Error = Emulator.StartError.isRunning
    #expect(other.localizedDescription == "The emulator is already running.")
  }
}
