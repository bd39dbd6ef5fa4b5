import AuthCore
import CurlHTTP
import FoundationEssentials
import Glibc
import MicrosoftGraph

/// The profile photos of a connection's accounts, in files that only this user can read.
///
/// A file's name does not tell whose photo it is. Errors are ignored: a photo can be fetched again.
public actor PhotoCache {
  private let directory: String
  private var prefix: String

  /// Creates a cache in `directory` for the connection called `connection`.
  public init(directory: String, connection: String) {
    self.directory = directory
    prefix = HashedFileName.of(connection)
  }

  /// The photo of an account; nil when there is none.
  func picture(of account: AccountKey) -> ProfilePhoto? {
    guard let found = try? file(account).read() else { return nil }
    return ProfilePhoto(Data(found.bytes))
  }

  /// Keeps a photo.
  func store(_ picture: ProfilePhoto, of account: AccountKey) {
    let file = file(account)
    guard (try? file.makeDirectory()) != nil else { return }
    _ = try? file.write([UInt8](picture.data))
  }

  /// Removes the photo of an account.
  func remove(_ account: AccountKey) {
    try? FileManager.default.removeItem(atPath: file(account).path)
  }

  /// Removes all photos.
  public func removeAll() { keep(only: []) }

  /// Removes the photos of all accounts but these.
  func keep(only accounts: [AccountKey]) { remove(prefix, except: Set(accounts.map(name))) }

  /// Goes on under another name of the connection, with the photos of this one.
  func rename(to connection: String) {
    let (old, new) = (prefix, HashedFileName.of(connection))
    guard new != old else { return }
    // What is left of another connection that had the name is not this one's.
    remove(new)
    for name in names(old) {
      _ = Glibc.rename(
        "\(directory)/\(name)", "\(directory)/\(new)\(name.dropFirst(old.count))")
    }
    prefix = new
  }

  private func remove(_ prefix: String, except kept: Set<String> = []) {
    for name in names(prefix) where !kept.contains(name) { unlink("\(directory)/\(name)") }
  }

  private func names(_ prefix: String) -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
    return names.filter { $0.hasPrefix("\(prefix)-") }
  }

  private func name(_ account: AccountKey) -> String {
    "\(prefix)-\(HashedFileName.of(account.cloud, account.homeAccountID))"
  }

  private func file(_ account: AccountKey) -> PrivateFile {
    PrivateFile(
      path: "\(directory)/\(name(account))", limit: FileReader.Limit.small)
  }
}
