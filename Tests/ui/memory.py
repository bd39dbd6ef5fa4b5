"""Inspects the memory of a process from outside."""

import base64
import re
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
            for content in pieces(pid, start, end):
                for kind, needle in needles.items():
                    found[kind, place(start, name)] += len(needle.findall(content))
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


def place(start: int, name: str) -> str:
    """The allocator of an address: malloc, which the app and most libraries use, or another."""
    if name == "[heap]" or not name and start % ARENA == 0:
        return "malloc"
    return name or "anonymous"
