// The tables are part of the library, so that programs need no installed file. They are written in C
// because Swift can only embed them as source, which would take long to compile.
#include "CGraphTables.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char permissions[] = {
#embed "permissions.gz"
};

static const unsigned char schema[] = {
#embed "schema.gz"
};

const unsigned char *graph_permissions(size_t *size) {
  *size = sizeof permissions;
  return permissions;
}

const unsigned char *graph_schema(size_t *size) {
  *size = sizeof schema;
  return schema;
}
