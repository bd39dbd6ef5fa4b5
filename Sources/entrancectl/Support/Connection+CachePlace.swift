import AuthCore
import Connections
import Sentences

extension Connection {
  /// Where the connection's token cache is, in a sentence.
  var cachePlace: Sentence {
    switch cache?.known {
    case nil: Sentence("The token cache is Entrance’s own.")
    case .file(let path): Sentence("The token cache is the file {path}.", ["path": path])
    case .keyring(let item):
      // Several items may have one schema; none has another's file.
      Sentence(
        "The token cache is the item “{schema}” of the keyring, with the file {path}.",
        ["schema": item.schema, "path": item.signalFile])
    }
  }
}
