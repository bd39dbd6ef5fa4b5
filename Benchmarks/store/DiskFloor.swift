import Glibc

/// The time of the disk alone for a record that outlasts a loss of power.
///
/// A new file is written and synchronized, and replaces the old one; then the directory is
/// synchronized.
struct DiskFloor {
  private let directory: String
  private let bytes: [UInt8]

  /// Takes the size from the records in `path`, and creates a directory beside it.
  init(besideRecordsIn path: String) throws {
    directory = "\(path)-floor"
    mkdir(directory, 0o700)
    let sizes = try FileFloor.names(in: path).filter { $0.hasPrefix("account.") }.map {
      var status = stat()
      return stat("\(path)/\($0)", &status) == 0 ? Int(status.st_size) : 0
    }
    bytes = [UInt8](repeating: 7, count: sizes.max() ?? 0)
  }

  func write() throws {
    let (new, old) = ("\(directory)/new", "\(directory)/old")
    let file = open(new, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    defer { close(file) }
    let folder = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    defer { close(folder) }
    guard Glibc.write(file, bytes, bytes.count) == bytes.count, fsync(file) == 0,
      rename(new, old) == 0, fsync(folder) == 0
    else { throw StoreBenchmark.Unusable() }
  }
}
