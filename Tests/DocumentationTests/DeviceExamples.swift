import AuthCore
import TestSupport
import Testing

@Suite("The examples of 'Sharing a device' and of device information")
struct DeviceExamples {
  @Test func shared() throws {
    var configuration = try PublicClientApplicationConfiguration(
      clientID: "11111111-2222-3333-4444-555555555555",
      redirectURI: RedirectURI("msauth.com.example.app://auth"))
    configuration.isSharedDevice = true

    #expect(configuration.isSharedDevice)
  }

  @Test func information() async throws {
    let app = try TestApplication.make(ScriptedAuthority())

    let device = await app.deviceInformation()
    if case .present(let version) = device.broker {
      print("Identity broker \(version), device ID \(device.deviceID ?? "not known")")
    }
    print("Secure boot: \(device.isSecureBootOn.map { $0 ? "on" : "off" } ?? "not known")")

    #expect(device.mode == .private)
  }
}
