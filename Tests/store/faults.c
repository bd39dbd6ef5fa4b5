/* Makes one in FAULT_RATE operations on regular files fail with EIO, like a failing disk; or kills the
   process instead of its change number KILL_AT; or writes to the file CALL_LOG what is removed, and what
   is made durable. Loaded with LD_PRELOAD. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <signal.h>
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

/* Counts the changes of files, and kills the process. */
static void change(void) {
  static long changes, last = -1;
  if (last < 0) {
    const char *text = getenv("KILL_AT");
    last = text ? atol(text) : 0;
  }
  if (last > 0 && __sync_add_and_fetch(&changes, 1) == last) kill(getpid(), SIGKILL);
}

static int is_file(int fd) {
  struct stat status;
  return fd >= 3 && fstat(fd, &status) == 0 && S_ISREG(status.st_mode);
}

/* Writes a line to the file CALL_LOG, if there is one. */
static void note(const char *call, const char *path) {
  const char *name = getenv("CALL_LOG");
  FILE *log = name ? fopen(name, "ae") : NULL;
  if (!log) return;
  fprintf(log, "%s %s\n", call, path);
  fclose(log);
}

#define NEXT(name) (next ? next : (next = dlsym(RTLD_NEXT, name)))

ssize_t write(int fd, const void *bytes, size_t count) {
  static ssize_t (*next)(int, const void *, size_t);
  if (is_file(fd)) change();
  return fails(fd) ? -1 : NEXT("write")(fd, bytes, count);
}

ssize_t read(int fd, void *bytes, size_t count) {
  static ssize_t (*next)(int, void *, size_t);
  return fails(fd) ? -1 : NEXT("read")(fd, bytes, count);
}

int fsync(int fd) {
  static int (*next)(int);
  char link[64], path[PATH_MAX];
  ssize_t length;
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  length = readlink(link, path, sizeof path - 1);
  path[length < 0 ? 0 : length] = 0;
  note("fsync", path);
  return fails(fd) ? -1 : NEXT("fsync")(fd);
}

int rename(const char *from, const char *to) {
  static int (*next)(const char *, const char *);
  unsigned int number;
  const char *text = getenv("FAULT_RATE");
  long rate = text ? atol(text) : 0;
  change();
  if (rate > 0 && getentropy(&number, sizeof number) == 0 && number % rate == 0) {
    errno = EIO;
    return -1;
  }
  return NEXT("rename")(from, to);
}

int unlink(const char *path) {
  static int (*next)(const char *);
  change();
  note("unlink", path);
  return NEXT("unlink")(path);
}
