#pragma once
#include <stddef.h>

/// The bytes that this process has allocated and not freed.
///
/// It is written in C because Swift's module of glibc leaves the header of `mallinfo2` out.
size_t allocated_bytes(void);
