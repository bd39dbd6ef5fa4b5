import Crypto
import FoundationEssentials
import Glibc

/// The time to read the files of a store with only the functions of the system and the libraries:
/// each file is read, decrypted by swift-crypto, and parsed by the standard library's JSON decoder.
///
/// It checks no owner, mode or schema, and stores nothing.
struct FileFloor {
  private struct Head: Decodable {
    let account: String
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
    try files().reduce(0) { $0 + (try record(in: $1).AccessToken.count) }
  }

  /// The number of access tokens of an account, which is found by the first lines of all files.
  func readRecord(of account: String) throws -> Int {
    guard
      let file = try files().first(where: {
        try JSONDecoder().decode(Head.self, from: $0.prefix { $0 != Self.lineBreak }).account
          == account
      })
    else { return 0 }
    return try record(in: file).AccessToken.count
  }

  private static let lineBreak = UInt8(ascii: "\n")

  private func record(in file: Data) throws -> Record {
    try JSONDecoder().decode(Record.self, from: file.drop { $0 != Self.lineBreak })
  }

  /// The contents of all files of accounts.
  private func files() throws -> [Data] {
    try Self.names(in: directory).filter { $0.hasPrefix("account.") }.map { name in
      let data = Data(try Self.bytes(of: "\(directory)/\(name)"))
      let box = try ChaChaPoly.SealedBox(combined: data.dropFirst(Self.headerSize))
      return try ChaChaPoly.open(
        box, using: key, authenticating: data.prefix(Self.headerSize) + Data(name.utf8))
    }
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
