import Glibc

/// The memory of this process, which holds tokens and keys.
public enum ProcessMemory {
  /// Keeps it out of core dumps, also for all programs started afterwards.
  ///
  /// The process stays readable for other processes of the same user: keyrings that ask "may this
  /// program read its items?" and the desktop's portals need to identify the caller.
  public static func forbidDumps() {
    // One byte is too small for a core file, and keeps the kernel from starting a program that
    // collects dumps; with 0 it would start one.
    var limit = rlimit(rlim_cur: 1, rlim_max: 1)
    _ = setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit)
    // If the limit was set to 0 before and cannot be raised: exclude all memory from the dump.
    let filter = open("/proc/self/coredump_filter", O_WRONLY | O_CLOEXEC)
    guard filter >= 0 else { return }
    defer { close(filter) }
    _ = write(filter, "0", 1)
  }
}
