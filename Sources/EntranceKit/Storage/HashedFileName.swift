import Crypto
import CurlHTTP

/// Names of files that do not tell what they are about.
public enum HashedFileName {
  /// A part of a file's name that stands for `texts`.
  public static func of(_ texts: String...) -> String {
    SHA256.hash(data: Array(texts.joined(separator: "\n").utf8)).prefix(16).hexadecimal
  }
}
