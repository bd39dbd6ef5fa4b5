import AuthCore
import FoundationEssentials
import TestSupport
import Testing

@Suite("Device information")
struct DeviceInformationTests {
  func app(isShared: Bool = false) throws -> PublicClientApplication {
    var configuration = try TestApplication.configuration()
    configuration.isSharedDevice = isShared
    return PublicClientApplication(configuration: configuration)
  }

  @Test("The device is private unless the configuration says that it is shared")
  func mode() async throws {
    #expect(try await app().deviceInformation().mode == .private)
    #expect(try await app(isShared: true).deviceInformation().mode == .shared)
    #expect(DeviceInformation.Mode.shared.rawValue == "shared")
    #expect(DeviceInformation.Mode.private.rawValue == "private")
  }

  @Test("Operating system, kernel and architecture are this computer's")
  func system() async throws {
    let device = try await app().deviceInformation()
    let kernel = try String(contentsOfFile: "/proc/version", encoding: .utf8)
    #expect(kernel.split(separator: " ")[2] == device.kernelVersion ?? "")
    let release = try String(contentsOfFile: "/etc/os-release", encoding: .utf8)
    #expect(release.contains("ID=\(device.operatingSystemID ?? "?")\n"))
    #expect(release.contains("\"\(device.operatingSystem ?? "?")\""))
    #expect(["x86_64", "aarch64", "riscv64"].contains(device.architecture))
  }

  @Test("Nothing identifies this device")
  func isAnonymous() async throws {
    var printed = ""
    dump(try await app().deviceInformation(), to: &printed)
    for path in ["/etc/hostname", "/etc/machine-id"] {
      guard let name = try? String(contentsOfFile: path, encoding: .utf8) else { continue }
      let word = name.split(separator: "\n").first.map(String.init) ?? ""
      #expect(word.isEmpty || !printed.contains(word))
    }
  }

  /// The example of os-release(5), and other allowed forms.
  @Test("os-release is parsed like in a shell")
  func osRelease() {
    let release = OSRelease(
      """
      NAME=Fedora
      VERSION="32 (Workstation Edition)"
      ID=fedora
      VERSION_ID=32
      # PRETTY_NAME="A comment"
      PRETTY_NAME="Fedora 32 (Workstation Edition)"

      not a line
      BUG_REPORT_URL='https://example.com/?a=b\\c'
      VARIANT="a \\"quoted\\" \\$word with a \\\\"
      BUILD_ID=""
      """)
    #expect(release["NAME"] == "Fedora")
    #expect(release["VERSION"] == "32 (Workstation Edition)")
    #expect(release["PRETTY_NAME"] == "Fedora 32 (Workstation Edition)")
    #expect(release["BUG_REPORT_URL"] == "https://example.com/?a=b\\c")
    #expect(release["VARIANT"] == "a \"quoted\" $word with a \\")
    #expect(release["BUILD_ID"] == nil)
    #expect(release["VARIANT_ID"] == nil)
    #expect(OSRelease("")["NAME"] == nil)
    #expect(OSRelease("NAME=\"")["NAME"] == "\"")
  }
}
