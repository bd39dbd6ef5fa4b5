// The only module with the GLib and GIO headers: every other shim that uses GLib includes this file
// first, so that clang imports this module instead of parsing the headers again. It does not link
// GTK.
#pragma once
#include <gio/gio.h>
