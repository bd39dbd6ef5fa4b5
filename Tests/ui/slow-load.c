/* Makes the load of WebKit last until a test says so, in a program that is started with this library in LD_PRELOAD.
 *
 * In the directory SLOW_LOAD, it creates `loading` when libsoup, one of WebKit's libraries, is being loaded, and
 * `waiting` when another thread asks GModule for something meanwhile, as GtkBuilder does for a class that was not
 * used before. It goes on when `go` exists, or after a minute, so that no program stays behind.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static atomic_bool is_loading;
static char directory[4096 - 16];

static void *(*open_module)(const char *, int);
static int (*find_symbol)(void *, const char *, void **);

/* Now, because the program removes the variable, and because `dlsym` waits for a library that is being loaded. */
__attribute__((constructor)) static void begin(void) {
  open_module = dlsym(RTLD_NEXT, "g_module_open");
  find_symbol = dlsym(RTLD_NEXT, "g_module_symbol");
  snprintf(directory, sizeof directory, "%s", getenv("SLOW_LOAD"));
}

static void path_of(const char *name, char path[4096]) {
  snprintf(path, 4096, "%s/%s", directory, name);
}

static void create(const char *name) {
  char path[4096];
  path_of(name, path);
  int file = open(path, O_CREAT | O_WRONLY, 0600);
  if (file >= 0) close(file);
}

char *bindtextdomain(const char *domain, const char *place) {
  if (strcmp(domain, "libsoup-3.0") == 0) {
    char go[4096];
    path_of("go", go);
    atomic_store(&is_loading, 1);
    create("loading");
    for (int tries = 0; access(go, F_OK) != 0 && tries < 6000; tries++) usleep(10000);
    atomic_store(&is_loading, 0);
  }
  char *(*next)(const char *, const char *) = dlsym(RTLD_NEXT, "bindtextdomain");
  return next(domain, place);
}

void *g_module_open(const char *file, int flags) {
  if (atomic_load(&is_loading)) create("waiting");
  return open_module(file, flags);
}

int g_module_symbol(void *module, const char *name, void **symbol) {
  if (atomic_load(&is_loading)) create("waiting");
  return find_symbol(module, name, symbol);
}
