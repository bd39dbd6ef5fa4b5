/* Makes one in FAULT_RATE operations on regular files fail with EIO, like a failing disk.
   Loaded with LD_PRELOAD. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static int fails(int fd) {
  static long rate = -1;
  struct stat status;
  unsigned int number;
  if (rate < 0) {
    const char *text = getenv("FAULT_RATE");
    rate = text ? atol(text) : 0;
  }
  if (rate <= 0 || fd < 3 || fstat(fd, &status) != 0) return 0;
  if (!S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode)) return 0;
  if (getentropy(&number, sizeof number) != 0 || number % rate != 0) return 0;
  errno = EIO;
  return 1;
}

#define NEXT(name) (next ? next : (next = dlsym(RTLD_NEXT, name)))

ssize_t write(int fd, const void *bytes, size_t count) {
  static ssize_t (*next)(int, const void *, size_t);
  return fails(fd) ? -1 : NEXT("write")(fd, bytes, count);
}

ssize_t read(int fd, void *bytes, size_t count) {
  static ssize_t (*next)(int, void *, size_t);
  return fails(fd) ? -1 : NEXT("read")(fd, bytes, count);
}

int fsync(int fd) {
  static int (*next)(int);
  return fails(fd) ? -1 : NEXT("fsync")(fd);
}

int rename(const char *from, const char *to) {
  static int (*next)(const char *, const char *);
  unsigned int number;
  const char *text = getenv("FAULT_RATE");
  long rate = text ? atol(text) : 0;
  if (rate > 0 && getentropy(&number, sizeof number) == 0 && number % rate == 0) {
    errno = EIO;
    return -1;
  }
  return NEXT("rename")(from, to);
}
