import CGio
import Glibc

/// The memory of this process, which holds tokens and keys.
public enum ProcessMemory {
  /// Keeps it out of core dumps, and away from other processes' debuggers.
  ///
  /// Programs that are started afterwards are not kept from either.
  public static func forbidDumps() {
    _ = entrance_forbid_dumps()
    // A core dump that goes to a program is written all the same; that one is kept by the line above.
    var limit = rlimit(rlim_cur: 0, rlim_max: 0)
    _ = setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit)
  }
}
