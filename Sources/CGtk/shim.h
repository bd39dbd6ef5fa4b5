// The one owner of the GTK headers: every other GTK-based shim includes this file first, so that
// clang imports this module instead of reading the headers a second time.
#pragma once
#include <adwaita.h>
