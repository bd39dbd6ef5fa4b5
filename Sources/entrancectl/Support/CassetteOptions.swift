import ArgumentParser
import CurlHTTP
import Localization
import MicrosoftGraph
import Sentences

/// Whether a command records what it exchanges, or replays it.
struct CassetteOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      tr("Record the requests and responses in this new HAR file, without secrets and names."),
      valueName: tr("file")),
    completion: .file())
  var record: String?

  @Option(
    help: ArgumentHelp(
      tr("Take the responses from this recording: nothing is sent, and no one is signed in."),
      valueName: tr("file")),
    completion: .file())
  var replay: String?

  func validate() throws {
    try ValidationError.refuseEmpty(record, of: "--record")
    try ValidationError.refuseEmpty(replay, of: "--replay")
    if record != nil, replay != nil { throw ValidationError.together("--record", "--replay") }
  }
}
