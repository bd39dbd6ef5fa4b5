import ArgumentParser
import AuthCore

struct Device: EntranceCommand {
  static let configuration = CommandConfiguration(
    abstract: "Tell what is known about this device.")

  @OptionGroup var common: CommonOptions

  func perform() async throws(CommandError) {
    let information = try Workspace(common).application.deviceInformation()
    let facts: [(label: String, name: String, value: String?)] = [
      ("Mode", "mode", information.mode.rawValue),
      ("Operating system", "operatingSystem", information.operatingSystem),
      ("ID", "operatingSystemID", information.operatingSystemID),
      ("Version", "operatingSystemVersion", information.operatingSystemVersion),
      ("Kernel", "kernelVersion", information.kernelVersion),
      ("Architecture", "architecture", information.architecture),
    ]
    output.print(
      facts.compactMap { fact in fact.value.map { "\(fact.label): \($0)\n" } }.joined(),
      facts.map { ($0.name, $0.value.map { .string($0) } ?? .null) })
  }
}
