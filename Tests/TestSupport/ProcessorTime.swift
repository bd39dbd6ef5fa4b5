import Glibc

/// The processor time of the calling thread in seconds: how long its work took, whatever else runs
/// on the computer.
public func processorTime() -> Int {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return time.tv_sec
}
