package import FoundationEssentials
import CCurl
import Glibc
public import Sentences

/// The certificate authorities that a connection trusts.
///
/// It is made once and shared by everything that connects. The authorities of a file replace the
/// system's; a client reads the file again after it was refused, or a certificate by it.
public struct Trust: Sendable, Equatable {
  /// The PEM text of the only trusted authorities; nil for the system's.
  package let authorities: Data?
  /// The path of the file; nil for the system's.
  package let path: String?
  /// Why the file's authorities cannot be used; every request fails with this reason.
  public let problem: Sentence?

  /// The authorities that the system trusts.
  public static let system = Trust(authorities: nil, path: nil, problem: nil)

  /// The authorities in the PEM file at `path`, and no others.
  ///
  /// The file is read now. ``problem`` says what is wrong with it.
  public static func file(_ path: String) -> Trust {
    func refused(_ reason: Sentence) -> Trust {
      Trust(
        authorities: Data(), path: path,
        problem: Sentence(
          "The CA file {path} cannot be used: {reason}.", ["path": path, "reason": reason]))
    }
    do throws(FileReader.Failure) {
      // All authorities of a system take about a quarter of the limit.
      let text = MarkedText.utf8(try FileReader(path).read(upTo: FileReader.Limit.small))
      let trust = Trust(authorities: Data(text), path: path, problem: nil)
      guard trust.hasCertificate else {
        return refused(Sentence("it contains no certificate"))
      }
      return trust
    } catch {
      return refused(error.reason)
    }
  }

  /// The same, with the file as it is now.
  package var current: Trust { path.map { .file($0) } ?? self }

  /// Whether the file has a certificate: Base64 of an ASN.1 sequence between its lines (RFC 7468,
  /// section 5).
  private var hasCertificate: Bool {
    let text = String(decoding: authorities ?? Data(), as: UTF8.self)
    guard let begin = text.firstRange(of: "-----BEGIN CERTIFICATE-----"),
      let end = text[begin.upperBound...].firstRange(of: "-----END CERTIFICATE-----")
    else { return false }
    let content = String(text[begin.upperBound..<end.lowerBound])
    return Data(base64Encoded: content, options: .ignoreUnknownCharacters)?.first == 0x30
  }

  /// The number of certificates in the file.
  package var certificateCount: Int {
    guard let authorities else { return 0 }
    return String(decoding: authorities, as: UTF8.self).split(whereSeparator: \.isNewline)
      .count { $0.hasPrefix("-----BEGIN CERTIFICATE-----") }
  }

  // MARK: - The system's authorities

  /// Whether OpenSSL can look authorities up in libcurl's folder: its files are named after subject
  /// hashes, like `4f316efb.0`.
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
