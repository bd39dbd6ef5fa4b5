#include "CAllocations.h"

#include <malloc.h>

size_t allocated_bytes(void) {
  struct mallinfo2 memory = mallinfo2();
  return memory.uordblks + memory.hblkhd;
}
