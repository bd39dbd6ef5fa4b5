// Tables of Microsoft Graph.
#pragma once
#include <stddef.h>

/// The compressed table of the permissions, as `meson-helpers/permissions.py` writes it, and its size.
const unsigned char *graph_permissions(size_t *size);

/// The compressed table of the resources, as `meson-helpers/graph-schema.py` writes it, and its size.
const unsigned char *graph_schema(size_t *size);
