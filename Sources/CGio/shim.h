// The one owner of the GLib and GIO headers for what must not link GTK: every other shim that stands
// on GLib alone includes this file first, so that clang imports this module instead of reading the
// headers a second time.
#pragma once
#include <gio/gio.h>
#include <sys/prctl.h>

// Variadic in C, and so invisible to Swift.
static inline int entrance_forbid_dumps(void) { return prctl(PR_SET_DUMPABLE, 0L, 0L, 0L, 0L); }
