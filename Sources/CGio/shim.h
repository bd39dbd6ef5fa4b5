// The one owner of the GLib and GIO headers: every other shim that stands on GLib includes this file
// first, so that clang imports this module instead of reading the headers a second time. It does not
// link GTK.
#pragma once
#include <gio/gio.h>
