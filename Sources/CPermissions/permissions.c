// The table is part of the library, so that programs need no installed file. It is written in C
// because Swift can only embed it as source, which would take long to compile.
#include "CPermissions.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char table[] = {
#embed "permissions.gz"
};

const unsigned char *graph_permissions(size_t *size) {
  *size = sizeof table;
  return table;
}
