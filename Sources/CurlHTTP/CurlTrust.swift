import CCurl
import Glibc

/// Whose signatures on certificates count.
enum CurlTrust: Sendable {
  /// The authorities that the system trusts.
  case system
  /// The authorities in one PEM file, and no others.
  case file(String)

  /// Whether libcurl's own folder of authorities is one that OpenSSL can look them up in: it holds
  /// files named after subject hashes, like `4f316efb.0`.
  static let hasSystemFolder: Bool = {
    guard let path = curl_version_info(CURLVERSION_ELEVENTH)?.pointee.capath,
      let folder = opendir(path)
    else { return false }
    defer { closedir(folder) }
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
      if name.count == 10, name.hasSuffix(".0"), name.prefix(8).allSatisfy(\.isLowercaseHexDigit) {
        return true
      }
    }
    return false
  }()
}

extension [UInt8] {
  fileprivate func hasSuffix(_ suffix: String) -> Bool {
    self.suffix(suffix.utf8.count).elementsEqual(suffix.utf8)
  }
}

extension UInt8 {
  fileprivate var isLowercaseHexDigit: Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self)
      || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(self)
  }
}
