// Overwrites memory as it is freed: the copies of tokens that strings, JSON, HTTP and D-Bus leave behind.
//
// It stands in for two functions of the allocator in the whole process, libraries included, and goes on to
// theirs. It is in C because Swift keeps the names for itself. What allocates by itself, as WebKit does, is
// not covered.
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
  // The allocator would leave the old copy as it is when it moves it.
  void *moved = malloc(size);
  if (!moved) return NULL;
  memcpy(moved, memory, room);
  free(memory);
  return moved;
}
