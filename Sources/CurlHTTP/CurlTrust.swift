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
    guard let path = curl.version_info(CURLVERSION_ELEVENTH)?.pointee.capath,
      let folder = opendir(path)
    else { return false }
    defer { closedir(folder) }
    let hashedName = String(repeating: "[0-9a-f]", count: 8) + ".0"
    while let entry = readdir(folder) {
      let isHashed = withUnsafeBytes(of: &entry.pointee.d_name) { name in
        name.withMemoryRebound(to: CChar.self) { fnmatch(hashedName, $0.baseAddress, 0) == 0 }
      }
      if isHashed { return true }
    }
    return false
  }()
}
