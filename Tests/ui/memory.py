"""What is in a process's memory, seen from outside."""

import base64
import re
from array import array
from collections import Counter
from pathlib import Path

# glibc's arenas but the first begin where 64 MiB do (HEAP_MAX_SIZE).
ARENA = 64 << 20
PAGE = 4096
# What is looked at at once, in pages.
PIECE = 4096
MAPPING = re.compile(r"([0-9a-f]+)-([0-9a-f]+) (....) \S+ \S+ (\d+) *(.*)")


def forms(secret: str) -> list[bytes]:
    """How a secret can look: as it is, and as a part of something larger in base64.

    It is known by its end: the header of a JWT is that of many others."""
    text = secret.encode()
    if len(text) < 60:
        return [text]
    found = [text[-50:-6]]
    for offset in range(3):
        # Whole groups of three bytes stand alone, wherever they are.
        group = text[offset - 50:][:36]
        found += [base64.b64encode(group), base64.urlsafe_b64encode(group)]
    return list(dict.fromkeys(found))


def count(pid: int, secrets: dict[str, list[str]]) -> Counter:
    """How often each kind of secret is where: (kind, place) → number."""
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
    """What is there between two addresses: WebKit reserves far more than it uses."""
    with open(f"/proc/{pid}/mem", "rb", buffering=0) as memory, \
            open(f"/proc/{pid}/pagemap", "rb", buffering=0) as pages:
        for first in range(start, end, PIECE * PAGE):
            count = min(PIECE, (end - first) // PAGE)
            pages.seek(first // PAGE * 8)
            # The two uppermost bits: in memory, or swapped out.
            if max(array("Q", pages.read(count * 8)), default=0) >> 62:
                memory.seek(first)
                yield memory.read(count * PAGE)


def place(start: int, name: str) -> str:
    """Whose memory it is: that of malloc, which the app and most libraries use, or another."""
    if name == "[heap]" or not name and start % ARENA == 0:
        return "malloc"
    return name or "anonymous"
