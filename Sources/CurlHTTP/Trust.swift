package import FoundationEssentials
import CCurl
import Glibc
public import Sentences

/// The certificate authorities that a connection trusts.
///
/// It is made once and shared by everything that connects. The authorities of a file replace the
/// system's.
public struct Trust: Sendable, Equatable {
  /// The PEM text of the only trusted authorities; nil for the system's.
  package let authorities: Data?
  /// Why the file's authorities cannot be used; every request fails with this reason.
  public let problem: Sentence?

  /// The authorities that the system trusts.
  public static let system = Trust(authorities: nil, problem: nil)

  /// The authorities in the PEM file at `path`, and no others.
  ///
  /// The file is read once, now. ``problem`` says what is wrong with it.
  public static func file(_ path: String) -> Trust {
    do throws(Fault) {
      let text = try read(path)
      let trust = Trust(authorities: text, problem: nil)
      guard trust.certificateCount > 0 else {
        throw Fault(reason: Sentence("it contains no certificate"))
      }
      return trust
    } catch {
      return Trust(
        authorities: Data(),
        problem: Sentence(
          "The CA file {path} cannot be used: {reason}.", ["path": path, "reason": error.reason]))
    }
  }

  /// The number of certificates in the file.
  package var certificateCount: Int {
    guard let authorities else { return 0 }
    return String(decoding: authorities, as: UTF8.self).split(whereSeparator: \.isNewline)
      .count { $0.hasPrefix("-----BEGIN CERTIFICATE-----") }
  }

  // MARK: - Reading

  private struct Fault: Error {
    let reason: Sentence
  }

  /// All authorities of a system take about a quarter of it.
  private static let sizeLimit = 1 << 20

  private static func read(_ path: String) throws(Fault) -> Data {
    // Without O_NONBLOCK, opening a pipe without a writer would block forever.
    let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw Fault(reason: .systemError)
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw Fault(reason: Sentence("it is not a regular file"))
    }
    var content = Data()
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = Glibc.read(descriptor, &buffer, buffer.count)
      if count == 0 { return content }
      guard count > 0 else {
        if errno == EINTR { continue }
        throw Fault(reason: .systemError)
      }
      content.append(contentsOf: buffer[..<count])
      guard content.count <= sizeLimit else {
        throw Fault(reason: Sentence("it is larger than 1 MB"))
      }
    }
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
