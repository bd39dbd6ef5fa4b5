import ArgumentParser
import AuthCore
import Clients
import EntranceKit
import Localization
import Sentences

struct Device: ClientCommand {
  static let configuration = CommandConfiguration(
    commandName: "device",
    abstract: tr("Show what is known about this device."))

  @OptionGroup var common: CommonOptions

  func perform() async throws(CommandError) {
    let context = try CommandContext(common)
    let graph = try await GraphSession.api(of: context)
    let facts = await DeviceReport(context.application, graph, context.connection).facts
    try output.print(
      facts.map { Line(Sentence("{label}: {value}", ["label": $0.label, "value": $0.text])) },
      .object(facts.map { JSON.Member($0.name, $0.value) }))
  }
}
