import ArgumentParser
import AuthCore
import Connections
import Localization
import Sentences

extension App {
  struct Create: PlainCommand {
    static let configuration = CommandConfiguration(
      abstract: tr("Print the command that registers an app in Microsoft Entra ID."),
      discussion: paragraphs(
        Sentence(
          "The command is one line for Azure CLI, in which you have signed in with 'az login'. To"
            + " register an app and add it at once: 'entrancectl app create | sh | entrancectl app"
            + " add -'."),
        Sentence(
          "With --json, it is what to send to Microsoft Graph: the body of POST /applications, with"
            + " the permission Application.ReadWrite.All."),
        Sentence(
          "Either takes a work or school account that may register apps. A personal account alone"
            + " cannot.")))

    @OptionGroup var outputOptions: OutputOptions

    func perform() async throws(CommandError) {
      try output.print(
        [Line(Sentence(verbatim: AppRegistration.azureCLI))], AppRegistration.resource)
    }
  }
}
