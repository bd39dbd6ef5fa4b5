import Glibc

/// What the disk takes for a record alone, so that it is there whole after a loss of power.
///
/// A new file is written and synchronized, put in the place of the old one, and so is the directory. Then it is
/// read back.
struct DiskFloor {
  private let directory: String
  private let bytes: [UInt8]

  /// Takes the size from the records that are in `path`, and a directory of its own beside it.
  init(besideRecordsIn path: String) throws {
    directory = "\(path)-floor"
    mkdir(directory, 0o700)
    let sizes = try FileFloor.names(in: path).filter { $0.hasPrefix("record.") }.map {
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
      rename(new, old) == 0, fsync(folder) == 0, try FileFloor.bytes(of: old) == bytes
    else { throw StoreBenchmark.Unusable() }
  }
}
