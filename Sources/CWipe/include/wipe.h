// Whoever links this has `free` and `realloc` overwrite what they let go of; there is nothing to call.
