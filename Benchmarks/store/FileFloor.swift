import Crypto
import FoundationEssentials
import Glibc

/// The time to read the files of a store with only the functions of the system and the libraries:
/// each file is read, decrypted by swift-crypto, and parsed by the standard library's JSON decoder.
///
/// It checks no owner, mode, digest, index or schema, and stores nothing.
struct FileFloor {
  private struct Envelope: Decodable {
    let payload: String
  }

  private struct Index: Decodable {
    let accounts: [String: [String: [String: String]]]
  }

  private struct Record: Decodable {
    let AccessToken: [String: Credential]
    let Account: [String: Profile]
    let IdToken: [String: Credential]
    let RefreshToken: [String: Credential]
  }

  private struct Credential: Decodable {
    let home_account_id: String
    let secret: String
    let target: String?
    let expires_on: String?
  }

  private struct Profile: Decodable {
    let home_account_id: String
    let username: String
  }

  private static let headerSize = 33

  private let directory: String
  private let key: SymmetricKey

  init(directory: String, key: Data) {
    self.directory = directory
    self.key = SymmetricKey(data: key)
  }

  /// The number of access tokens in all records.
  func readAll() throws -> Int {
    try Self.names(in: directory).filter { $0.hasPrefix("record.") }.reduce(0) {
      $0 + (try record($1).AccessToken.count)
    }
  }

  /// The number of access tokens of an account, which is found by the index.
  func readRecord(of account: String) throws -> Int {
    let index = try JSONDecoder().decode(
      Index.self, from: try payload("index.\(Self.encoded("index")).a"))
    let records = index.accounts.values.first?.values.first ?? [:]
    guard let id = records.first(where: { $0.value == account })?.key else { return 0 }
    return try record("record.\(Self.encoded(id)).a").AccessToken.count
  }

  private func record(_ name: String) throws -> Record {
    try JSONDecoder().decode(Record.self, from: try payload(name))
  }

  private func payload(_ name: String) throws -> Data {
    let data = Data(try Self.bytes(of: "\(directory)/\(name)"))
    let box = try ChaChaPoly.SealedBox(combined: data.dropFirst(Self.headerSize))
    let text = try ChaChaPoly.open(
      box, using: key, authenticating: data.prefix(Self.headerSize) + Data(name.utf8))
    var base64 = try JSONDecoder().decode(Envelope.self, from: text).payload.utf8.map {
      $0 == UInt8(ascii: "-") ? UInt8(ascii: "+") : $0 == UInt8(ascii: "_") ? UInt8(ascii: "/") : $0
    }
    while base64.count % 4 != 0 { base64.append(UInt8(ascii: "=")) }
    guard let payload = Data(base64Encoded: Data(base64)) else { throw StoreBenchmark.Unusable() }
    return payload
  }

  private static func encoded(_ id: String) -> String {
    String(Data(id.utf8).base64EncodedString().prefix { $0 != "=" })
  }

  static func bytes(of path: String) throws -> [UInt8] {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    defer { close(file) }
    var status = stat()
    guard file >= 0, fstat(file, &status) == 0 else { throw StoreBenchmark.Unusable() }
    let size = Int(status.st_size)
    return [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      count = max(0, Glibc.read(file, buffer.baseAddress, size))
    }
  }

  static func names(in path: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path)
  }
}
