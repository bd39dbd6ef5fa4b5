"""A writer's output, and what the store may contain afterwards."""

from dataclasses import dataclass, field


@dataclass
class Entry:
    """A record: `kept` is the last acknowledged generation, or None; `open` are the possible
    outcomes of later operations that were not acknowledged.
    """

    kept: int | None = None
    open: set = field(default_factory=set)


class Ledger:
    def __init__(self):
        self.entries: dict[str, Entry] = {}
        self.acknowledged = 0
        self.failed = 0
        self.removals_refused = 0
        self.losses: list[str] = []
        self.doubles: list[str] = []
        self.strangers: list[str] = []

    def hear(self, lines: list[str], may_fail: bool):
        """Processes a writer's whole output; `may_fail` is whether its disk has faults."""
        last = ""
        for line in lines:
            word, *rest = line.split(" ")
            if word == "saving":
                self.entries.setdefault(rest[0], Entry()).open.add(int(rest[1]))
            elif word == "saved":
                self.acknowledged += 1
                entry = self.entries[rest[0]]
                entry.kept = int(rest[1])
                entry.open = {o for o in entry.open if o is not None and o > entry.kept}
            elif word == "removing":
                self.entries[rest[0]].open.add(None)
            elif word == "removed":
                self.acknowledged += 1
                self.entries[rest[0]] = Entry()
            elif word == "failed":
                self.failed += 1
                self.removals_refused += last == "removing"
            last = word
        # If its writer was killed meanwhile, the outcome is unknown.
        self.removals_refused += last == "removing" and may_fail

    def compare(self, found: list[tuple[str, int | None]], when: str):
        """Checks `found` for unexpected and missing records."""
        names = [name for name, _ in found]
        self.doubles += [f"{when}: {name}" for name in set(names) if names.count(name) > 1]
        seen = dict(found)
        self.strangers += [f"{when}: {name}" for name in seen if name not in self.entries]
        for name, entry in self.entries.items():
            generation = seen.get(name)
            if generation == entry.kept:
                continue
            if generation not in entry.open:
                self.losses.append(
                    f"{when}: {name} is {generation}, was {entry.kept}, may be {entry.open}")
            # A record that was seen must remain.
            entry.kept = generation
            entry.open = {o for o in entry.open if o is not None and o > (generation or 0)}
