import AuthCore
import Connections

extension Connection {
  /// Where the connection's token cache is, in a sentence.
  var cachePlace: String {
    switch cache?.known {
    case nil: "The token cache is Entrance's own."
    case .file(let path): "The token cache is the file \(path)."
    case .keyring(let item): "The token cache is the item '\(item.schema)' of the keyring."
    }
  }
}
