"""Runs CurlHTTP, libcurl's own program and libcurl from C in turn against the identity emulator.

usage: request.py BENCH_DIRECTORY IDENTITY_EMULATOR RUNS
"""

import json
import statistics
import subprocess
import sys
from pathlib import Path

from figures import json_output, in_turn, line, milliseconds

bench, emulator, runs = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
PATH = "/common/v2.0/.well-known/openid-configuration"
# Little at a time, and in many turns.
COUNT = 300


def measure(host: str, ca_file: str):
    url = f"https://{host}{PATH}"
    ours, theirs = (
        statistics.median(taken) for taken in in_turn(
            2 * runs,
            lambda: milliseconds(bench / "request-benchmark", host, PATH, ca_file),
            lambda: milliseconds(
                "curl", "--silent", "--show-error", "--fail", "--cacert", ca_file, "--output",
                "/dev/null", url)))
    line("request-process", ours, "curl", theirs, "ms", 1.1)
    ours, theirs = (
        statistics.median(sample["request"] for sample in taken) for taken in in_turn(
            3 * runs,
            lambda: json_output(bench / "request-benchmark", host, PATH, ca_file, COUNT),
            lambda: json_output(bench / "request-thread", url, ca_file, COUNT)))
    line("request-connection", ours, "libcurl in C", theirs, "us", 1.25)


with subprocess.Popen(
        [emulator, "--until-stdin-closes"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL, text=True) as server:
    announcement = json.loads(server.stdout.readline())
    try:
        measure(announcement["authority"].split("/")[2], announcement["caFile"])
    finally:
        server.stdin.close()
