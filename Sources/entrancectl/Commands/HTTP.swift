import ArgumentParser
import Localization
import Sentences

/// Requests that are kept in files.
struct HTTP: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "http", abstract: tr("Send a request of an .http file, or import requests."),
    discussion: tr(
      "To send a request, specify the file: 'entrancectl http requests.http'. Its options are those"
        + " of 'entrancectl http send'."),
    subcommands: [Send.self, Import.self], defaultSubcommand: Send.self)
}
