// The table of the permissions of Microsoft Graph, as `meson-helpers/permissions.py` writes it.
#pragma once
#include <stddef.h>

/// The compressed table, and its size.
const unsigned char *graph_permissions(size_t *size);
