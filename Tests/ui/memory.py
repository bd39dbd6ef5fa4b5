"""Inspects the memory of a process from outside."""

import base64
import re
import struct
from array import array
from collections import Counter
from pathlib import Path

# glibc's arenas, except for the first, begin at multiples of 64 MiB (HEAP_MAX_SIZE).
ARENA = 64 << 20
PAGE = 4096
# The number of pages that are read at a time.
PIECE = 4096
MAPPING = re.compile(r"([0-9a-f]+)-([0-9a-f]+) (....) \S+ \S+ (\d+) *(.*)")


def forms(secret: str) -> list[bytes]:
    """The forms of a secret: as it is, and as part of base64 text.

    It is recognized by its end, because many JWTs have the same header.
    """
    text = secret.encode()
    if len(text) < 60:
        return [text]
    found = [text[-50:-6]]
    for offset in range(3):
        # Complete groups of three bytes are encoded independently.
        group = text[offset - 50:][:36]
        found += [base64.b64encode(group), base64.urlsafe_b64encode(group)]
    return list(dict.fromkeys(found))


def count(pid: int, secrets: dict[str, list[str]]) -> Counter:
    """The number of occurrences of each kind of secret: (kind, place) → number."""
    found = Counter()
    needles = {
        kind: re.compile(b"|".join(re.escape(form) for secret in secrets[kind] for form in forms(secret)))
        for kind in secrets if secrets[kind]}
    for line in Path(f"/proc/{pid}/maps").read_text().splitlines():
        start, end, rights, inode, name = MAPPING.match(line).groups()
        start, end = int(start, 16), int(end, 16)
        if rights.startswith("rw") and not name.startswith("/dev/"):
            for start, end, place in places(pid, start, end, name):
                for content in pieces(pid, start, end):
                    for kind, needle in needles.items():
                        found[kind, place] += len(needle.findall(content))
    return +found


def pieces(pid: int, start: int, end: int):
    """The mapped pieces of an address range: WebKit reserves far more than it uses."""
    with open(f"/proc/{pid}/mem", "rb", buffering=0) as memory, \
            open(f"/proc/{pid}/pagemap", "rb", buffering=0) as pages:
        for first in range(start, end, PIECE * PAGE):
            count = min(PIECE, (end - first) // PAGE)
            pages.seek(first // PAGE * 8)
            # The two highest bits: present, or swapped.
            if max(array("Q", pages.read(count * 8)), default=0) >> 62:
                memory.seek(first)
                yield memory.read(count * PAGE)


def places(pid: int, start: int, end: int, name: str):
    """The parts of a mapping by allocator: malloc, which the app and most libraries use, or another.

    The system joins mappings that touch each other, so an arena can begin within one.
    """
    # WebKit's are far larger than what is joined.
    if name or start % ARENA == 0 or end - start > 4 * ARENA:
        yield start, end, "malloc" if name == "[heap]" or not name and start % ARENA == 0 else name or "anonymous"
        return
    bounds = [start, *range((start // ARENA + 1) * ARENA, end, ARENA), end]
    for first, last in zip(bounds, bounds[1:]):
        yield first, last, "malloc" if is_arena(pid, first) else "anonymous"


def is_arena(pid: int, start: int) -> bool:
    """Whether glibc's heap_info is there: the arena, the heap before it, and its size."""
    if start % ARENA:
        return False
    with open(f"/proc/{pid}/mem", "rb", buffering=0) as memory:
        try:
            memory.seek(start)
            arena, _, size = struct.unpack("QQQ", memory.read(24))
        except OSError:
            return False
    return arena != 0 and 0 < size <= ARENA and size % PAGE == 0
