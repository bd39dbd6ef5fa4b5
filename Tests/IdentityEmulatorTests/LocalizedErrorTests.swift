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

  @Test("Their description is the same sentence")
  func text() async {
    #expect("\(Emulator.StartError.isRunning)" == "The emulator is already running.")
    let refused = await #expect(throws: Emulator.SignInRefused.self) {
      try await Emulator().enterDeviceCode("BCDFGHJKL", as: "adele@contoso.example")
    }
    #expect(refused.map { "\($0)" } == refused?.localizedDescription)
    var configuration = EmulatorConfiguration()
    let unread = #expect(throws: EmulatorConfiguration.FileError.self) {
      try configuration.add(contentsOf: "/nonexistent")
    }
    #expect(unread.map { "\($0)" } == "The file '/nonexistent' cannot be read.")
  }
}
