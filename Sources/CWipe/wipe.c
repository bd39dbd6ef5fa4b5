// Overwrites memory as it is freed, so that copies of tokens in strings, JSON, HTTP and D-Bus do
// not remain.
//
// It replaces two functions of the allocator in the whole process, including libraries, and then
// calls the originals. It is written in C because Swift reserves their names. Custom allocators,
// such as WebKit's, are not covered.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

void free(void *memory) {
  static void (*allocators)(void *);
  if (!memory) return;
  if (!allocators) allocators = (void (*)(void *))dlsym(RTLD_NEXT, "free");
  explicit_bzero(memory, malloc_usable_size(memory));
  allocators(memory);
}

void *realloc(void *memory, size_t size) {
  static void *(*allocators)(void *, size_t);
  if (!memory) return malloc(size);
  if (!allocators) allocators = (void *(*)(void *, size_t))dlsym(RTLD_NEXT, "realloc");
  size_t room = malloc_usable_size(memory);
  if (size <= room) {
    explicit_bzero((char *)memory + size, room - size);
    return allocators(memory, size);
  }
  // When the allocator moves the memory, it would not overwrite the old copy.
  void *moved = malloc(size);
  if (!moved) return NULL;
  memcpy(moved, memory, room);
  free(memory);
  return moved;
}
