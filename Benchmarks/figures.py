"""Shared by all benchmarks: samples that are taken in turn, their medians, and their lines of output."""

import json
import statistics
import subprocess
import time


def in_turn(runs: int, *measurements) -> list[list]:
    """The samples of each measurement, taken in turn, so that other load on the machine affects all of them."""
    samples = [[] for _ in measurements]
    for _ in range(runs):
        for measure, taken in zip(measurements, samples):
            taken.append(measure())
    return samples


def medians(samples: list) -> dict:
    """The median of each member of samples that are dictionaries."""
    return {name: statistics.median(sample[name] for sample in samples) for name in samples[0]}


def line(name: str, ours: float, peer: str, theirs: float, unit: str, aim: float | None = None):
    """Prints a figure and its peer or floor; `aim` is the largest ratio that is acceptable."""
    ratio = ours / theirs
    verdict = "no aim" if aim is None else f"aim {aim}, {'ok' if ratio <= aim else 'short'}"
    print(
        f"{name}: ours {ours:.3g} {unit}, {peer} {theirs:.3g} {unit}, ratio {ratio:.3g}, {verdict}",
        flush=True)


def note(name: str, value: float, unit: str, aim: float | None = None):
    """Prints a figure without a peer; `aim` is the largest value that is acceptable."""
    verdict = "no aim" if aim is None else f"aim {aim}, {'ok' if value <= aim else 'short'}"
    print(f"{name}: {value:.3g} {unit}, {verdict}", flush=True)


def output(*command, **options) -> str:
    """The output of a command."""
    return subprocess.run(
        [str(part) for part in command], check=True, stdout=subprocess.PIPE, text=True, timeout=600,
        **options).stdout


def json_output(*command, **options) -> dict:
    """The output of a command, parsed as JSON."""
    return json.loads(output(*command, **options))


def milliseconds(*command, **options) -> float:
    """The time that a command takes."""
    start = time.perf_counter()
    output(*command, **options)
    return (time.perf_counter() - start) * 1e3
