import ArgumentParser
import AuthCore

struct Device: EntranceCommand {
  static let configuration = CommandConfiguration(
    abstract: "Tell what is known about this device.")

  @OptionGroup var common: CommonOptions

  func perform() async throws(CommandError) {
    let information = try Workspace(connection: common.connection).application.deviceInformation()
    output.print(
      "Mode: \(information.mode.rawValue)\n"
        + (information.operatingSystem.map { "Operating system: \($0)\n" } ?? ""),
      [
        ("mode", .string(information.mode.rawValue)),
        ("operatingSystem", information.operatingSystem.map { .string($0) } ?? .null),
      ])
  }
}
