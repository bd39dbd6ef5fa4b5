// The one owner of the GLib and GIO headers for what must not link GTK: every other shim that stands
// on GLib alone includes this file first, so that clang imports this module instead of reading the
// headers a second time.
#pragma once
#include <gio/gio.h>
