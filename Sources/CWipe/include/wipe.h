// Linking this makes `free` and `realloc` overwrite the memory that they release; there is nothing
// to call.
