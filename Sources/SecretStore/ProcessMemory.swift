import Glibc

/// The memory of this process, which holds tokens and keys.
public enum ProcessMemory {
  /// Keeps it out of core dumps, and that of all programs that are started afterwards.
  ///
  /// The process stays one that others of the same person may look at: a keyring that asks "may this program
  /// read its items?" and the desktop's portals have to see who is asking.
  public static func forbidDumps() {
    // One byte is too few for a file, and tells the kernel to start no program that takes dumps either;
    // with none it would start one.
    var limit = rlimit(rlim_cur: 1, rlim_max: 1)
    _ = setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit)
    // Where a limit of none was set before, and cannot be raised: a dump that holds no memory.
    let filter = open("/proc/self/coredump_filter", O_WRONLY | O_CLOEXEC)
    guard filter >= 0 else { return }
    defer { close(filter) }
    _ = write(filter, "0", 1)
  }
}
